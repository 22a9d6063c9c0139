#pragma once
// The page of a log, for `trikal report` and `trikal run --report`.

#include "analyze/rules/policy.hpp"
#include "log/read/reader.hpp"
#include "report/output.hpp"
#include "report/tables.hpp"

namespace trikal::cli {

// "-" is standard output.
[[nodiscard]] report::ExportStatus write_report(log::Reader& reader, const std::string& log_path,
                                                const std::string& page_path, report::Replace replace,
                                                const analyze::Policy& policy);

}  // namespace trikal::cli
