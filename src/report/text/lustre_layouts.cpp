#include "report/text/lustre_layouts.hpp"

#include "modules/lustre/schema.hpp"

namespace trikal::report {

Status LustreLayouts::load(log::Reader& reader) {
  const ModuleId id = modules::lustre::kSchema.id;
  if (reader.header().modules[id].length == 0) return {};
  auto records = reader.records(id);
  if (!records) return reader.tolerate(std::string(modules::lustre::kSchema.name), records.error());
  constexpr std::uint64_t kEntryBytes = 64;  // what a file costs beside its record, roughly
  for (log::Batch batch;;) {
    auto more = (*records)->next(batch);
    if (!more) return more.error();
    if (!*more) return {};
    const auto file = trikal::load<std::uint64_t>(batch.bytes.data());
    if (extents_.contains(file)) continue;
    if (records_.size() + batch.bytes.size() + kEntryBytes * extents_.size() > reader.options().limits.memory) {
      return Error{.code = ErrorCode::kLimit,
                   .offset = (*records)->file_offset(),
                   .what = "the Lustre records are more than the limit allows to hold"};
    }
    extents_[file] = {records_.size(), batch.bytes.size()};
    records_.insert(records_.end(), batch.bytes.begin(), batch.bytes.end());
  }
}

Bytes LustreLayouts::find(std::uint64_t id) const {
  const auto found = extents_.find(id);
  return found == extents_.end() ? Bytes{} : Bytes{records_}.subspan(found->second.at, found->second.size);
}

}  // namespace trikal::report
