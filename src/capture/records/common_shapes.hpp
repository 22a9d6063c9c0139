#pragma once
// Which accesses of a dataset are most common, told apart by bytes and by length and stride in each dimension. The record's
// own four slots are enough until a fifth one comes; then up to 32 are followed in a table of the crash map, and later ones
// are not.

#include <array>
#include <cstddef>
#include <cstdint>

#include "capture/records/value_tables.hpp"
#include "schema/labels.hpp"
#include "schema/top_four.hpp"

namespace trikal::capture {

using ShapeWords = std::array<std::int64_t, kShapeWords>;  // bytes, lengths, strides

class CommonShapes {
 public:
  // `top` is that of the record that `of` names. Called under its lock. What has no bytes is not counted.
  void count(const ShapeWords& shape, TopFour top, const ValuesOf& of) noexcept;

 private:
  using Table = log::crash::ValuesSlot<kShapeWords>;
  [[nodiscard]] std::int64_t count_in_table(const ShapeWords& shape, TopFour top, const ValuesOf& of) noexcept;

  Table* more_ = nullptr;
};

}  // namespace trikal::capture
