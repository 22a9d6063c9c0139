#include "log/write/extension_modules.hpp"

#include <algorithm>

#include "log/trailer/extension_modules.hpp"
#include "schema/table.hpp"

namespace trikal::log {
namespace {

std::string_view type_name(Field::Type type) {
  switch (type) {
    case Field::Type::kU64: return "u64";
    case Field::Type::kI64: return "i64";
    case Field::Type::kF64: return "f64";
    case Field::Type::kText: return "text";
    case Field::Type::kUuid: return "uuid";
  }
  return "";
}

// One row of kExtensionColumnColumns.
struct Description {
  std::string_view column, bucket, type;
  std::uint64_t offset = 0;
  std::string_view unit, help;
};

Status put_description(TrailerWriter& trailer, const ModuleSchema& schema, const Description& row) {
  Status done;
  for (const std::string_view text : {schema.name, row.column, row.bucket, row.type}) {
    if (done) done = trailer.put_text(text);
  }
  if (done) done = trailer.put_u64(row.offset);
  if (done) done = trailer.put_text(row.unit);
  return done ? trailer.put_text(row.help) : done;
}

Status describe(TrailerWriter& trailer, const ModuleSchema& schema) {
  Status done = put_description(trailer, schema, {"id", "", "u64", 0, kUnitRecordId, "the record, as names have it"});
  if (done) done = put_description(trailer, schema, {"rank", "", "i64", 8, kUnitRank, "-1: of all ranks"});
  for (const Field& field : schema.fields) {
    if (done)
      done = put_description(trailer, schema, {field.name, "", type_name(field.type), field.offset, "", field.help});
  }
  std::uint64_t offset = schema.counters_at;
  for (const Counter& counter : schema.counters) {
    const std::string_view type = counter.kind == Kind::kReal ? "f64" : "i64";
    for (std::size_t i = 0; i < counter.width(); ++i, offset += 8) {
      const std::string_view bucket = counter.labels.empty() ? std::string_view() : counter.labels[i];
      if (done)
        done = put_description(trailer, schema,
                               {counter.name, bucket, type, offset, unit_name(counter.unit), counter.help});
    }
  }
  return done;
}

Status put_region(TrailerWriter& trailer, const ExtensionRegion& region) {
  Status done = trailer.put_text(region.schema->name);
  for (const std::uint64_t value :
       {std::uint64_t{region.schema->id}, std::uint64_t{region.version}, region.extent.offset, region.extent.length}) {
    if (done) done = trailer.put_u64(value);
  }
  return done;
}

}  // namespace

Status put_extension_modules(TrailerWriter& trailer, std::span<const ExtensionRegion> regions) {
  const auto is_used = [](const ExtensionRegion& region) { return region.schema != nullptr; };
  if (std::ranges::none_of(regions, is_used)) return {};
  Status done = trailer.begin_section(kExtensionModulesSection);
  for (const ExtensionRegion& region : regions) {
    if (done && is_used(region)) done = put_region(trailer, region);
  }
  if (done) done = trailer.end_section();
  if (done) done = trailer.begin_section(kExtensionColumnsSection);
  for (const ExtensionRegion& region : regions) {
    if (done && is_used(region)) done = describe(trailer, *region.schema);
  }
  return done ? trailer.end_section() : done;
}

}  // namespace trikal::log
