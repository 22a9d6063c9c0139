// trikal parse: a log as text, line for line what darshan-parser prints.

#include "cli/print_log.hpp"
#include "cli/verbs.hpp"
#include "report/text/listing.hpp"

namespace trikal::cli {
namespace {

struct ParseOptions {
  LogInput input;
  report::ListingOptions listing;
  bool all = false;
  bool show_incomplete = false;
  bool strict = false;
};

report::ListingOptions wanted(const ParseOptions& options) {
  report::ListingOptions listing = options.listing;
  if (options.all) listing.base = listing.total = listing.file = listing.perf = true;
  if (!listing.base && !listing.total && !listing.file && !listing.perf) listing.base = true;
  listing.show_incomplete = !options.strict || options.show_incomplete || options.all;
  return listing;
}

int run_parse(const ParseOptions& options) {
  return print_log(options.input, [&](report::Sink& out, log::Reader& reader, report::Notices& notices) {
    return report::write_listing(out, reader, wanted(options), notices);
  });
}

constexpr const char *kPrint = "What to print", *kIncomplete = "Logs that ran out of memory";

void attach_parse(CommandLine& app, Action& action) {
  auto options = std::make_shared<ParseOptions>();
  options->input.declare(app);
  app.add_flag("--base", options->listing.base, "every counter of every record (the default)")->group(kPrint);
  app.add_flag("--total", options->listing.total, "each counter folded over all records of its module")->group(kPrint);
  app.add_flag("--file", options->listing.file, "how many files were read, written, shared")->group(kPrint);
  app.add_flag("--perf", options->listing.perf, "bytes, times and bandwidth of the job")->group(kPrint);
  app.add_flag("--all", options->all, "all of the above")->group(kPrint);
  app.add_flag("--strict", options->strict, "refuse a log whose data are incomplete, as darshan-parser does")
      ->group(kIncomplete);
  app.add_flag("--show-incomplete", options->show_incomplete, "show incomplete data even with --strict")
      ->group(kIncomplete);
  action = [options] { return run_parse(*options); };
}

constexpr Example kParseExamples[] = {
    {"trikal parse job.darshan", "every counter, one per line"},
    {"trikal parse --total --perf job.darshan", "totals and bandwidth"},
    {"trikal parse --salvage broken.darshan", "what can still be read of a damaged log"},
};

}  // namespace

const Verb kParse = {
    "parse",
    "print a log as text, as darshan-parser does",
    "Data and metric lines are character for character those of darshan-parser; explanations are ours. Incomplete "
    "modules are shown with a warning unless --strict is given.",
    kParseExamples,
    attach_parse,
    kReadingSection};

}  // namespace trikal::cli
