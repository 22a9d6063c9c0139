#pragma once
// What `trikal cc` has written down: which sources make which program.

#include <string>
#include <vector>

#include "predict/source/compile.hpp"

namespace trikal::predict {

// The record in a folder, or in .trikal below it; empty: there is none.
[[nodiscard]] std::string find_record(const std::string& folder);

struct RecordedProgram {
  std::string path;
  std::vector<SourceFile> sources;  // in the order they are linked
};
// The program of that name, by its last part or its whole path; the only one where no name is given.
[[nodiscard]] RecordedProgram read_record(const std::string& record, const std::string& program, std::string& problem);

}  // namespace trikal::predict
