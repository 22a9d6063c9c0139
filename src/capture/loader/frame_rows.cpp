#include "capture/loader/frame_rows.hpp"

#include <array>

namespace trikal::capture {
namespace {

#if defined(__x86_64__)
constexpr std::uint64_t kFramePointer = 6, kStackPointer = 7, kReturnAddress = 16;
#elif defined(__aarch64__)
constexpr std::uint64_t kFramePointer = 29, kStackPointer = 31, kReturnAddress = 30;
#endif

constexpr std::uint8_t kFourBytesFromHere = 0x1b;

// What all functions of one compilation have in common.
struct Common {
  std::uint64_t code_factor = 1;
  std::int64_t data_factor = 1;
  bool has_augmentation = false, is_signal = false;
  std::uint8_t pointers = 0;  // how addresses of code are written; 0: as whole words
  FrameRule first;
};

// The instructions of one table, up to an address.
class Rows {
 public:
  Rows(const Common& common, std::uintptr_t begin, std::uintptr_t address) noexcept
      : common_(common), location_(begin), address_(address), rule_(common.first) {}

  // False: an instruction that nothing is known of. Ends where the row holds.
  bool run(TableCursor& at) noexcept;
  [[nodiscard]] const FrameRule& rule() const noexcept { return rule_; }

 private:
  static constexpr std::size_t kMostKept = 8;

  bool extended(std::uint8_t code, TableCursor& at) noexcept;
  bool frame_end(std::uint8_t code, TableCursor& at) noexcept;
  bool other_register(std::uint8_t code, TableCursor& at) noexcept;
  void save(std::uint64_t reg, std::uint64_t factored) noexcept { set(reg, scaled(factored)); }
  // Two's complement, whatever a table says.
  [[nodiscard]] std::int32_t scaled(std::uint64_t factored) const noexcept {
    return static_cast<std::int32_t>(factored * static_cast<std::uint64_t>(common_.data_factor));
  }
  void set(std::uint64_t reg, std::int32_t at) noexcept {
    if (reg == kReturnAddress) rule_.return_at = at;
    if (reg == kFramePointer) rule_.frame_at = at;
  }
  void restore(std::uint64_t reg) noexcept {
    if (reg == kReturnAddress) rule_.return_at = common_.first.return_at;
    if (reg == kFramePointer) rule_.frame_at = common_.first.frame_at;
  }
  void base(std::uint64_t reg) noexcept {
    rule_.base = reg == kStackPointer   ? FrameRule::Base::kStackPointer
                 : reg == kFramePointer ? FrameRule::Base::kFramePointer
                                        : FrameRule::Base::kUnknown;
  }
  void advance(std::uint64_t units) noexcept { location_ += units * common_.code_factor; }

  const Common& common_;
  std::uintptr_t location_, address_;
  FrameRule rule_;
  std::array<FrameRule, kMostKept> kept_{};
  std::size_t kept_count_ = 0;
};

bool Rows::run(TableCursor& at) noexcept {
  while (!at.at_end()) {
    const std::uint8_t code = at.u8();
    const std::uint8_t low = code & 0x3f;
    switch (code >> 6) {
      case 1: advance(low); break;                                                    // advance_loc
      case 2: save(low, at.unsigned_leb()); break;         // offset
      case 3: restore(low); break;                                                    // restore
      default:
        if (!extended(code, at)) return false;
    }
    if (location_ >
        address_) {  // what follows holds behind the address: the last row was right, and is undone by nobody
      return true;
    }
    if (at.failed()) return false;
  }
  return !at.failed();
}

bool Rows::extended(std::uint8_t code, TableCursor& at) noexcept {
  switch (code) {
    case 0x00: return true;                    // nop
    case 0x02: advance(at.u8()); return true;  // advance_loc1, 2, 4
    case 0x03: advance(at.u16()); return true;
    case 0x04: advance(at.u32()); return true;
    case 0x0a:  // remember_state
      if (kept_count_ == kMostKept) return false;
      kept_[kept_count_++] = rule_;
      return true;
    case 0x0b:  // restore_state
      if (kept_count_ == 0) return false;
      rule_ = kept_[--kept_count_];
      return true;
    case 0x2d: return true;                            // the return address is signed from here on (arm64)
    case 0x2e: return (void)at.unsigned_leb(), true;  // GNU_args_size
    default:
      return code >= 0x0c && code <= 0x13 && code != 0x10 && code != 0x11 ? frame_end(code, at)
                                                                          : other_register(code, at);
  }
}

// Where the frame ends.
bool Rows::frame_end(std::uint8_t code, TableCursor& at) noexcept {
  switch (code) {
    case 0x0c:  // def_cfa
      base(at.unsigned_leb());
      rule_.offset = static_cast<std::int32_t>(at.unsigned_leb());
      return true;
    case 0x0d: return base(at.unsigned_leb()), true;                                             // def_cfa_register
    case 0x0e: return rule_.offset = static_cast<std::int32_t>(at.unsigned_leb()), true;  // def_cfa_offset
    case 0x0f:  // def_cfa_expression
      rule_.base = FrameRule::Base::kUnknown;
      at.skip(at.unsigned_leb());
      return true;
    case 0x12:  // def_cfa_sf
      base(at.unsigned_leb());
      rule_.offset = scaled(static_cast<std::uint64_t>(at.signed_leb()));
      return true;
    default:  // def_cfa_offset_sf
      rule_.offset = scaled(static_cast<std::uint64_t>(at.signed_leb()));
      return true;
  }
}

// Where registers are kept; only two of them matter.
bool Rows::other_register(std::uint8_t code, TableCursor& at) noexcept {
  const std::uint64_t reg = at.unsigned_leb();
  switch (code) {
    case 0x05: save(reg, at.unsigned_leb()); return true;  // offset_extended
    case 0x06: restore(reg); return true;                                             // restore_extended
    case 0x07:  // undefined: nobody to return to
    case 0x08: set(reg, FrameRule::kNotSaved); return true;  // same_value
    case 0x11: save(reg, static_cast<std::uint64_t>(at.signed_leb())); return true;  // offset_extended_sf
    case 0x09:  // register
    case 0x14: (void)at.unsigned_leb(); break;  // val_offset
    case 0x15: (void)at.signed_leb(); break;  // val_offset_sf
    case 0x10:  // expression
    case 0x16: at.skip(at.unsigned_leb()); break;  // val_expression
    default: return false;
  }
  return reg != kReturnAddress && reg != kFramePointer;
}

// False: not written as compilers of this machine do.
bool read_augmentation(TableCursor& at, const char* marks, Common& common) noexcept {
  if (marks[0] == '\0') return true;
  if (marks[0] != 'z') return false;
  common.has_augmentation = true;
  const std::uint64_t bytes = at.unsigned_leb();
  TableCursor data = at.first(bytes);
  at.skip(bytes);
  for (const char* mark = marks + 1; *mark != '\0' && !data.failed(); ++mark) {
    if (*mark == 'R') common.pointers = data.u8();
    else if (*mark == 'L') (void)data.u8();
    else if (*mark == 'S') common.is_signal = true;
    else if (*mark == 'P') data.skip((data.u8() & 0x07) == 0x03 ? 4 : 8);
    else if (*mark != 'B') return false;  // 'B': return addresses are signed with the other key
  }
  return !data.failed();
}

bool read_common(TableCursor at, Common& common) noexcept {
  const std::uint32_t length = at.u32();
  at = at.first(length);
  const bool is_common = at.u32() == 0;
  const std::uint8_t version = at.u8();
  char marks[8] = {};
  std::size_t count = 0;
  while (count < sizeof marks && (marks[count] = static_cast<char>(at.u8())) != '\0') ++count;
  if (at.failed() || !is_common || (version != 1 && version != 3) || count == sizeof marks) return false;
  common.code_factor = at.unsigned_leb();
  common.data_factor = at.signed_leb();
  const std::uint64_t return_address = version == 1 ? at.u8() : at.unsigned_leb();
  if (return_address != kReturnAddress || !read_augmentation(at, marks, common)) return false;
  Rows rows(common, 0, UINTPTR_MAX);
  if (!rows.run(at)) return false;
  common.first = rows.rule();
  return true;
}

}  // namespace

std::uint64_t TableCursor::unsigned_leb() noexcept {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const std::uint8_t byte = u8();
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if ((byte & 0x80U) == 0) return value;
  }
  failed_ = true;
  return 0;
}

std::int64_t TableCursor::signed_leb() noexcept {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64;) {
    const std::uint8_t byte = u8();
    value |= std::uint64_t{byte & 0x7fU} << shift;
    shift += 7;
    if ((byte & 0x80U) != 0) continue;
    if (shift < 64 && (byte & 0x40U) != 0) value |= ~std::uint64_t{0} << shift;
    return static_cast<std::int64_t>(value);
  }
  failed_ = true;
  return 0;
}

FrameRule frame_row(TableCursor description, std::uintptr_t address) noexcept {
  TableCursor at = description;
  const std::uint32_t length = at.u32();
  at = at.first(length);  // of 64-bit tables, which no linker writes, the length is beyond any segment
  const std::byte* field = at.here();
  const std::uint32_t back = at.u32();
  if (at.failed() || back == 0) return {};
  Common common;
  if (!read_common(description.from(field - back), common) || common.is_signal) return {};
  std::uintptr_t begin = 0, bytes = 0;
  if (common.pointers != kFourBytesFromHere) return {};
  begin = reinterpret_cast<std::uintptr_t>(at.here());
  begin += static_cast<std::uintptr_t>(static_cast<std::intptr_t>(at.i32()));
  bytes = at.u32();
  if (at.failed() || address - begin >= bytes) return {};
  if (common.has_augmentation) at.skip(at.unsigned_leb());
  Rows rows(common, begin, address);
  return rows.run(at) ? rows.rule() : FrameRule{};
}

}  // namespace trikal::capture
