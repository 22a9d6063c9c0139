#include "serve/changes.hpp"

#include <fmt/format.h>

#include <chrono>

namespace trikal::serve {
namespace {

using namespace std::chrono_literals;

constexpr int kMostListeners = 16;
constexpr auto kLook = 200ms, kWait = 500ms, kShortly = 10ms;
constexpr int kQuietWaits = 20;  // then a line that means nothing is sent: whoever went away is noticed by it

}  // namespace

// One page that listens. It is no longer counted when the server forgets the response.
class Changes::Listener {
 public:
  explicit Listener(Changes& of) : of_(of) { ++of_.listeners_; }
  ~Listener() { --of_.listeners_; }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  bool next(std::string& piece) {
    std::unique_lock lock(of_.mutex_);
    // Who was told of the end draws once more and closes the connection: that is how end() knows.
    if (said_end_) return of_.changed_.wait_for(lock, kShortly, [&] { return of_.stopping_; }), !of_.stopping_;
    const bool is_new =
        of_.changed_.wait_for(lock, kWait, [&] { return of_.stopping_ || of_.ended_ || of_.seen_ != told_; });
    if (of_.stopping_) return false;
    if (of_.ended_) return said_end_ = true, piece = "event: end\ndata:\n\n", true;
    quiet_ = is_new ? 0 : quiet_ + 1;
    if (is_new) {
      told_ = of_.seen_;
      piece = fmt::format("id: {0}\nevent: change\ndata: {0}\n\n", told_);
    } else if (quiet_ % kQuietWaits == 0) {
      piece = ":\n\n";
    }
    return true;
  }

 private:
  Changes& of_;
  std::int64_t told_ = 0;
  int quiet_ = 0;
  bool said_end_ = false;
};

Changes::Changes(std::function<std::int64_t()> version) : version_(std::move(version)), thread_([this] { loop(); }) {}

Changes::~Changes() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Changes::end() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  constexpr int kMostWaits = 100;  // a second in all: no longer for a page that hangs
  for (int i = 0; i < kMostWaits && listeners_ > 0; ++i) std::this_thread::sleep_for(10ms);
}

std::function<bool(std::string& piece)> Changes::listen() {
  if (listeners_ >= kMostListeners) return nullptr;
  return [listener = std::make_shared<Listener>(*this)](std::string& piece) { return listener->next(piece); };
}

void Changes::loop() {
  std::int64_t version = 0;
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    lock.unlock();
    const std::int64_t now = listeners_ > 0 || seen_ == 0 ? version_() : version;
    lock.lock();
    if (now != version || seen_ == 0) version = now, ++seen_, changed_.notify_all();
    changed_.wait_for(lock, kLook, [this] { return stopping_; });
  }
}

}  // namespace trikal::serve
