#pragma once
// The store that samples and events go into, each from a thread of its own. When it fails once nothing more is stored.

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "store/store.hpp"

namespace trikal::watch {

class SharedStore {
 public:
  struct Failure {
    Error error;
    std::string message;
  };

  explicit SharedStore(std::unique_ptr<storage::Store> store) : store_(std::move(store)) {}

  // What `use` does to the store, a Status. False: there is none, or not any more.
  template <class Use>
  bool with(const Use& use) {
    const std::lock_guard lock(mutex_);
    if (store_ == nullptr) return false;
    const Status status = use(*store_);
    if (status.ok()) return true;
    failure_ = Failure{status.error(), store_->message()};
    store_.reset();
    return false;
  }
  [[nodiscard]] bool is_open() {
    const std::lock_guard lock(mutex_);
    return store_ != nullptr;
  }
  // Why nothing is stored any more, once.
  [[nodiscard]] std::optional<Failure> take_failure() {
    const std::lock_guard lock(mutex_);
    return std::exchange(failure_, std::nullopt);
  }
  void close() {
    const std::lock_guard lock(mutex_);
    store_.reset();
  }

 private:
  std::mutex mutex_;
  std::unique_ptr<storage::Store> store_;
  std::optional<Failure> failure_;
};

}  // namespace trikal::watch
