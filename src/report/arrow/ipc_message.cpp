#include "report/arrow/ipc_message.hpp"

#include <flatbuffers/flatbuffers.h>

#include <bit>

#include "report/tables.hpp"

namespace trikal::report::arrow {
namespace {

using flatbuffers::FlatBufferBuilder;
using flatbuffers::Offset;
template <class T>
using Vector = flatbuffers::Offset<flatbuffers::Vector<T>>;
struct Table {};  // flatbuffers wants a type; which table it is, is told by where it is put

// A field's number in its table becomes its offset in the table's index.
constexpr flatbuffers::voffset_t offset_of(int field) { return static_cast<flatbuffers::voffset_t>(4 + 2 * field); }

// Numbers of Arrow's own schema files (Schema.fbs, Message.fbs, File.fbs).
constexpr std::int16_t kVersion5 = 4;
constexpr std::int16_t kDouble = 2;
enum TypeTag : std::uint8_t { kIntTag = 2, kFloatTag = 3, kUtf8Tag = 5 };
enum HeaderTag : std::uint8_t { kSchemaTag = 1, kBatchTag = 3 };
enum IntField { kBitWidth, kIsSigned };
enum FloatField { kPrecision };
enum PairField { kKey, kValue };
enum FieldField { kName, kNullable, kTypeTag, kType, kDictionary, kChildren, kFieldMetadata };
enum SchemaField { kEndianness, kFields, kSchemaMetadata };
enum BatchField { kLength, kNodes, kBuffers };
enum MessageField { kVersion, kHeaderTag, kHeader, kBodyLength };
enum FooterField { kFooterVersion, kFooterSchema, kDictionaries, kBatches };

// Structs lie in vectors as they are.
struct FieldNode {
  std::int64_t length, nulls;
};
struct Block {
  std::int64_t offset;
  std::int32_t metadata_bytes, padding;
  std::int64_t body_bytes;
};
static_assert(sizeof(FieldNode) == 16 && sizeof(BufferExtent) == 16 && sizeof(Block) == 24);

template <class Struct>
flatbuffers::uoffset_t add_structs(FlatBufferBuilder& fbb, const std::vector<Struct>& list) {
  fbb.StartVector(list.size() * sizeof(Struct) / alignof(Struct), alignof(Struct));
  for (auto at = list.rbegin(); at != list.rend(); ++at)
    fbb.PushBytes(reinterpret_cast<const std::uint8_t*>(&*at), sizeof(Struct));
  return fbb.EndVector(list.size());
}

Offset<Table> add_pair(FlatBufferBuilder& fbb, std::string_view key, std::string_view value) {
  const auto key_at = fbb.CreateString(key.data(), key.size());
  const auto value_at = fbb.CreateString(value.data(), value.size());
  const auto start = fbb.StartTable();
  fbb.AddOffset(offset_of(kKey), key_at);
  fbb.AddOffset(offset_of(kValue), value_at);
  return {fbb.EndTable(start)};
}

Offset<Table> add_type(FlatBufferBuilder& fbb, CellType type) {
  const auto start = fbb.StartTable();
  if (type == CellType::kI64 || type == CellType::kU64) {
    fbb.AddElement<std::int32_t>(offset_of(kBitWidth), 64, 0);
    fbb.AddElement<std::uint8_t>(offset_of(kIsSigned), type == CellType::kI64 ? 1 : 0, 0);
  } else if (type == CellType::kF64) {
    fbb.AddElement<std::int16_t>(offset_of(kPrecision), kDouble, 0);
  }
  return {fbb.EndTable(start)};
}

std::uint8_t tag_of(CellType type) {
  return type == CellType::kText ? kUtf8Tag : type == CellType::kF64 ? kFloatTag : kIntTag;
}

Offset<Table> add_field(FlatBufferBuilder& fbb, const log::ColumnInfo& column) {
  const auto name = fbb.CreateString(column.name);
  const auto type = add_type(fbb, column.type);
  const auto children = fbb.CreateVector(std::vector<Offset<Table>>{});
  std::vector<Offset<Table>> pairs;
  const std::string_view unit = unit_name(column.unit);
  if (!unit.empty()) pairs.push_back(add_pair(fbb, "unit", unit));
  if (!column.help.empty()) pairs.push_back(add_pair(fbb, "help", column.help));
  const auto metadata = fbb.CreateVector(pairs);
  const auto start = fbb.StartTable();
  fbb.AddOffset(offset_of(kName), name);
  fbb.AddElement<std::uint8_t>(offset_of(kNullable), column.nullable ? 1 : 0, 0);
  fbb.AddElement<std::uint8_t>(offset_of(kTypeTag), tag_of(column.type), 0);
  fbb.AddOffset(offset_of(kType), type);
  fbb.AddOffset(offset_of(kChildren), children);
  fbb.AddOffset(offset_of(kFieldMetadata), metadata);
  return {fbb.EndTable(start)};
}

Offset<Table> add_schema(FlatBufferBuilder& fbb, const log::TableInfo& table) {
  std::vector<Offset<Table>> fields;
  fields.reserve(table.columns.size());
  for (const log::ColumnInfo& column : table.columns) fields.push_back(add_field(fbb, column));
  const auto field_list = fbb.CreateVector(fields);
  const std::vector<Offset<Table>> pairs = {add_pair(fbb, "trikal_export", std::to_string(kExportVersion)),
                                            add_pair(fbb, "table", table.name), add_pair(fbb, "help", table.help)};
  const auto metadata = fbb.CreateVector(pairs);
  const auto start = fbb.StartTable();
  fbb.AddElement<std::int16_t>(offset_of(kEndianness), std::endian::native == std::endian::little ? 0 : 1, 0);
  fbb.AddOffset(offset_of(kFields), field_list);
  fbb.AddOffset(offset_of(kSchemaMetadata), metadata);
  return {fbb.EndTable(start)};
}

std::string finished(FlatBufferBuilder& fbb, Offset<Table> root) {
  fbb.Finish(root);
  std::string bytes(reinterpret_cast<const char*>(fbb.GetBufferPointer()), fbb.GetSize());
  bytes.resize((bytes.size() + 7) / 8 * 8);
  return bytes;
}

std::string message(FlatBufferBuilder& fbb, HeaderTag tag, Offset<Table> header, std::int64_t body_bytes) {
  const auto start = fbb.StartTable();
  fbb.AddElement<std::int16_t>(offset_of(kVersion), kVersion5, 0);
  fbb.AddElement<std::uint8_t>(offset_of(kHeaderTag), tag, 0);
  fbb.AddOffset(offset_of(kHeader), header);
  fbb.AddElement<std::int64_t>(offset_of(kBodyLength), body_bytes, 0);
  return finished(fbb, {fbb.EndTable(start)});
}

}  // namespace

std::string schema_message(const log::TableInfo& table) {
  FlatBufferBuilder fbb;
  return message(fbb, kSchemaTag, add_schema(fbb, table), 0);
}

std::string batch_message(const Chunk& chunk, const std::vector<BufferExtent>& buffers, std::int64_t body_bytes) {
  FlatBufferBuilder fbb;
  std::vector<FieldNode> nodes;
  for (const ColumnData& column : chunk.columns()) {
    nodes.push_back({static_cast<std::int64_t>(chunk.rows()), static_cast<std::int64_t>(column.missing)});
  }
  const auto node_list = add_structs(fbb, nodes);
  const auto buffer_list = add_structs(fbb, buffers);
  const auto start = fbb.StartTable();
  fbb.AddElement<std::int64_t>(offset_of(kLength), static_cast<std::int64_t>(chunk.rows()), 0);
  fbb.AddOffset(offset_of(kNodes), Vector<FieldNode>(node_list));
  fbb.AddOffset(offset_of(kBuffers), Vector<BufferExtent>(buffer_list));
  return message(fbb, kBatchTag, {fbb.EndTable(start)}, body_bytes);
}

std::string footer(const log::TableInfo& table, const std::vector<BlockExtent>& blocks) {
  FlatBufferBuilder fbb;
  const auto schema = add_schema(fbb, table);
  std::vector<Block> list;
  list.reserve(blocks.size());
  for (const BlockExtent& block : blocks) list.push_back({block.offset, block.metadata_bytes, 0, block.body_bytes});
  const auto batches = add_structs(fbb, list);
  const auto start = fbb.StartTable();
  fbb.AddElement<std::int16_t>(offset_of(kFooterVersion), kVersion5, 0);
  fbb.AddOffset(offset_of(kFooterSchema), schema);
  fbb.AddOffset(offset_of(kBatches), Vector<Block>(batches));
  return finished(fbb, {fbb.EndTable(start)});
}

}  // namespace trikal::report::arrow
