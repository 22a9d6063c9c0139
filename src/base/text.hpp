#pragma once
// Text put together in a fixed buffer, always terminated. For code that may not allocate.

#include <cstddef>
#include <cstring>
#include <string_view>

#include "base/decimal.hpp"

namespace trikal {

// Parts of a text. substr would do, but it refers to the C++ library for the case that cannot happen.
[[nodiscard]] constexpr std::string_view text_until(std::string_view text, std::size_t end) noexcept {
  return {text.data(), end < text.size() ? end : text.size()};
}
[[nodiscard]] constexpr std::string_view text_after(std::string_view text, std::size_t begin) noexcept {
  if (begin > text.size()) begin = text.size();
  return {text.data() + begin, text.size() - begin};
}

class FixedText {
 public:
  FixedText(char* out, std::size_t capacity) noexcept : begin_(out), at_(out), end_(out + capacity - 1) { *at_ = '\0'; }

  FixedText& put(std::string_view text) noexcept {
    if (static_cast<std::size_t>(end_ - at_) < text.size()) {
      whole_ = false;
      return *this;
    }
    std::memcpy(at_, text.data(), text.size());
    at_ += text.size();
    *at_ = '\0';
    return *this;
  }
  FixedText& put(std::uint64_t number) noexcept {
    char digits[kMaxIntegerText];
    return put({digits, static_cast<std::size_t>(write_uint(digits, number) - digits)});
  }

  // False once something did not fit.
  [[nodiscard]] bool whole() const noexcept { return whole_; }
  [[nodiscard]] std::string_view text() const noexcept { return {begin_, static_cast<std::size_t>(at_ - begin_)}; }

 private:
  char *begin_, *at_, *end_;
  bool whole_ = true;
};

}  // namespace trikal
