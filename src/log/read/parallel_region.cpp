#include "log/read/parallel_region.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <system_error>
#include <thread>

#include "log/codec/decoder.hpp"

namespace trikal::log {
namespace {

// A stream, decompressed whole. False unless it is exactly what the index says.
bool decode_whole(const Source& source, Decoder& decoder, const StreamEntry& stream, std::vector<std::byte>& packed,
                  std::vector<std::byte>& plain) {
  packed.resize(static_cast<std::size_t>(stream.packed.length));
  plain.resize(static_cast<std::size_t>(stream.plain.length) + 1);  // one more shows a stream that is longer
  auto got = source.read_at(stream.packed.offset, packed);
  if (!got || *got < packed.size()) return false;
  decoder.begin_stream();
  std::size_t used = 0, made = 0;
  for (;;) {
    auto step = decoder.decode(Bytes{packed}.subspan(used), MutableBytes{plain}.subspan(made));
    if (!step) return false;
    used = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(used) + step->consumed);
    made += step->produced;
    const bool all = used == packed.size() && made == stream.plain.length;
    if (step->stream_end) return all;
    if (step->consumed == 0 && step->produced == 0) return false;
  }
}

class ParallelRegion final : public BlockStream {
 public:
  ParallelRegion(const Source& source, Extent extent, Codec codec, const Limits& limits,
                 std::vector<StreamEntry> streams, unsigned threads)
      : source_(source),
        extent_(extent),
        codec_(codec),
        limits_(limits),
        streams_(std::move(streams)),
        slots_(threads + 2) {
    while (threads_.size() < threads) {
      try {
        threads_.emplace_back([this] { work(); });
      } catch (const std::system_error&) {
        break;  // fewer will do
      }
    }
  }

  ~ParallelRegion() override { stop(); }
  ParallelRegion(const ParallelRegion&) = delete;
  ParallelRegion& operator=(const ParallelRegion&) = delete;

  [[nodiscard]] bool running() const { return !threads_.empty(); }

  Result<bool> next(Block& block) override {
    if (rest_ != nullptr) return rest_->next(block);
    block.allocate();
    block.size = 0;
    block.file_offset = current_ < streams_.size() ? streams_[current_].packed.offset : extent_.offset + extent_.length;
    while (block.size < Block::kCapacity && current_ < streams_.size()) {
      const Outcome outcome = wait_for(current_, block.size == 0);
      if (outcome == Outcome::kPending) break;
      if (outcome == Outcome::kUseless) {
        if (block.size > 0) break;  // it is still useless at the next call
        return read_rest(block);
      }
      copy_to(block);
    }
    return block.size > 0;
  }

 private:
  enum class Outcome : std::uint8_t { kPending, kReady, kUseless };
  struct Slot {
    Outcome outcome = Outcome::kPending;
    std::vector<std::byte> packed, plain;
  };

  void work() {
    const std::unique_ptr<Decoder> decoder = make_decoder(codec_);
    for (;;) {
      std::unique_lock lock(mutex_);
      space_.wait(lock, [this] { return stop_ || taken_ == streams_.size() || taken_ < current_ + slots_.size(); });
      if (stop_ || taken_ == streams_.size()) return;
      const std::size_t mine = taken_++;
      lock.unlock();
      Slot& slot = slots_[mine % slots_.size()];
      const bool good = decode_whole(source_, *decoder, streams_[mine], slot.packed, slot.plain);
      lock.lock();
      slot.outcome = good ? Outcome::kReady : Outcome::kUseless;
      lock.unlock();
      ready_.notify_one();
    }
  }

  Outcome wait_for(std::size_t stream, bool patiently) {
    const Slot& slot = slots_[stream % slots_.size()];
    std::unique_lock lock(mutex_);
    if (patiently) ready_.wait(lock, [&slot] { return slot.outcome != Outcome::kPending; });
    return slot.outcome;
  }

  void copy_to(Block& block) {
    const StreamEntry& stream = streams_[current_];
    Slot& slot = slots_[current_ % slots_.size()];
    const auto length = static_cast<std::size_t>(stream.plain.length);
    const std::size_t count = std::min(length - copied_, Block::kCapacity - block.size);
    if (count > 0) std::memcpy(block.data() + block.size, slot.plain.data() + copied_, count);
    block.size += count, copied_ += count;
    if (copied_ < length) return;
    copied_ = 0;
    {
      const std::lock_guard lock(mutex_);
      slot.outcome = Outcome::kPending;
      ++current_;
    }
    space_.notify_all();
  }

  // As if there had been no index: the same bytes, and the same error where there is one.
  Result<bool> read_rest(Block& block) {
    stop();
    const StreamEntry& stream = streams_[current_];
    Limits limits = limits_;
    limits.expanded -= std::min(limits.expanded, stream.plain.offset);
    const std::uint64_t end = extent_.offset + extent_.length;
    rest_ = open_region(source_, {stream.packed.offset, end - stream.packed.offset}, codec_, limits);
    return rest_->next(block);
  }

  void stop() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    space_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

  const Source& source_;
  Extent extent_;
  Codec codec_;
  Limits limits_;
  std::vector<StreamEntry> streams_;
  std::vector<Slot> slots_;
  std::mutex mutex_;
  std::condition_variable ready_, space_;
  std::size_t taken_ = 0;    // streams that a thread has begun
  std::size_t current_ = 0;  // the stream being handed out; written by the consumer alone
  std::size_t copied_ = 0;   // of it
  bool stop_ = false;
  std::unique_ptr<BlockStream> rest_;
  std::vector<std::thread> threads_;
};

}  // namespace

std::unique_ptr<BlockStream> open_parallel(const Source& source, Extent extent, Codec codec, const Limits& limits,
                                           std::vector<StreamEntry> streams, unsigned threads) {
  auto region = std::make_unique<ParallelRegion>(source, extent, codec, limits, std::move(streams), threads);
  if (!region->running()) return nullptr;
  return region;
}

}  // namespace trikal::log
