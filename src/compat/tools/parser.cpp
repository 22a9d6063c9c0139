// darshan-parser.

#include "compat/tools/log_tool.hpp"
#include "compat/tools/personality.hpp"
#include "report/text/listing.hpp"

namespace trikal::compat {

int run_parser(int argc, char** argv) {
  report::ListingOptions options{.show_incomplete = false};
  bool all = false;
  const Flag flags[] = {
      {"all", &all, "everything below"},
      {"base", &options.base, "every counter of every record (the default)"},
      {"file", &options.file, "how many files were read, written, shared"},
      {"perf", &options.perf, "bytes, times and bandwidth of the job"},
      {"total", &options.total, "each counter folded over all records of its module"},
      {"show-incomplete", &options.show_incomplete, "show modules that ran out of memory instead of stopping there"},
  };
  LogTool tool("darshan-parser", "Prints a log as text.", flags);
  int exit_code = 0;
  if (!tool.read_arguments(argc, argv, exit_code)) return exit_code;
  if (all) options = {.base = true, .total = true, .file = true, .perf = true, .show_incomplete = true};
  if (!options.base && !options.total && !options.file && !options.perf) options.base = true;
  return tool.run([&](report::Sink& out, log::Reader& reader, report::Notices& notices) {
    return report::write_listing(out, reader, options, notices);
  });
}

}  // namespace trikal::compat
