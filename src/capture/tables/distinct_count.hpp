#pragma once
// How many different files there were, where no memory is left to remember them by. Each has a bit, by the hash of its name.
// The more bits are taken, the more files come to one that is: a new bit counts for as many files as it stands for on
// average. Exact for some hundreds, within a percent for a million.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace trikal::capture {

class DistinctCount {
 public:
  // How many there are, this one included.
  std::uint64_t add(std::uint64_t hash) noexcept {
    const std::uint64_t bit = hash % kBits, mask = std::uint64_t{1} << (bit % 64);
    if ((words_[bit / 64].fetch_or(mask, std::memory_order_relaxed) & mask) != 0) return files();
    const std::uint64_t taken = taken_.fetch_add(1, std::memory_order_relaxed);
    sum_.fetch_add((kBits << kFraction) / (kBits - taken), std::memory_order_relaxed);
    return files();
  }
  // In a forked child, which counts its own.
  void reset() noexcept {
    if (taken_.load(std::memory_order_relaxed) == 0) return;
    for (auto& word : words_) word.store(0, std::memory_order_relaxed);
    taken_.store(0, std::memory_order_relaxed), sum_.store(0, std::memory_order_relaxed);
  }

 private:
  static constexpr std::uint64_t kBits = std::uint64_t{1} << 18;
  static constexpr unsigned kFraction = 16;  // bits of `sum_` behind the point

  [[nodiscard]] std::uint64_t files() const noexcept { return sum_.load(std::memory_order_relaxed) >> kFraction; }

  std::atomic<std::uint64_t> taken_{0}, sum_{0};
  std::array<std::atomic<std::uint64_t>, kBits / 64> words_{};  // not touched before memory is full
};

}  // namespace trikal::capture
