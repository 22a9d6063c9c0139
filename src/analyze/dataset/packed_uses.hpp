#pragma once
// Uses of many files in little memory. A file is seldom read and written, aligned and misaligned, through collective and
// independent calls: most of what a use can tell is zero, and zeros are not kept.

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "analyze/dataset/use.hpp"

namespace trikal::analyze {

class PackedUses {
 public:
  // Memory to unpack one use after the other: what the next does not have needs to be cleared only where the last had it.
  class Unpacked {
   public:
    [[nodiscard]] const Use& use() const { return use_; }

   private:
    friend class PackedUses;
    Use use_;
    std::uint64_t low_ = ~std::uint64_t{0}, high_ = ~std::uint64_t{0};  // words that may not be zero
  };

  [[nodiscard]] std::size_t size() const { return begins_.size(); }
  std::uint32_t add(const Use& use);
  void replace(std::uint32_t at, const Use& use);
  void get(std::uint32_t at, Unpacked& unpacked) const;
  [[nodiscard]] Use get(std::uint32_t at) const;
  [[nodiscard]] std::size_t bytes() const;  // memory it takes

 private:
  [[nodiscard]] std::uint64_t reserve(std::uint32_t words);
  [[nodiscard]] std::uint64_t* at(std::uint64_t word) const;

  std::vector<std::unique_ptr<std::uint64_t[]>> chunks_;
  std::uint64_t end_ = 0;  // the first word that is free
  std::deque<std::uint64_t> begins_;  // the word each begins at
};

}  // namespace trikal::analyze
