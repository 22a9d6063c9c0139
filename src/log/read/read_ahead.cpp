// Decompression on a thread of its own, a few blocks ahead of whoever uses them.

#include <array>
#include <cerrno>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

#include "log/read/block_stream.hpp"

namespace trikal::log {
namespace {

class ReadAhead final : public BlockStream {
 public:
  explicit ReadAhead(std::unique_ptr<BlockStream> stream) : stream_(std::move(stream)) {}

  // False where the system has no thread to spare: then nothing was changed.
  bool start() {
    try {
      thread_ = std::thread([this] { produce(); });
    } catch (const std::system_error&) {
      return false;
    }
    return true;
  }
  std::unique_ptr<BlockStream> give_back() { return std::move(stream_); }

  ~ReadAhead() override {
    if (!thread_.joinable()) return;
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    space_.notify_one();
    if (thread_.joinable()) thread_.join();
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
    space_.notify_one();
    return true;
  }

 private:
  static constexpr std::size_t kBlocks = 6;

  // Nothing may be thrown out of a thread: it would end the program.
  Result<bool> next_block(Block& block) noexcept {
    try {
      return stream_->next(block);
    } catch (const std::exception&) {
      return Error{.code = ErrorCode::kSystem, .sys_errno = ENOMEM, .what = "cannot decompress"};
    }
  }

  void produce() {
    Block block;
    for (;;) {
      auto more = next_block(block);
      std::unique_lock lock(mutex_);
      if (!more || !*more) {
        outcome_ = more;
        ended_ = true;
        lock.unlock();
        ready_.notify_one();
        return;
      }
      space_.wait(lock, [this] { return count_ < kBlocks || stop_; });
      if (stop_) return;
      std::swap(block, ring_[(first_ + count_) % kBlocks]);
      ++count_;
      lock.unlock();
      ready_.notify_one();
    }
  }

  std::unique_ptr<BlockStream> stream_;
  std::mutex mutex_;
  std::condition_variable ready_, space_;
  std::array<Block, kBlocks> ring_;
  std::size_t first_ = 0, count_ = 0;
  bool ended_ = false, stop_ = false;
  Result<bool> outcome_ = false;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<BlockStream> read_ahead(std::unique_ptr<BlockStream> stream) {
  auto ahead = std::make_unique<ReadAhead>(std::move(stream));
  if (!ahead->start()) return ahead->give_back();
  return ahead;
}

}  // namespace trikal::log
