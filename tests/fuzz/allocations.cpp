#include "fuzz/allocations.hpp"

#include <sanitizer/allocator_interface.h>

namespace trikal::fuzz {
namespace {

// Threads of read-ahead allocate too.
std::atomic<bool> g_watching = false;
std::atomic<std::ptrdiff_t> g_held = 0;
std::atomic<std::ptrdiff_t> g_peak = 0;
std::atomic<std::size_t> g_largest = 0;

template <class T>
void raise_to(std::atomic<T>& most, T value) {
  T seen = most.load(std::memory_order_relaxed);
  while (seen < value && !most.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
  }
}

void on_malloc(const volatile void* /*at*/, std::size_t size) {
  if (!g_watching.load(std::memory_order_relaxed)) return;
  raise_to(g_largest, size);
  const auto bytes = static_cast<std::ptrdiff_t>(size);
  raise_to(g_peak, g_held.fetch_add(bytes, std::memory_order_relaxed) + bytes);
}

void on_free(const volatile void* at) {
  if (at == nullptr || !g_watching.load(std::memory_order_relaxed)) return;
  g_held.fetch_sub(static_cast<std::ptrdiff_t>(__sanitizer_get_allocated_size(const_cast<const void*>(at))),
                   std::memory_order_relaxed);
}

}  // namespace

Allocations::Allocations() {
  static const int kInstalled = __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
  (void)kInstalled;
  g_held = 0, g_peak = 0, g_largest = 0;
  g_watching = true;
}

Allocations::~Allocations() { g_watching = false; }

std::size_t Allocations::largest() const { return g_largest; }
std::size_t Allocations::peak() const { return static_cast<std::size_t>(g_peak.load()); }

}  // namespace trikal::fuzz
