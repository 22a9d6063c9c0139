#include "cli/write_report.hpp"

#include "cli/site_names.hpp"
#include "cli/version.hpp"
#include "report/html/run_page.hpp"

namespace trikal::cli {

report::ExportStatus write_report(log::Reader& reader, const std::string& log_path, const std::string& page_path,
                                  report::Replace replace, const analyze::Policy& policy) {
  auto run = analyze::read_run(reader);
  if (!run) return {.read = run.error()};
  auto lanes = analyze::read_trace_lanes(reader);
  if (!lanes) return {.read = lanes.error()};
  run->trace_lanes = std::move(*lanes);
  name_nameless_sites(*run);
  return {.written = report::write_run_page(page_path, replace, *run, analyze::find_all(*run, policy),
                                            {log_path, reader.file_size(), kVersion})};
}

}  // namespace trikal::cli
