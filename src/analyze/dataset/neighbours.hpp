#pragma once
// What other modules know of the files of a run: where Lustre put them, what HDF5 keeps in them, who wrote which
// block of them, and when bytes moved.

#include "analyze/dataset/run.hpp"
#include "analyze/dataset/trailer_facts.hpp"

namespace trikal::analyze {

// After the layers and heatmaps: layouts and traces are told of files that are known. Traces only as far as they are
// needed: for files with a record, and for the timeline where there is no heatmap.
[[nodiscard]] Status read_neighbours(log::Reader& reader, const FileIndexes& indexes, Run& run);

// Calls take(batch) for all of a module; a module the log does not have is no error.
template <class Take>
Status for_each_batch(log::Reader& reader, const ModuleSchema& schema, const Take& take) {
  auto records = reader.records(schema.id);
  if (!records) {
    if (records.error().code == ErrorCode::kMissing) return {};
    return reader.tolerate(std::string(schema.name), records.error());
  }
  log::Batch batch;
  for (;;) {
    auto more = (*records)->next(batch);
    if (!more) return more.error();
    if (!*more) return {};
    take(batch);
  }
}

}  // namespace trikal::analyze
