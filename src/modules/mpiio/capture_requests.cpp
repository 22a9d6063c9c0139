#include "modules/mpiio/capture_requests.hpp"

#include "capture/rare.hpp"

namespace trikal::modules::mpiio {

TRIKAL_RARE constinit Requests requests;

void Requests::add(const Pending& pending) noexcept {
  if (pending.request == 0) return;
  const capture::Locked locked(lock_);
  if (!locked) return;
  for (Pending& entry : entries_) {
    if (entry.request != 0 && entry.request != pending.request) continue;
    if (entry.request == 0) count_.fetch_add(1, std::memory_order_relaxed);
    entry = pending;
    if (++last_number_ == 0) ++last_number_;
    entry.number = last_number_;
    return;
  }
}

std::uint32_t Requests::number_of(MpiHandle request) noexcept {
  if (request == 0) return 0;
  const capture::Locked locked(lock_);
  if (!locked) return 0;
  for (const Pending& entry : entries_) {
    if (entry.request == request) return entry.number;
  }
  return 0;
}

bool Requests::take(std::uint32_t number, Pending& pending) noexcept {
  const capture::Locked locked(lock_);
  if (!locked) return false;
  for (Pending& entry : entries_) {
    if (entry.request == 0 || entry.number != number) continue;
    pending = entry;
    entry = {};
    count_.fetch_sub(1, std::memory_order_relaxed);
    return true;
  }
  return false;
}

void Requests::after_fork() noexcept {
  lock_.reset();
  if (count_.load(std::memory_order_relaxed) == 0) return;
  for (Pending& entry : entries_) entry = {};
  count_.store(0, std::memory_order_relaxed);
}

}  // namespace trikal::modules::mpiio
