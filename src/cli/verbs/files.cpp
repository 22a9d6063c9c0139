// trikal files: the files of one or many runs, those that took longest first.

#include <unistd.h>

#include <algorithm>

#include "cli/complain.hpp"
#include "cli/many_logs.hpp"
#include "cli/verbs.hpp"
#include "report/json/many_runs.hpp"

namespace trikal::cli {
namespace {

struct FilesOptions {
  LogInput input;
  std::vector<std::string> logs;
  std::string order = "time";
  std::size_t top = 20;
  bool json = false;
};

int run_files(const FilesOptions& options) {
  report::RankedFiles files;
  const int code =
      for_each_log(options.input, options.logs,
                   [&files](const std::string&, log::Reader&, const analyze::Run& run) { files.add(run); });
  std::vector<report::RankedFile> rows = files.take();
  report::rank(rows, options.order);
  report::DescriptorSink out(STDOUT_FILENO, options.json ? report::Audience::kProgram : report::Audience::kPerson);
  if (options.json) report::write_ranked_json(out, rows);
  else report::write_ranked(out, rows, options.top);
  const Status written = out.flush();
  return written ? code : complain("standard output", written.error());
}

void attach_files(CommandLine& app, Action& action) {
  auto options = std::make_shared<FilesOptions>();
  app.add_option("LOG", options->logs, "the logs; - reads standard input")->required()->type_name("");
  options->input.declare_reading(app);
  const char* show = "What to show";
  app.add_option("--by", options->order, "what to order files by")
      ->type_name("time|bytes|reads|writes|opens|runs")
      ->group(show)
      ->capture_default_str()
      ->check(one_of({std::begin(report::kFileOrders), std::end(report::kFileOrders)}));
  app.add_option("--top", options->top, "how many files to show")->type_name("N")->group(show)->capture_default_str();
  app.add_flag("--json", options->json, "all of them as JSON (schema trikal-files 1)")->group(show);
  action = [options] { return run_files(*options); };
}

constexpr Example kFilesExamples[] = {
    {"trikal files job.darshan", "the files that took longest"},
    {"trikal files --by bytes job.darshan job.darshan", "files of several runs, by what was read and written"},
};

}  // namespace

const Verb kFiles = {"files",
                     "rank the files of one or many runs",
                     "Adds up what was done with each file in all of the logs, by the file's name, and prints those "
                     "that took longest: time of "
                     "all ranks, bytes, reads, writes, opens and in how many of the runs it was used.",
                     kFilesExamples,
                     attach_files,
                     kReadingSection};

}  // namespace trikal::cli
