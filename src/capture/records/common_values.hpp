#pragma once
// Which values (access sizes, strides) are most common, while the program runs. The record's own four slots are
// enough until a fifth value comes; then up to 32 are followed in a table of the crash map, and later ones are not.
// Zero is followed but never shown.

#include <cstddef>
#include <cstdint>

#include "capture/records/value_tables.hpp"

namespace trikal::capture {

class CommonValues {
 public:
  // `values` and `counts` are the four slots each of the record that `of` names. Called under the record's lock.
  void count(std::int64_t value, std::int64_t* values, std::int64_t* counts, const ValuesOf& of) noexcept {
    if (!count_known(value, values, counts)) count_slowly(value, values, counts, of);
  }
  // Whether it could be counted without looking around: the value is zero, or the most common one so far.
  [[nodiscard]] bool count_known(std::int64_t value, const std::int64_t* values, std::int64_t* counts) noexcept {
    if (more_ != nullptr) [[unlikely]]
      return false;
    if (value == 0) return ++zeros_, true;
    if (value != values[0]) return false;
    ++counts[0];
    return true;
  }
  // What count_known did not count.
  void count_slowly(std::int64_t value, std::int64_t* values, std::int64_t* counts, const ValuesOf& of) noexcept;
  // So many zeros at once.
  void count_zeros(std::int64_t count) noexcept { zeros_ += static_cast<std::uint32_t>(count); }

 private:
  using Table = log::crash::ValuesSlot<1>;
  bool start_table(const std::int64_t* values, const std::int64_t* counts, const ValuesOf& of) noexcept;
  [[nodiscard]] std::int64_t count_in_table(std::int64_t value) noexcept;

  Table* more_ = nullptr;
  std::uint32_t zeros_ = 0;
};

}  // namespace trikal::capture
