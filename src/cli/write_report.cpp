#include "cli/write_report.hpp"

#include "cli/site_names.hpp"
#include "cli/version.hpp"
#include "report/html/page.hpp"
#include "report/json/run_data.hpp"
#include "report/text/program_name.hpp"

namespace trikal::cli {
report::ExportStatus write_report(log::Reader& reader, const std::string& log_path, const std::string& page_path,
                                  report::Replace replace, const analyze::Policy& policy) {
  if (!report::has_page())
    return {.written = Error{.code = ErrorCode::kUnsupported, .what = "this trikal was built without the report page"}};
  auto run = analyze::read_run(reader);
  if (!run) return {.read = run.error()};
  name_nameless_sites(*run);
  auto output = report::open_file_or_standard_output(page_path, replace);
  if (!output) return {.written = output.error()};
  report::StringSink data;
  report::write_report_json(data, *run, analyze::find_all(*run, policy), {log_path, reader.file_size(), kVersion});
  auto sink = (*output)->open("page");
  if (!sink) return {.written = sink.error()};
  report::write_page_head(**sink, report::program_name(*run));
  report::put_page_data(**sink, data.text());
  report::write_page_tail(**sink);
  return {.written = (*output)->close()};
}

}  // namespace trikal::cli
