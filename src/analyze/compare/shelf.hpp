#pragma once
// One side's records, held so that the other side can find its counterparts. Holds no more than a budget: what
// does not fit is left for another round, by ranges of the records' hashes.
//
//   Shelf shelf(budget);
//   do { shelf.open(); add every record; shelf.seal(); take for every record of the other side; leftovers; }
//   while (shelf.more());

#include <cstdint>
#include <memory>
#include <vector>

#include "base/bytes.hpp"
#include "base/result.hpp"

namespace trikal::analyze {

struct RecordKey {
  std::uint64_t file = 0;
  std::int64_t rank = 0;
  friend auto operator<=>(const RecordKey&, const RecordKey&) = default;
};

class Shelf {
 public:
  explicit Shelf(std::uint64_t budget) : budget_(budget) {}

  void open();  // a round begins; empties the shelf
  // Only this round's records are kept. kLimit: even the smallest round does not fit.
  [[nodiscard]] Status add(RecordKey key, Bytes record);
  void seal();
  [[nodiscard]] bool more() const { return to_ != kLast; }

  // Whether the record belongs to this round (known once sealed).
  [[nodiscard]] bool covers(RecordKey key) const;
  // The first of its key that was not taken yet, in order of adding. Null data: there is none.
  [[nodiscard]] Bytes take(RecordKey key);
  // What nobody took, in order of adding.
  [[nodiscard]] std::vector<Bytes> leftovers();

 private:
  struct Entry {
    RecordKey key;
    const std::byte* at = nullptr;
    std::uint64_t size = 0;
    std::uint32_t order = 0;
    std::uint32_t taken = 0;  // in the first entry of a key: how many of that key are gone
  };
  struct Block {
    std::unique_ptr<std::byte[]> bytes;
    std::uint64_t size = 0, used = 0;
  };

  static constexpr std::uint64_t kLast = ~std::uint64_t{0};
  static constexpr std::uint64_t kBlock = std::uint64_t{1} << 20;
  // 4096 rounds at most: a log that needs more wants a larger budget.
  static constexpr std::uint64_t kNarrowest = kLast >> 12;

  [[nodiscard]] std::byte* reserve(std::uint64_t bytes);
  [[nodiscard]] bool fits(std::uint64_t more) const;
  void narrow();

  std::uint64_t budget_;
  std::uint64_t from_ = 0, to_ = kLast, width_ = kLast;
  bool started_ = false;
  std::uint64_t held_ = 0;  // bytes of all blocks
  std::vector<Block> blocks_;
  std::vector<Entry> entries_;
};

}  // namespace trikal::analyze
