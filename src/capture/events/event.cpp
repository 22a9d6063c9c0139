#include "capture/events/event.hpp"

#include <atomic>

namespace trikal::capture {

constinit bool every_event_is_heard = false;
constinit thread_local Tally tallies[kFlows];
constinit thread_local Tally tallies_of_heard[kFlows];

namespace {

constinit std::atomic<std::uint32_t> threads{0};
constinit thread_local std::uint32_t number = 0;  // 0: none yet

}  // namespace

std::uint32_t thread_number() noexcept {
  if (number == 0) [[unlikely]]
    number = threads.fetch_add(1, std::memory_order_relaxed) + 1;
  return number - 1;
}

}  // namespace trikal::capture
