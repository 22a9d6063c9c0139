#pragma once
// How a run is called.

#include <string>
#include <string_view>

#include "analyze/dataset/run.hpp"

namespace trikal::report {

// "simulate" of "/opt/app/simulate input.nml"
[[nodiscard]] std::string program_name(std::string_view command);
// The same of a run; of an MPI job what its ranks run, and not who launched them.
[[nodiscard]] std::string program_name(const analyze::Run& run);

}  // namespace trikal::report
