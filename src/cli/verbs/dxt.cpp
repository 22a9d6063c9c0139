// trikal dxt: every traced read and write as text, as darshan-dxt-parser prints it.

#include "report/text/dxt.hpp"

#include "cli/print_log.hpp"
#include "cli/verbs.hpp"

namespace trikal::cli {
namespace {

struct DxtOptions {
  LogInput input;
  bool threads = false;
  bool show_incomplete = false;
  bool strict = false;
};

int run_dxt(const DxtOptions& options) {
  const report::TraceOptions wanted{.threads = options.threads,
                                    .show_incomplete = !options.strict || options.show_incomplete};
  return print_log(options.input, [&](report::Sink& out, log::Reader& reader, report::Notices& notices) {
    return report::write_traces(out, reader, wanted, notices);
  });
}

void attach_dxt(CommandLine& app, Action& action) {
  auto options = std::make_shared<DxtOptions>();
  options->input.declare(app);
  app.add_flag("--threads", options->threads, "also show which thread did it, where the log knows")
      ->group("What to print");
  app.add_flag("--strict", options->strict, "refuse a log whose trace is incomplete, as darshan-dxt-parser does")
      ->group("Logs that ran out of memory");
  app.add_flag("--show-incomplete", options->show_incomplete, "show incomplete traces even with --strict")
      ->group("Logs that ran out of memory");
  action = [options] { return run_dxt(*options); };
}

constexpr Example kDxtExamples[] = {
    {"trikal dxt job.darshan", "every read and write, one per line"},
    {"trikal dxt --threads job.darshan", "with a column for the thread"},
};

}  // namespace

const Verb kDxt = {
    "dxt",
    "print a log's trace as text, as darshan-dxt-parser does",
    "One line per read or write, in the form of Darshan 3.5.0; --threads gives the form of later versions. Where the "
    "log "
    "knows how a file lies on Lustre, the storage targets of each access are shown. Memory use does not grow with the "
    "trace.",
    kDxtExamples,
    attach_dxt,
    kReadingSection};

}  // namespace trikal::cli
