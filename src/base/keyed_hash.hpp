#pragma once
// A hash for tables whose keys come out of a log. Whoever writes the log cannot aim at it: the key is drawn
// anew in every process, so no choice of ids makes a table slow. Results differ from run to run: use it to
// find things, never to order or store them.

#include <cstddef>
#include <cstdint>

namespace trikal {

class KeyedHash {
 public:
  // The process's key, drawn at the first call.
  KeyedHash() noexcept;
  KeyedHash(std::uint64_t first, std::uint64_t second) noexcept : first_(first), second_(second) {}

  // SipHash-1-3 of the value's eight bytes.
  [[nodiscard]] std::size_t operator()(std::uint64_t value) const noexcept;

 private:
  std::uint64_t first_;
  std::uint64_t second_;
};

}  // namespace trikal
