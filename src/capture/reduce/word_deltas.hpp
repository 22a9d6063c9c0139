#pragma once
// Rows of 8-byte words that resemble each other, on their way to another rank: of each row only the words in which it
// differs from the one before, and a bit for each word that says which. The first one differs from zeros.

#include <array>
#include <cstdint>

#include "capture/reduce/buffer.hpp"

namespace trikal::capture {

inline constexpr std::size_t kMostDeltaWords = 576;

class DeltaWriter {
 public:
  // `words` of a row: up to kMostDeltaWords.
  DeltaWriter(std::size_t words, Buffer& into) noexcept : words_(words), into_(into) {}

  // False: no memory.
  [[nodiscard]] bool put(std::uint64_t number, const std::byte* row) noexcept {
    const std::size_t begin = into_.size(), masks = (words_ + 63) / 64;
    if (!into_.grow(8 * (1 + masks + words_))) return false;
    std::byte* head = into_.all().data() + begin;
    store(head, number);
    std::byte* next = head + 8 * (1 + masks);
    for (std::size_t mask = 0; mask < masks; ++mask) {
      std::uint64_t differ = 0;
      const std::size_t end = words_ - 64 * mask < 64 ? words_ : 64 * (mask + 1);
      for (std::size_t i = 64 * mask; i < end; ++i) {
        const auto word = load<std::uint64_t>(row + 8 * i);
        const std::uint64_t other = word != before_[i] ? 1 : 0;
        store(next, word);
        next += 8 * other;
        differ |= other << (i % 64);
        before_[i] = word;
      }
      store(head + 8 * (1 + mask), differ);
    }
    into_.shrink(static_cast<std::size_t>(next - into_.all().data()));
    return true;
  }

 private:
  std::size_t words_;
  Buffer& into_;
  std::array<std::uint64_t, kMostDeltaWords> before_{};
};

class DeltaReader {
 public:
  explicit DeltaReader(std::size_t words) noexcept : words_(words) {}

  // Takes a row off the front of `message`, to row(). False: there is none.
  [[nodiscard]] bool next(Bytes& message, std::uint64_t& number) noexcept {
    const std::size_t masks = (words_ + 63) / 64;
    if (message.size() / 8 < 1 + masks) return false;
    number = load<std::uint64_t>(message.data());
    const std::byte* word = message.data() + 8 * (1 + masks);
    const std::byte* end = message.data() + message.size() / 8 * 8;
    for (std::size_t mask = 0; mask < masks; ++mask) {
      for (auto differ = load<std::uint64_t>(message.data() + 8 * (1 + mask)); differ != 0; differ &= differ - 1) {
        const std::size_t at = 64 * mask + static_cast<std::size_t>(__builtin_ctzll(differ));
        if (at >= words_ || word == end) return false;
        row_[at] = load<std::uint64_t>(word);
        word += 8;
      }
    }
    message = message.subspan(static_cast<std::size_t>(word - message.data()));
    return true;
  }
  [[nodiscard]] const std::byte* row() const noexcept { return reinterpret_cast<const std::byte*>(row_.data()); }

 private:
  std::size_t words_;
  std::array<std::uint64_t, kMostDeltaWords> row_{};
};

}  // namespace trikal::capture
