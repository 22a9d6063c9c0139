#include "report/text/notices.hpp"

#include <fmt/format.h>

namespace trikal::report {

Status accept_incomplete(Sink& out, const ModuleSchema& schema, bool show, Notices& notices) {
  if (!show) return Error{.code = ErrorCode::kUsage, .what = kIncomplete};
  out.put(
      fmt::format("\n# *WARNING*: The {} module contains incomplete data!\n"
                  "#            The runtime ran out of memory for it: files are missing, totals are too low.\n",
                  schema.name));
  notices.notice(fmt::format("the {} module ran out of memory at run time: its data are incomplete", schema.name));
  return {};
}

}  // namespace trikal::report
