#pragma once
// Which values (access sizes, strides) are most common, while the program runs. The record's own four slots are
// enough until a fifth value turns up; then up to 32 are followed, and later ones are not. Zero is followed but
// never shown.

#include <cstddef>
#include <cstdint>

namespace trikal::capture {

class CommonValues {
 public:
  // `values` and `counts` are the record's four slots each. Called under the record's lock.
  void count(std::int64_t value, std::int64_t* values, std::int64_t* counts) noexcept {
    if (!count_known(value, values, counts)) count_slowly(value, values, counts);
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
  void count_slowly(std::int64_t value, std::int64_t* values, std::int64_t* counts) noexcept;
  // So many zeros at once.
  void count_zeros(std::int64_t count) noexcept { zeros_ += static_cast<std::uint32_t>(count); }
  void after_fork() noexcept { more_ = nullptr, zeros_ = 0; }

 private:
  struct Tracked;
  bool start_tracking(const std::int64_t* values, const std::int64_t* counts) noexcept;

  Tracked* more_ = nullptr;
  std::uint32_t zeros_ = 0;
};

}  // namespace trikal::capture
