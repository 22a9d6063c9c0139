#pragma once
// What was asked of the allocator while an object of this kind lives: the largest single request, and the most
// that was held at once. Needs the address sanitizer; one at a time.

#include <atomic>
#include <cstddef>

namespace trikal::fuzz {

class Allocations {
 public:
  Allocations();
  ~Allocations();
  Allocations(const Allocations&) = delete;
  Allocations& operator=(const Allocations&) = delete;

  [[nodiscard]] std::size_t largest() const;
  [[nodiscard]] std::size_t peak() const;
};

}  // namespace trikal::fuzz
