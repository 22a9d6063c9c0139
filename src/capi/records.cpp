// Modules, the values of their records, and the records themselves.

#include <array>

#include "capi/handle.hpp"
#include "log/read/module_rows.hpp"
#include "modules/list.hpp"

struct trikal_records {
  std::shared_ptr<trikal::capi::OpenLog> log;
  std::unique_ptr<trikal::log::RecordStream> stream;
  const trikal::ModuleFormat* format = nullptr;
  trikal::log::Batch batch;
  std::size_t at = 0;  // next record of the batch
};

namespace {

using namespace trikal;
using capi::guarded;
using capi::hand_out;
using capi::tell;

// Names in our tables are views; C wants them to end with a NUL.
struct ValueText {
  std::string name, unit, help;
  trikal_value value;
};

struct ModuleText {
  std::string name, help;
  std::vector<ValueText> values;
};

trikal_kind kind_of(const log::ColumnInfo& column, const log::RecordValue& value) {
  if (value.how == log::RecordValue::How::kText) return TRIKAL_TEXT;
  if (value.how == log::RecordValue::How::kUuid) return TRIKAL_UUID;
  return column.type == CellType::kF64 ? TRIKAL_F64 : column.type == CellType::kU64 ? TRIKAL_U64 : TRIKAL_I64;
}

ModuleText text_of(const ModuleFormat& format) {
  ModuleText text{std::string(format.schema->name), std::string(format.schema->help), {}};
  // Columns of the module's table, less id and rank, are its values in the same order.
  const log::TableInfo table = log::tables_of(format, {.names = log::NameColumns::kNone}).front();
  const std::vector<log::RecordValue> values = log::values_of(*format.schema);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const log::ColumnInfo& column = table.columns[i + 2];
    const trikal_value value{.kind = kind_of(column, values[i]), .offset = values[i].at, .bytes = values[i].bytes};
    text.values.push_back({column.name, std::string(unit_name(column.unit)), column.help, value});
  }
  for (ValueText& v : text.values) {
    v.value.name = v.name.c_str(), v.value.unit = v.unit.c_str(), v.value.help = v.help.c_str();
  }
  return text;
}

// Made at the first use and kept for good: callers hold on to what is in it.
const ModuleText* module_text(std::uint32_t id) {
  using All = std::array<ModuleText, kModuleSlots>;
  static const All* const kAll = [] {
    auto all = std::make_unique<All>();
    for (const ModuleFormat* format : all_modules()) (*all)[format->schema->id] = text_of(*format);
    return all.release();
  }();
  return id < kAll->size() && !(*kAll)[id].name.empty() ? &(*kAll)[id] : nullptr;
}

const trikal_value* find_value(std::uint32_t module, std::string_view name) {
  const ModuleText* text = module_text(module);
  if (text == nullptr) return nullptr;
  for (const ValueText& value : text->values) {
    if (value.name == name) return &value.value;
  }
  return nullptr;
}

// The next record of the batch at hand.
trikal_record take_record(trikal_records& records) {
  const ModuleSchema& schema = *records.format->schema;
  const bool many = schema.shape == Shape::kFixed;
  const std::size_t size = many ? schema.head_bytes : records.batch.bytes.size();
  const Bytes record = records.batch.bytes.subspan(many ? records.at * size : 0, size);
  ++records.at;
  return {.id = load<std::uint64_t>(record.data()),
          .rank = load<std::int64_t>(record.data() + 8),
          .bytes = record.data(),
          .size = record.size(),
          .items = records.batch.items.data(),
          .items_size = records.batch.items.size(),
          .first_item = records.batch.first_item,
          .last = records.batch.last ? 1U : 0U,
          .described = capi::is_described(*records.format, record) ? 1U : 0U};
}

// Eight bytes of a record, if the value is such and lies in it.
const std::byte* word_of(const trikal_record* record, const trikal_value* value) {
  if (record == nullptr || value == nullptr || value->kind > TRIKAL_F64 || record->described == 0) return nullptr;
  if (record->size < 8 || value->offset > record->size - 8) return nullptr;
  return static_cast<const std::byte*>(record->bytes) + value->offset;
}

}  // namespace

extern "C" {

size_t trikal_module_count(const trikal_log* log) { return log != nullptr ? log->open->modules.size() : 0; }

int trikal_get_module(const trikal_log* log, size_t index, trikal_module* module, size_t size) {
  if (index >= trikal_module_count(log)) return -1;
  return guarded<int>(nullptr, -1, [&] {
    const ModuleId id = log->open->modules[index];
    const log::Header& header = log->open->reader->header();
    const ModuleFormat* format = find_module(id);
    const ModuleText* text = module_text(id);
    const std::uint32_t version = header.module_versions[id];
    const trikal_module told{.id = id,
                             .version = version,
                             .partial = header.is_partial(id) ? 1U : 0U,
                             .readable = format != nullptr && format->form(version) != nullptr ? 1U : 0U,
                             .compressed_bytes = header.modules[id].length,
                             .name = text != nullptr ? text->name.c_str() : "",
                             .help = text != nullptr ? text->help.c_str() : ""};
    return hand_out(told, module, size);
  });
}

size_t trikal_value_count(uint32_t module) {
  return guarded<size_t>(nullptr, 0, [&] {
    const ModuleText* text = module_text(module);
    return text != nullptr ? text->values.size() : 0;
  });
}

int trikal_get_value(uint32_t module, size_t index, trikal_value* value, size_t size) {
  if (index >= trikal_value_count(module)) return -1;
  return guarded<int>(nullptr, -1, [&] { return hand_out(module_text(module)->values[index].value, value, size); });
}

int trikal_find_value(uint32_t module, const char* name, trikal_value* value, size_t size) {
  if (name == nullptr) return -1;
  return guarded<int>(nullptr, -1, [&] {
    const trikal_value* found = find_value(module, name);
    return found != nullptr ? hand_out(*found, value, size) : -1;
  });
}

trikal_records* trikal_open_records(trikal_log* log, uint32_t module, trikal_error* error) {
  return guarded<trikal_records*>(error, nullptr, [&]() -> trikal_records* {
    if (log == nullptr || module >= kModuleSlots)
      return tell(error, TRIKAL_USAGE, "no log, or no such module"), nullptr;
    const std::lock_guard lock(log->open->mutex);
    auto stream = log->open->reader->records(static_cast<ModuleId>(module));
    if (!stream) return tell(error, stream.error()), nullptr;
    auto records = std::make_unique<trikal_records>();
    records->log = log->open;
    records->stream = std::move(*stream);
    records->format = find_module(static_cast<ModuleId>(module));
    return records.release();
  });
}

int trikal_next_record(trikal_records* records, trikal_record* record, size_t size, trikal_error* error) {
  return guarded<int>(error, -1, [&] {
    if (records == nullptr || record == nullptr)
      return tell(error, TRIKAL_USAGE, "no records, or nowhere to put one"), -1;
    while (records->at >= records->batch.count) {
      records->at = 0;
      records->batch.count = 0;
      auto more = records->stream->next(records->batch);
      if (!more) return tell(error, more.error()), -1;
      if (!*more) return records->batch.count = 0, 0;
    }
    hand_out(take_record(*records), record, size);
    return 1;
  });
}

void trikal_close_records(trikal_records* records) {
  guarded<int>(nullptr, 0, [&] { return delete records, 0; });
}

int64_t trikal_integer_of(const trikal_record* record, const trikal_value* value) {
  const std::byte* word = word_of(record, value);
  return word != nullptr && value->kind != TRIKAL_F64 ? load<std::int64_t>(word) : 0;
}

double trikal_real_of(const trikal_record* record, const trikal_value* value) {
  const std::byte* word = word_of(record, value);
  return word != nullptr && value->kind == TRIKAL_F64 ? load<double>(word) : 0;
}

}  // extern "C"
