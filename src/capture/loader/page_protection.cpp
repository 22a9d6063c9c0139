#include "capture/loader/page_protection.hpp"

#include <fcntl.h>
#include <sys/mman.h>

#include <cstddef>

#include "capture/rare.hpp"
#include "capture/raw.hpp"

namespace trikal::capture {
namespace {

// Reads "7f12a000-7f12c000 r--p ..." line by line, a character at a time: lines may be longer than any buffer.
class Lines {
 public:
  explicit Lines(std::uintptr_t wanted) noexcept : wanted_(wanted) {}

  // True: the line of the address has been read as far as it is needed.
  bool take(char c) noexcept {
    if (c == '\n') {
      at_ = At::kBegin, begin_ = end_ = 0, protection_ = 0;
      return false;
    }
    switch (at_) {
      case At::kBegin: return c == '-' ? void(at_ = At::kEnd) : add(begin_, c), false;
      case At::kEnd: return c == ' ' ? void(at_ = At::kFlags) : add(end_, c), false;
      case At::kFlags: return flag(c);
      case At::kRest: break;
    }
    return false;
  }
  [[nodiscard]] int protection() const noexcept { return protection_; }

 private:
  enum class At : std::uint8_t { kBegin, kEnd, kFlags, kRest };

  static void add(std::uintptr_t& number, char c) noexcept {
    number = 16 * number + static_cast<std::uintptr_t>(c <= '9' ? c - '0' : c - 'a' + 10);
  }
  bool flag(char c) noexcept {
    if (c == 'r') protection_ |= PROT_READ;
    if (c == 'w') protection_ |= PROT_WRITE;
    if (c == 'x') protection_ |= PROT_EXEC;
    if (c != 'p' && c != 's') return false;
    at_ = At::kRest;
    return wanted_ >= begin_ && wanted_ < end_;
  }

  std::uintptr_t wanted_, begin_ = 0, end_ = 0;
  int protection_ = 0;
  At at_ = At::kBegin;
};

}  // namespace

int protection_of(std::uintptr_t address) noexcept {
  TRIKAL_RARE static constinit char buffer[4096];
  const long file = raw_syscall(__NR_openat, AT_FDCWD, raw_pointer("/proc/self/maps"), O_RDONLY | O_CLOEXEC);
  if (file < 0) return kUnknownProtection;
  Lines lines(address);
  int found = kUnknownProtection;
  for (long got = 1; got > 0 && found == kUnknownProtection;) {
    got = raw_syscall(__NR_read, file, raw_pointer(buffer), sizeof buffer);
    for (long i = 0; i < got && found == kUnknownProtection; ++i) {
      if (lines.take(buffer[i])) found = lines.protection();
    }
  }
  (void)raw_syscall(__NR_close, file);
  return found;
}

}  // namespace trikal::capture
