// What kinds of work take on this machine: a short loop of each.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <numeric>

#include "predict/system/profile.hpp"

namespace trikal::predict {
namespace {

using analyze::Work;
using Clock = std::chrono::steady_clock;

// Keeps a value, and what leads to it, from being optimised away.
template <class T>
void keep(T& value) {
  asm volatile("" : "+g"(value) : : "memory");
}

double seconds_of(const std::function<void()>& body) {
  double best = 1e9;
  for (int round = 0; round < 3; ++round) {
    const auto begin = Clock::now();
    body();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - begin).count());
  }
  return best;
}

// Six plain instructions per iteration, as a compiler's intermediate code counts them.
double arithmetic(std::size_t n) {
  return seconds_of([n] {
           std::uint64_t a = 1, b = 2;
           for (std::size_t i = 0; i < n; ++i) {
             a = (a << 1U) ^ b, b += i;
             keep(a);
           }
         }) /
         static_cast<double>(6 * n);
}

double real(std::size_t n) {
  return seconds_of([n] {
           double a = 1;
           for (std::size_t i = 0; i < n; ++i) {
             a = a * 0.999 + 0.5;
             keep(a);
           }
         }) /
         static_cast<double>(2 * n);
}

double divide(std::size_t n) {
  return seconds_of([n] {
           double a = 1e9;
           for (std::size_t i = 0; i < n; ++i) {
             a = 1e9 / a + 1;
             keep(a);
           }
         }) /
         static_cast<double>(n);
}

// Along a ring of indices that is larger than most caches.
double indirect(std::size_t n) {
  std::vector<std::uint32_t> next(1 << 20);
  std::iota(next.begin(), next.end(), 0);
  std::uint32_t seed = 1;
  for (std::size_t i = next.size() - 1; i > 0; --i) {  // one cycle through all of it
    seed = seed * 1664525 + 1013904223;
    std::swap(next[i], next[seed % i]);
  }
  return seconds_of([&] {
           std::uint32_t at = 0;
           for (std::size_t i = 0; i < n; ++i) at = next[at];
           keep(at);
         }) /
         static_cast<double>(n) / 4;  // programs have several under way at once
}

double choice(std::size_t n) {
  std::vector<std::uint8_t> coin(1 << 16);
  std::uint32_t seed = 1;
  for (std::uint8_t& one : coin) seed = seed * 1664525 + 1013904223, one = static_cast<std::uint8_t>(seed >> 31U);
  return seconds_of([&] {
           std::uint64_t heads = 0;
           for (std::size_t i = 0; i < n; ++i)
             if (coin[i & 0xffff] != 0) {
               ++heads;
               keep(heads);
             }
         }) /
         static_cast<double>(n);
}

double tight(std::size_t n) {
  std::vector<double> a(4096, 1), b(4096, 2);
  return seconds_of([&] {
           for (std::size_t k = 0; k < n / a.size() + 1; ++k) {
             for (std::size_t i = 0; i < a.size(); ++i) a[i] = 0.5 * a[i] + b[i];
             keep(a[0]);
           }
         }) /
         static_cast<double>(10 * n);
}

double math(std::size_t n) {
  return seconds_of([n] {
           double a = 0.5;
           for (std::size_t i = 0; i < n; ++i) {
             a = std::exp(-a) + std::sin(a);
             keep(a);
           }
         }) /
         static_cast<double>(2 * n);
}

double text(std::size_t n) {
  return seconds_of([n] {
           char digits[32];
           for (std::size_t i = 0; i < n; ++i) (void)std::snprintf(digits, sizeof digits, "%zu", i);
         }) /
         static_cast<double>(n);
}

double allocate(std::size_t n) {
  return seconds_of([n] {
           for (std::size_t i = 0; i < n; ++i) {
             void* some = std::malloc(64);
             keep(some);
             std::free(some);
           }
         }) /
         static_cast<double>(2 * n);
}

double touched_bytes() {
  constexpr std::size_t kBytes = 16 << 20;
  return seconds_of([] {
           auto* some = static_cast<char*>(std::malloc(kBytes));
           for (std::size_t i = 0; some != nullptr && i < kBytes; i += 4096) some[i] = 1;
           keep(some);
           std::free(some);
         }) /
         kBytes;
}

double moved_bytes() {
  std::vector<char> a(4 << 20, 1), b(4 << 20);
  return seconds_of([&] {
           std::memcpy(b.data(), a.data(), a.size());
           keep(b[0]);
         }) /
         static_cast<double>(a.size());
}

double sorted(std::size_t n) {
  std::vector<int> all(n);
  return seconds_of([&] {
           std::uint32_t seed = 1;
           for (int& one : all) seed = seed * 1664525 + 1013904223, one = static_cast<int>(seed >> 1U);
           std::qsort(all.data(), all.size(), sizeof(int), [](const void* a, const void* b) {
             return *static_cast<const int*>(a) < *static_cast<const int*>(b) ? -1 : 1;
           });
         }) /
         (static_cast<double>(n) * std::log2(static_cast<double>(n)));
}

}  // namespace

std::vector<double> measure_work(bool quick) {
  const std::size_t n = quick ? 100'000 : 2'000'000;
  std::vector<double> cost(analyze::kWorkKinds, 1e-9);
  const auto set = [&](Work work, double seconds) { cost[static_cast<std::size_t>(work)] = std::max(1e-13, seconds); };
  const double plain = arithmetic(n);
  set(Work::kArithmetic, plain);
  set(Work::kReal, real(n));
  set(Work::kDivide, divide(n));
  set(Work::kMemory, plain);
  set(Work::kIndirect, indirect(n));
  set(Work::kChoice, choice(n));
  set(Work::kTight, tight(n));
  set(Work::kCall, 4 * plain);
  set(Work::kLibrary, 20 * plain);
  set(Work::kMath, math(n / 10));
  set(Work::kText, text(n / 20));
  set(Work::kAllocate, allocate(n / 10));
  set(Work::kHeapBytes, touched_bytes());
  set(Work::kMovedBytes, moved_bytes());
  set(Work::kSorted, sorted(n / 10));
  set(Work::kMessage, 2e-6);  // not measured: MPI is not there to be asked
  set(Work::kStart, 50e-3);
  set(Work::kFar, plain);
  set(Work::kStreamCall, 40 * plain);
  set(Work::kStreamText, text(n / 20));
  set(Work::kFortranText, text(n / 20));
  set(Work::kChain, real(n));
  set(Work::kFarIndirect, indirect(n));
  return cost;
}

}  // namespace trikal::predict
