#include "capi/arrow_c.hpp"

#include <array>
#include <cstring>
#include <string>
#include <vector>

namespace trikal::capi {
namespace {

// What a schema points to. Children lie in it; those that were taken out have no release callback left.
struct SchemaMemory {
  std::string name, metadata;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> pointers;
};

struct ArrayMemory {
  std::shared_ptr<const Chunk> chunk;
  std::array<const void*, 3> buffers{};
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> pointers;
};

// Both kinds are released alike.
template <class Memory, class Arrow>
void release(Arrow* self) {
  auto* memory = static_cast<Memory*>(self->private_data);
  for (Arrow& child : memory->children) {
    if (child.release != nullptr) child.release(&child);
  }
  delete memory;
  self->release = nullptr;
  self->private_data = nullptr;
}

void add_number(std::string& text, std::size_t value) {
  const auto number = static_cast<std::int32_t>(value);
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  text.append(bytes, sizeof number);
}

// The interface's own form: how many pairs, then length and bytes of each key and value.
std::string metadata_of(const log::ColumnInfo& column) {
  const std::string_view pairs[][2] = {{"unit", unit_name(column.unit)}, {"help", column.help}};
  std::size_t count = 0;
  std::string body;
  for (const auto& [key, value] : pairs) {
    if (value.empty()) continue;
    ++count;
    for (const std::string_view part : {key, value}) {
      add_number(body, part.size());
      body += part;
    }
  }
  std::string all;
  add_number(all, count);
  return all + body;
}

const char* format_of(CellType type) {
  switch (type) {
    case CellType::kI64: return "l";
    case CellType::kU64: return "L";
    case CellType::kF64: return "g";
    case CellType::kText: return "u";
  }
  return "";
}

// `memory` is handed over to `out`.
void give(std::unique_ptr<SchemaMemory> memory, const char* format, std::int64_t flags, ArrowSchema* out) {
  for (ArrowSchema& child : memory->children) memory->pointers.push_back(&child);
  *out = {.format = format,
          .name = memory->name.c_str(),
          .metadata = memory->metadata.empty() ? nullptr : memory->metadata.c_str(),
          .flags = flags,
          .n_children = static_cast<std::int64_t>(memory->children.size()),
          .children = memory->pointers.data(),
          .dictionary = nullptr,
          .release = release<SchemaMemory, ArrowSchema>,
          .private_data = memory.get()};
  static_cast<void>(memory.release());  // private_data owns it now
}

void export_column(const std::shared_ptr<const Chunk>& chunk, const ColumnData& column, ArrowArray* out) {
  auto memory = std::make_unique<ArrayMemory>();
  memory->chunk = chunk;
  const bool text = column.type == CellType::kText;
  memory->buffers = {column.missing > 0 ? column.present.data() : nullptr,
                     text ? static_cast<const void*>(column.offsets.data()) : column.words.data(),
                     text ? column.text.data() : nullptr};
  *out = {.length = static_cast<std::int64_t>(column.rows()),
          .null_count = static_cast<std::int64_t>(column.missing),
          .offset = 0,
          .n_buffers = text ? 3 : 2,
          .n_children = 0,
          .buffers = memory->buffers.data(),
          .children = nullptr,
          .dictionary = nullptr,
          .release = release<ArrayMemory, ArrowArray>,
          .private_data = memory.get()};
  static_cast<void>(memory.release());
}

// While children are being made an exception must not leak those already there.
template <class Memory>
struct DropChildren {
  void operator()(Memory* memory) const {
    for (auto& child : memory->children) {
      if (child.release != nullptr) child.release(&child);
    }
    delete memory;
  }
};

}  // namespace

void export_schema(const log::TableInfo& table, ArrowSchema* out) {
  *out = {};
  std::unique_ptr<SchemaMemory, DropChildren<SchemaMemory>> all(new SchemaMemory);
  all->name = table.name;
  all->children.resize(table.columns.size());
  all->pointers.reserve(table.columns.size());
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const log::ColumnInfo& column = table.columns[i];
    auto memory = std::make_unique<SchemaMemory>();
    memory->name = column.name;
    memory->metadata = metadata_of(column);
    give(std::move(memory), format_of(column.type), column.nullable ? ARROW_FLAG_NULLABLE : 0, &all->children[i]);
  }
  give(std::unique_ptr<SchemaMemory>(all.release()), "+s", 0, out);
}

void export_chunk(const std::shared_ptr<const Chunk>& chunk, ArrowArray* out) {
  *out = {};
  std::unique_ptr<ArrayMemory, DropChildren<ArrayMemory>> all(new ArrayMemory);
  const std::vector<ColumnData>& columns = chunk->columns();
  all->children.resize(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) export_column(chunk, columns[i], &all->children[i]);
  for (ArrowArray& child : all->children) all->pointers.push_back(&child);
  // A struct has one buffer, which rows are there, and all of them are.
  *out = {.length = static_cast<std::int64_t>(chunk->rows()),
          .null_count = 0,
          .offset = 0,
          .n_buffers = 1,
          .n_children = static_cast<std::int64_t>(columns.size()),
          .buffers = all->buffers.data(),
          .children = all->pointers.data(),
          .dictionary = nullptr,
          .release = release<ArrayMemory, ArrowArray>,
          .private_data = all.get()};
  static_cast<void>(all.release());
}

}  // namespace trikal::capi
