#pragma once
// Tells pages that there is something new in the store.

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace trikal::serve {

class Changes {
 public:
  // `version` differs whenever something was stored; it is asked a few times a second.
  explicit Changes(std::function<std::int64_t()> version);
  ~Changes();
  Changes(const Changes&) = delete;
  Changes& operator=(const Changes&) = delete;

  // Tells all pages that nothing more will come, and waits a moment until they have drawn the last numbers and left.
  void end();

  // Server-sent events for one page; empty if there are too many that listen.
  [[nodiscard]] std::function<bool(std::string& piece)> listen();

 private:
  class Listener;
  void loop();

  std::function<std::int64_t()> version_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::int64_t seen_ = 0;  // counts changes, from 1
  bool stopping_ = false, ended_ = false;
  std::atomic<int> listeners_{0};
  std::thread thread_;
};

}  // namespace trikal::serve
