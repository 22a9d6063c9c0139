#include "report/text/thinned.hpp"

#include <fmt/format.h>

#include "analyze/dataset/trace_counts.hpp"
#include "analyze/rules/judge.hpp"

namespace trikal::report {

void note_thinned(Sink& out, log::Reader& reader, Notices& notices) {
  using analyze::grouped;
  const analyze::TraceCounts counts = analyze::read_trace_counts(reader);
  if (counts.is_whole()) return;
  const std::string text = fmt::format(
      "the trace is not whole: {} of {} calls are in it, evenly over the run; that of {} of {} files is whole, and "
      "counters "
      "have every call (TRIKAL_MEMORY and TRIKAL_TRACE_MEMORY raise what it may take)",
      grouped(counts.kept), grouped(counts.events), grouped(counts.files - counts.thinned), grouped(counts.files));
  out.put("# *WARNING*: " + text + "\n");
  notices.notice(text);
}

}  // namespace trikal::report
