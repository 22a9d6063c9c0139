#include "report/html/run_page.hpp"

#include "base/utf8.hpp"
#include "report/html/page.hpp"
#include "report/text/program_name.hpp"

namespace trikal::report {
namespace {

// What a browser's tab and its history tell one run from another by: the program, and how it was called.
std::string title_of(const analyze::Run& run) {
  constexpr std::size_t kLongest = 200;
  const std::string program = program_name(run), command = printable(run.job->exe.substr(0, kLongest));
  return command.empty() || command == program ? program : program + " · " + command;
}

}  // namespace

Status write_run_page(const std::string& path, Replace replace, const analyze::Run& run,
                      std::span<const analyze::Finding> findings, const LogFacts& facts) {
  if (!has_page())
    return Error{.code = ErrorCode::kUnsupported, .what = "this trikal was built without the report page"};
  auto output = open_file_or_standard_output(path, replace);
  if (!output) return output.error();
  StringSink data;
  write_report_json(data, run, findings, facts);
  auto sink = (*output)->open("page");
  if (!sink) return sink.error();
  write_page_head(**sink, title_of(run));
  put_page_data(**sink, data.text());
  write_page_tail(**sink);
  return (*output)->close();
}

}  // namespace trikal::report
