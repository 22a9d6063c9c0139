// darshan-dxt-parser, as of release 3.5.0.

#include "compat/tools/log_tool.hpp"
#include "compat/tools/personality.hpp"
#include "report/text/dxt.hpp"

namespace trikal::compat {

int run_dxt_parser(int argc, char** argv) {
  report::TraceOptions options{.show_incomplete = false};
  const Flag flags[] = {
      {"threads", &options.threads, "also show which thread did it, as releases after 3.5.0 do"},
      {"show-incomplete", &options.show_incomplete, "show modules that ran out of memory instead of stopping there"},
  };
  LogTool tool("darshan-dxt-parser", "Prints every traced read and write of a log as text.", flags);
  int exit_code = 0;
  if (!tool.read_arguments(argc, argv, exit_code)) return exit_code;
  return tool.run([&](report::Sink& out, log::Reader& reader, report::Notices& notices) {
    return report::write_traces(out, reader, options, notices);
  });
}

}  // namespace trikal::compat
