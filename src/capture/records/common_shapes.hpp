#pragma once
// Which accesses of a dataset are most common, told apart by bytes and by length and stride in each dimension. The record's
// own four places are enough until a fifth turns up; then up to 32 are followed, and later ones are not.

#include <array>
#include <cstddef>
#include <cstdint>

#include "schema/labels.hpp"
#include "schema/top_four.hpp"

namespace trikal::capture {

using ShapeWords = std::array<std::int64_t, kShapeWords>;  // bytes, lengths, strides

class CommonShapes {
 public:
  // `top` is the record's. Called under its lock. What has no bytes is not counted.
  void count(const ShapeWords& shape, TopFour top) noexcept;

 private:
  struct Tracked;
  [[nodiscard]] std::int64_t count_tracked(const ShapeWords& shape, TopFour top) noexcept;

  Tracked* more_ = nullptr;
};

}  // namespace trikal::capture
