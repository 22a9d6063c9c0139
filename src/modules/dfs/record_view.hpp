#pragma once
// DFS records: pool and container stand where other modules have a mount point.

#include "base/uuid.hpp"
#include "modules/dfs/schema.hpp"
#include "schema/record_view.hpp"

namespace trikal::modules::dfs {

// A handle of a mount nobody saw being made has neither pool nor container.
inline void labels(Bytes record, RecordLabels& labels) {
  const std::byte* pool = record.data() + kPoolUuidAt;
  const std::byte* cont = record.data() + kContUuidAt;
  const bool known = !is_null_uuid(pool) && !is_null_uuid(cont);
  labels.mount = known ? uuid_text(pool) + ":" + uuid_text(cont) : "UNKNOWN";
  labels.type = "N/A";
  labels.has_mount = labels.has_type = true;
}

inline constexpr RecordView kRecordView = {.labels = labels};

}  // namespace trikal::modules::dfs
