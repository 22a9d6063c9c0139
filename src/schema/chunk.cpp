#include "schema/chunk.hpp"

#include <bit>
#include <limits>

#include "base/utf8.hpp"

namespace trikal {

void Chunk::reset(std::span<const CellType> types, Text text) {
  columns_.resize(types.size());
  for (std::size_t i = 0; i < types.size(); ++i) {
    ColumnData& data = columns_[i];
    data.type = types[i];
    data.words.clear();
    data.offsets.assign(1, 0);
    data.text.clear();
    data.present.clear();
    data.missing = 0;
  }
  text_bytes_ = 0;
  text_ = text;
  overflowed_ = false;
}

std::uint64_t* Chunk::add_words(std::size_t column, std::size_t rows) {
  std::vector<std::uint64_t>& words = columns_[column].words;
  const std::size_t held = words.size();
  words.resize(held + rows);
  return words.data() + held;
}

void Chunk::add_real(std::size_t column, double value) { add_word(column, std::bit_cast<std::uint64_t>(value)); }

void Chunk::add_text(std::size_t column, std::string_view value) {
  ColumnData& data = columns_[column];
  const std::size_t before = data.text.size();
  if (text_ == Text::kRaw) data.text += value;
  else append_utf8(data.text, value);
  if (data.text.size() > std::numeric_limits<std::int32_t>::max()) {
    overflowed_ = true;
    data.text.resize(before);
  }
  text_bytes_ += data.text.size() - before;
  mark(data, true);
  data.offsets.push_back(static_cast<std::int32_t>(data.text.size()));
}

void Chunk::add_missing(std::size_t column) {
  ColumnData& data = columns_[column];
  ++data.missing;
  mark(data, false);
  data.offsets.push_back(static_cast<std::int32_t>(data.text.size()));
}

// Before the row itself is added. The bitmap begins with the first row that has no value.
void Chunk::mark(ColumnData& data, bool there) {
  if (data.missing == 0) return;
  const std::size_t row = data.rows();
  data.present.resize(row / 8 + 1, data.present.empty() ? std::uint8_t{0xff} : std::uint8_t{0});
  const auto bit = static_cast<std::uint8_t>(1U << (row % 8));
  std::uint8_t& byte = data.present[row / 8];
  byte = static_cast<std::uint8_t>(there ? byte | bit : byte & ~bit);
}

}  // namespace trikal
