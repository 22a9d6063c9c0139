#include "log/read/records.hpp"

#include <algorithm>
#include <cstring>

namespace trikal::log {
namespace {

// Records of one size. Those already in the newest form are handed out where they were decompressed.
class FixedRecords final : public RecordStream {
 public:
  FixedRecords(std::unique_ptr<BlockStream> blocks, const RecordOrigin& origin)
      : RecordStream(origin), blocks_(std::move(blocks)), disk_bytes_(origin.form->head_bytes) {}

  Result<bool> next(Batch& batch) override {
    for (;;) {
      auto more = next_block();
      if (!more) return more.error();
      if (!*more) return false;
      const std::size_t count = held_ / disk_bytes_;
      if (count == 0) continue;  // a record larger than what one block brought
      std::byte* records = begin_;
      begin_ += count * disk_bytes_, held_ -= count * disk_bytes_;
      if (origin_.foreign) swap(records, count);
      batch = {.bytes = {records, count * disk_bytes_}, .count = count, .items = {}};
      if (origin_.form->upgrade != nullptr) upgrade(records, count, batch);
      records_read_ += batch.count;
      if (batch.count > 0) return true;
    }
  }

 private:
  // Puts the bytes left over in front of the next block.
  Result<bool> next_block() {
    std::byte left[Block::kHeadroom];
    if (held_ > 0) std::memcpy(left, begin_, held_);
    auto more = blocks_->next(block_);
    if (!more) return more.error();
    if (!*more) {
      leftover_ = held_;
      return false;
    }
    file_offset_ = block_.file_offset;
    begin_ = block_.data() - held_;
    if (held_ > 0) std::memcpy(begin_, left, held_);
    held_ += block_.size;
    return true;
  }

  void swap(std::byte* records, std::size_t count) const {
    if (origin_.form->swap_head == nullptr) return swap_words(records, count * disk_bytes_ / 8);
    for (std::size_t i = 0; i < count; ++i) origin_.form->swap_head(records + i * disk_bytes_);
  }

  void upgrade(const std::byte* records, std::size_t count, Batch& batch) {
    const std::size_t old_words = disk_bytes_ / 8;
    const std::size_t new_words = schema().head_bytes / 8;
    old_.resize(old_words);
    upgraded_.resize(count * new_words);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i) {
      std::memcpy(old_.data(), records + i * disk_bytes_, disk_bytes_);
      if (origin_.form->upgrade(old_.data(), upgraded_.data() + kept * new_words)) ++kept;
    }
    batch.bytes = std::as_bytes(std::span{upgraded_}.first(kept * new_words));
    batch.count = kept;
  }

  std::unique_ptr<BlockStream> blocks_;
  std::size_t disk_bytes_;
  Block block_;
  std::byte* begin_ = nullptr;
  std::size_t held_ = 0;
  std::vector<std::uint64_t> old_, upgraded_;
};

// Records whose head tells what follows. Memory grows with bytes that arrived, never with bytes announced.
class HeadedRecords : public RecordStream {
 protected:
  HeadedRecords(std::unique_ptr<BlockStream> blocks, const RecordOrigin& origin)
      : RecordStream(origin), bytes_(std::move(blocks)) {}

  // False at the end of the region.
  Result<bool> read_head(std::vector<std::byte>& head, Tail& tail) {
    head.resize(origin_.form->head_bytes);
    auto got = bytes_.read(head);
    if (!got) return got.error();
    file_offset_ = bytes_.file_offset();
    if (*got < head.size()) return ended_inside(*got);
    if (origin_.foreign) {
      if (origin_.form->swap_head != nullptr) origin_.form->swap_head(head.data());
      else swap_words(head.data(), head.size() / 8);
    }
    tail = {};
    if (origin_.form->tail == nullptr) return true;
    auto told = origin_.form->tail(head.data());
    if (!told) return here(told.error());
    tail = *told;
    return true;
  }

  // The region gave out with `held` bytes of a record at hand: damage, or just its end.
  Result<bool> ended_inside(std::size_t held) {
    const Status why = bytes_.why_short();
    if (!why) return why.error();
    leftover_ = std::max(leftover_, held);
    return false;
  }

  void swap_items(const std::byte* head, std::byte* items, std::uint64_t count, std::uint32_t item_bytes) const {
    if (!origin_.foreign) return;
    if (origin_.form->swap_items != nullptr) origin_.form->swap_items(head, items, count);
    else swap_words(items, static_cast<std::size_t>(count) * item_bytes / 8);
  }

  [[nodiscard]] Error here(Error error) const {
    error.offset = bytes_.file_offset();
    return error;
  }

  ByteReader bytes_;
};

class WholeRecords final : public HeadedRecords {
 public:
  WholeRecords(std::unique_ptr<BlockStream> blocks, const RecordOrigin& origin)
      : HeadedRecords(std::move(blocks), origin) {}

  Result<bool> next(Batch& batch) override {
    Tail tail;
    auto more = read_head(record_, tail);
    if (!more || !*more) return more;
    const std::size_t head_bytes = record_.size();
    if (tail.items > origin_.memory_limit / tail.item_bytes) {
      return here({.code = ErrorCode::kLimit, .what = "a record is larger than the limit"});
    }
    auto complete = read_tail(head_bytes + static_cast<std::size_t>(tail.items) * tail.item_bytes);
    if (!complete || !*complete) return complete;
    swap_items(record_.data(), record_.data() + head_bytes, tail.items, tail.item_bytes);
    if (origin_.form->settle != nullptr) {
      const Status settled = origin_.form->settle(record_, state_);
      if (!settled) return here(settled.error());
    }
    ++records_read_;
    batch = {.bytes = record_, .count = 1, .items = {}};
    return true;
  }

 private:
  // Until the record has `total` bytes.
  Result<bool> read_tail(std::size_t total) {
    while (record_.size() < total) {
      const std::size_t held = record_.size();
      const std::size_t step = std::min(total - held, kStep);
      make_space(held + step, total);
      record_.resize(held + step);
      auto got = bytes_.read({record_.data() + held, step});
      if (!got) return got.error();
      if (*got < step) return ended_inside(held + *got);
    }
    return true;
  }

  // Doubles like a vector, but never beyond what the record will be: the limit holds for allocations too.
  void make_space(std::size_t now, std::size_t total) {
    if (now <= record_.capacity()) return;
    record_.reserve(std::min(std::max(now, 2 * record_.capacity()), total) + kSettleSpace);
  }

  static constexpr std::size_t kStep = 1U << 20;
  static constexpr std::size_t kSettleSpace = 64;  // what an old form may need more in its newest shape

  std::vector<std::byte> record_;
  FormState state_;
};

class SlicedRecords final : public HeadedRecords {
 public:
  SlicedRecords(std::unique_ptr<BlockStream> blocks, const RecordOrigin& origin)
      : HeadedRecords(std::move(blocks), origin) {}

  Result<bool> next(Batch& batch) override {
    if (left_ == 0) {
      auto more = read_head(head_, tail_);
      if (!more || !*more) return more;
      left_ = tail_.items, done_ = 0;
      ++records_read_;
    }
    const std::uint64_t count = std::min<std::uint64_t>(left_, kItems);
    items_.resize(static_cast<std::size_t>(count) * tail_.item_bytes);
    auto got = bytes_.read(items_);
    if (!got) return got.error();
    const std::uint64_t whole = *got / tail_.item_bytes;
    if (whole < count) leftover_ = *got % tail_.item_bytes + 1, left_ = whole;
    swap_items(head_.data(), items_.data(), whole, tail_.item_bytes);
    hand_out(batch, whole);
    done_ += whole, left_ -= whole;
    batch.last = left_ == 0;
    return true;
  }

 private:
  static constexpr std::uint64_t kItems = 8192;

  void hand_out(Batch& batch, std::uint64_t whole) {
    batch = {.bytes = head_, .count = 1, .items = {}, .first_item = done_};
    if (origin_.form->widen == nullptr) {
      batch.items = Bytes{items_}.first(static_cast<std::size_t>(whole) * tail_.item_bytes);
      return;
    }
    widened_.resize(static_cast<std::size_t>(whole) * kNewestItemBytes);
    origin_.form->widen(items_.data(), whole, widened_.data());
    batch.items = widened_;
  }

  Tail tail_;
  std::uint64_t left_ = 0, done_ = 0;
  std::vector<std::byte> head_, items_, widened_;
};

}  // namespace

std::unique_ptr<RecordStream> make_record_stream(std::unique_ptr<BlockStream> blocks, const RecordOrigin& origin) {
  switch (origin.format->schema->shape) {
    case Shape::kFixed: return std::make_unique<FixedRecords>(std::move(blocks), origin);
    case Shape::kWhole: return std::make_unique<WholeRecords>(std::move(blocks), origin);
    case Shape::kSliced: return std::make_unique<SlicedRecords>(std::move(blocks), origin);
  }
  return nullptr;
}

}  // namespace trikal::log
