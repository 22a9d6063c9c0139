// Decompression on a thread of its own, a few blocks ahead of whoever uses them.

#include <array>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "log/read/block_stream.hpp"

namespace trikal::log {
namespace {

class ReadAhead final : public BlockStream {
 public:
  explicit ReadAhead(std::unique_ptr<BlockStream> stream)
      : stream_(std::move(stream)), thread_([this] { produce(); }) {}

  ~ReadAhead() override {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    room_.notify_one();
    thread_.join();
  }
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  Result<bool> next(Block& block) override {
    std::unique_lock lock(mutex_);
    ready_.wait(lock, [this] { return count_ > 0 || ended_; });
    if (count_ == 0) return outcome_;
    std::swap(block, ring_[first_]);
    first_ = (first_ + 1) % kBlocks;
    --count_;
    lock.unlock();
    room_.notify_one();
    return true;
  }

 private:
  static constexpr std::size_t kBlocks = 6;

  void produce() {
    Block block;
    for (;;) {
      auto more = stream_->next(block);
      std::unique_lock lock(mutex_);
      if (!more || !*more) {
        outcome_ = more;
        ended_ = true;
        lock.unlock();
        ready_.notify_one();
        return;
      }
      room_.wait(lock, [this] { return count_ < kBlocks || stop_; });
      if (stop_) return;
      std::swap(block, ring_[(first_ + count_) % kBlocks]);
      ++count_;
      lock.unlock();
      ready_.notify_one();
    }
  }

  std::unique_ptr<BlockStream> stream_;
  std::mutex mutex_;
  std::condition_variable ready_, room_;
  std::array<Block, kBlocks> ring_;
  std::size_t first_ = 0, count_ = 0;
  bool ended_ = false, stop_ = false;
  Result<bool> outcome_ = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace

std::unique_ptr<BlockStream> read_ahead(std::unique_ptr<BlockStream> stream) {
  return std::make_unique<ReadAhead>(std::move(stream));
}

}  // namespace trikal::log
