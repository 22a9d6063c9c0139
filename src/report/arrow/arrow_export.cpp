#include "report/arrow/arrow_export.hpp"

#include <array>

#include "base/bytes.hpp"

namespace trikal::report {
namespace {

constexpr std::string_view kMagic = "ARROW1";
constexpr std::string_view kZeros("\0\0\0\0\0\0\0\0", 8);
constexpr std::uint32_t kContinues = 0xffffffff;

template <class T>
std::string_view bytes_of(const std::vector<T>& list, std::size_t count) {
  return {reinterpret_cast<const char*>(list.data()), count * sizeof(T)};
}

std::size_t padding(std::size_t bytes) { return (8 - bytes % 8) % 8; }

// The buffers of a column in the order Arrow has them: which rows are there, offsets, values.
void add_buffers(const ColumnData& column, std::size_t rows, std::vector<std::string_view>& buffers) {
  buffers.push_back(column.missing > 0 ? bytes_of(column.present, (rows + 7) / 8) : std::string_view());
  if (column.type != CellType::kText) {
    buffers.push_back(bytes_of(column.words, rows));
  } else {
    buffers.push_back(bytes_of(column.offsets, rows + 1));
    buffers.push_back(column.text);
  }
}

std::array<char, 8> prefix(std::int32_t metadata_bytes) {
  std::array<char, 8> text{};
  store_le(reinterpret_cast<std::byte*>(text.data()), kContinues);
  store_le(reinterpret_cast<std::byte*>(text.data() + 4), static_cast<std::uint32_t>(metadata_bytes));
  return text;
}

}  // namespace

void ArrowExport::put(std::string_view bytes) {
  out_->put(bytes);
  written_ += static_cast<std::int64_t>(bytes.size());
}

void ArrowExport::put_metadata(std::string_view metadata) {
  const auto head = prefix(static_cast<std::int32_t>(metadata.size()));
  put({head.data(), head.size()});
  put(metadata);
}

void ArrowExport::put_buffer(std::string_view bytes) {
  put(bytes);
  put(kZeros.substr(0, padding(bytes.size())));
}

Status ArrowExport::begin(const log::TableInfo& table) {
  auto opened = output_.open(table.name);
  if (!opened) return opened.error();
  out_ = *opened;
  written_ = 0;
  blocks_.clear();
  if (!output_.is_stream()) put_buffer(kMagic);
  put_metadata(arrow::schema_message(table));
  return {};
}

Status ArrowExport::add(const log::TableInfo& /*table*/, const Chunk& chunk) {
  std::vector<std::string_view> buffers;
  for (const ColumnData& column : chunk.columns()) add_buffers(column, chunk.rows(), buffers);
  std::vector<arrow::BufferExtent> extents;
  std::int64_t body = 0;
  for (const std::string_view buffer : buffers) {
    extents.push_back({body, static_cast<std::int64_t>(buffer.size())});
    body += static_cast<std::int64_t>(buffer.size() + padding(buffer.size()));
  }
  const std::string metadata = arrow::batch_message(chunk, extents, body);
  blocks_.push_back({written_, static_cast<std::int32_t>(metadata.size() + 8), body});
  put_metadata(metadata);
  for (const std::string_view buffer : buffers) put_buffer(buffer);
  return out_->wanted() ? Status{} : out_->flush();
}

Status ArrowExport::end(const log::TableInfo& table) {
  put_metadata("");  // no message follows
  if (!output_.is_stream()) {
    const std::string footer = arrow::footer(table, blocks_);
    put(footer);
    std::array<char, 4> length{};
    store_le(reinterpret_cast<std::byte*>(length.data()), static_cast<std::uint32_t>(footer.size()));
    put({length.data(), length.size()});
    put(kMagic);
  }
  return output_.close();
}

}  // namespace trikal::report
