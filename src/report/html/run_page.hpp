#pragma once
// The page of one run, as a file.

#include <span>
#include <string>

#include "analyze/dataset/run.hpp"
#include "analyze/rules/rule.hpp"
#include "report/json/run_data.hpp"
#include "report/output.hpp"

namespace trikal::report {

// "-" is standard output.
[[nodiscard]] Status write_run_page(const std::string& path, Replace replace, const analyze::Run& run,
                                    std::span<const analyze::Finding> findings, const LogFacts& facts);

}  // namespace trikal::report
