#pragma once
// The entries of .eh_frame, as the psABI and DWARF describe them: one function's rows, of which one holds at an address.

#include <cstdint>
#include <cstring>

#include "capture/loader/unwind_table.hpp"

namespace trikal::capture {

// Reads forward, and nothing outside of one segment. Once it has failed, all that it reads is zero.
class TableCursor {
 public:
  TableCursor(const std::byte* at, const std::byte* begin, const std::byte* end) noexcept
      : at_(at), begin_(begin), end_(end), failed_(at == nullptr || at < begin || at > end) {}

  [[nodiscard]] std::uint8_t u8() noexcept { return load<std::uint8_t>(); }
  [[nodiscard]] std::uint16_t u16() noexcept { return load<std::uint16_t>(); }
  [[nodiscard]] std::uint32_t u32() noexcept { return load<std::uint32_t>(); }
  [[nodiscard]] std::int32_t i32() noexcept { return load<std::int32_t>(); }
  [[nodiscard]] std::uint64_t unsigned_leb() noexcept;
  [[nodiscard]] std::int64_t signed_leb() noexcept;
  void skip(std::uint64_t bytes) noexcept {
    if (failed_ || bytes > static_cast<std::uint64_t>(end_ - at_)) failed_ = true;
    else at_ += bytes;
  }

  [[nodiscard]] const std::byte* here() const noexcept { return at_; }
  [[nodiscard]] bool failed() const noexcept { return failed_; }
  // The same segment, elsewhere; and no further than `bytes`, for an entry that says how long it is.
  [[nodiscard]] TableCursor from(const std::byte* at) const noexcept { return {at, begin_, end_}; }
  [[nodiscard]] TableCursor first(std::uint64_t bytes) const noexcept {
    TableCursor part = *this;
    if (failed_ || bytes > static_cast<std::uint64_t>(end_ - at_)) part.failed_ = true;
    else part.end_ = at_ + bytes;
    return part;
  }
  [[nodiscard]] bool at_end() const noexcept { return failed_ || at_ == end_; }

 private:
  template <class T>
  T load() noexcept {
    T value{};
    if (failed_ || static_cast<std::size_t>(end_ - at_) < sizeof(T)) return failed_ = true, value;
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return value;
  }

  const std::byte* at_;
  const std::byte* begin_;
  const std::byte* end_;
  bool failed_;
};

// The row of the function that `description` begins to describe; unknown where the address is not in that function.
[[nodiscard]] FrameRule frame_row(TableCursor description, std::uintptr_t address) noexcept;

}  // namespace trikal::capture
