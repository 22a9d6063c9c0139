#pragma once
// DAOS records: objects have an id instead of a name, a pool and container instead of a mount point.

#include "base/uuid.hpp"
#include "modules/daos/schema.hpp"
#include "schema/record_view.hpp"

namespace trikal::modules::daos {

inline void labels(Bytes record, RecordLabels& labels) {
  labels.name = std::to_string(load<std::uint64_t>(record.data() + kOidHighAt)) + "." +
                std::to_string(load<std::uint64_t>(record.data() + kOidLowAt));
  labels.mount = uuid_text(record.data() + kPoolUuidAt) + ":" + uuid_text(record.data() + kContUuidAt);
  labels.type = "N/A";
  labels.has_name = labels.has_mount = labels.has_type = true;
}

inline constexpr RecordView kRecordView = {.labels = labels};

}  // namespace trikal::modules::daos
