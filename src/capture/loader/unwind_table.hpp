#pragma once
// How to get from a frame of compiled code to its caller's, by the tables that compilers write for exceptions (.eh_frame with
// its index .eh_frame_hdr). Reads the object's own memory, which is as trustworthy as its code, and only inside the segment
// that holds the tables.

#include <link.h>

#include <cstddef>
#include <cstdint>

namespace trikal::capture {

// Valid at one address of code.
struct FrameRule {
  enum class Base : std::uint8_t { kUnknown, kStackPointer, kFramePointer };
  static constexpr std::int32_t kNotSaved = 1;  // no offset: what is saved lies below the frame

  Base base = Base::kUnknown;  // unknown: nobody can go on from here
  std::int32_t offset = 0;  // from that register to the end of the frame, where the caller's begins
  std::int32_t return_at = kNotSaved;  // from there, downwards: the address that the frame returns to
  std::int32_t frame_at = kNotSaved;  // and the caller's frame pointer, where the frame has saved it

  [[nodiscard]] bool leads_on() const noexcept { return base != Base::kUnknown && return_at != kNotSaved; }
};

class UnwindTable {
 public:
  UnwindTable() = default;
  explicit UnwindTable(const dl_phdr_info& info) noexcept;

  // `address` lies in the instruction in question: for a frame that has called another, one before what is returned to.
  [[nodiscard]] FrameRule rule_at(std::uintptr_t address) const noexcept;

 private:
  const std::byte* index_ = nullptr;  // .eh_frame_hdr
  const std::byte* begin_ = nullptr;  // of the segment it lies in
  const std::byte* end_ = nullptr;
};

}  // namespace trikal::capture
