#pragma once
// Storage for an object that is too large for a stack that may be small, and that only one thread at a time makes.

#include <cstddef>
#include <new>
#include <utility>

namespace trikal::capture {

template <class T>
class Storage {
 public:
  template <class... A>
  [[nodiscard]] T& make(A&&... arguments) noexcept {
    return *new (bytes_) T(std::forward<A>(arguments)...);
  }

 private:
  alignas(T) std::byte bytes_[sizeof(T)] = {};
};

// Ends with its scope.
template <class T>
class Placed {
 public:
  template <class... A>
  explicit Placed(Storage<T>& storage, A&&... arguments) noexcept : it_(storage.make(std::forward<A>(arguments)...)) {}
  ~Placed() { it_.~T(); }
  Placed(const Placed&) = delete;
  Placed& operator=(const Placed&) = delete;

  [[nodiscard]] T& operator*() const noexcept { return it_; }
  [[nodiscard]] T* operator->() const noexcept { return &it_; }

 private:
  T& it_;
};

}  // namespace trikal::capture
