#include "modules/mpiio/capture_requests.hpp"

namespace trikal::modules::mpiio {

constinit Requests requests;

void Requests::add(const Pending& pending) noexcept {
  if (pending.request == 0) return;
  const capture::Locked locked(lock_);
  if (!locked) return;
  for (Pending& entry : entries_) {
    if (entry.request != 0 && entry.request != pending.request) continue;
    if (entry.request == 0) count_.fetch_add(1, std::memory_order_relaxed);
    entry = pending;
    return;
  }
}

bool Requests::take(MpiHandle request, Pending& pending) noexcept {
  if (request == 0) return false;
  const capture::Locked locked(lock_);
  if (!locked) return false;
  for (Pending& entry : entries_) {
    if (entry.request != request) continue;
    pending = entry;
    entry = {};
    count_.fetch_sub(1, std::memory_order_relaxed);
    return true;
  }
  return false;
}

void Requests::after_fork() noexcept {
  lock_.reset();
  for (Pending& entry : entries_) entry = {};
  count_.store(0, std::memory_order_relaxed);
}

}  // namespace trikal::modules::mpiio
