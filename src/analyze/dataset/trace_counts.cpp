#include "analyze/dataset/trace_counts.hpp"

#include "analyze/dataset/trailer_rows.hpp"

namespace trikal::analyze {

TraceCounts read_trace_counts(log::Reader& reader) {
  TraceCounts counts;
  for_each_row(reader, "traces", [&](const TrailerRow& row) {
    counts.events += row.count("events"), counts.kept += row.count("kept");
    counts.files += 1;
    counts.thinned += row.count("kept") < row.count("events") ? 1 : 0;
  });
  return counts;
}

}  // namespace trikal::analyze
