#include "capture/records/common_values.hpp"

#include <algorithm>

#include "capture/tables/private_memory.hpp"
#include "capture/tables/spin.hpp"
#include "schema/labels.hpp"

namespace trikal::capture {

struct CommonValues::Tracked {
  static constexpr std::size_t kMost = 32;
  std::size_t size = 0;
  std::int64_t values[kMost];
  std::int64_t counts[kMost];
};

namespace {

// Moves slot `i` up to where its count ranks it; ties go to the larger value.
void rise(std::size_t i, std::int64_t* values, std::int64_t* counts) noexcept {
  while (i > 0 && (counts[i - 1] < counts[i] || (counts[i - 1] == counts[i] && values[i - 1] < values[i]))) {
    std::swap(values[i - 1], values[i]);
    std::swap(counts[i - 1], counts[i]);
    --i;
  }
}

// Puts a value with its true count into the four slots, if it ranks there.
void show(std::int64_t value, std::int64_t count, std::int64_t* values, std::int64_t* counts) noexcept {
  std::size_t i = 0;
  while (i < kTopSlots && values[i] != value) ++i;
  if (i == kTopSlots) {
    i = kTopSlots - 1;
    const bool outranked = counts[i] > count || (counts[i] == count && values[i] > value);
    if (outranked) return;
    values[i] = value;
  }
  counts[i] = count;
  rise(i, values, counts);
}

template <class T>
T* take_from_pool() noexcept {
  static constinit Spin lock;
  static constinit T* pool = nullptr;
  static constinit std::size_t left = 0;
  constexpr std::size_t kAtOnce = 128;
  const Locked locked(lock);
  if (left == 0) {
    pool = static_cast<T*>(private_pages(kAtOnce * sizeof(T)));
    if (pool == nullptr) return nullptr;
    left = kAtOnce;
  }
  --left;
  return pool++;
}

}  // namespace

bool CommonValues::start_tracking(const std::int64_t* values, const std::int64_t* counts) noexcept {
  more_ = take_from_pool<Tracked>();
  if (more_ == nullptr) return false;
  if (zeros_ > 0) more_->values[0] = 0, more_->counts[0] = zeros_, more_->size = 1;
  for (std::size_t i = 0; i < kTopSlots; ++i) {
    more_->values[more_->size] = values[i];
    more_->counts[more_->size++] = counts[i];
  }
  return true;
}

void CommonValues::count_slowly(std::int64_t value, std::int64_t* values, std::int64_t* counts) noexcept {
  if (more_ == nullptr) {
    if (value == 0) {
      ++zeros_;
      return;
    }
    for (std::size_t i = 0; i < kTopSlots; ++i) {
      if (values[i] == value || values[i] == 0) {
        values[i] = value;
        ++counts[i];
        return rise(i, values, counts);
      }
    }
    if (!start_tracking(values, counts)) return;
  }
  Tracked& all = *more_;
  std::size_t i = 0;
  while (i < all.size && all.values[i] != value) ++i;
  if (i == all.size) {
    if (all.size == Tracked::kMost) return;
    all.values[all.size] = value;
    all.counts[all.size++] = 0;
  }
  const std::int64_t count = ++all.counts[i];
  if (value != 0) show(value, count, values, counts);
}

}  // namespace trikal::capture
