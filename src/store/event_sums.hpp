#pragma once
// Sums over events, in groups that whoever asks chooses.

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "store/size_histogram.hpp"
#include "stream/wire/batch.hpp"

namespace trikal::storage {

struct StoredEvent;

enum class EventBy : std::uint8_t { kTime, kRank, kProcess, kThread, kInterface, kCall, kFile, kSite };

struct EventGrouping {
  EventGrouping() = default;
  EventGrouping(std::initializer_list<EventBy> by) {
    for (const EventBy one : by) add(one);
  }
  void add(EventBy by) { bits |= 1U << static_cast<unsigned>(by); }
  [[nodiscard]] bool has(EventBy by) const { return (bits >> static_cast<unsigned>(by) & 1) != 0; }

  unsigned bits = 0;
  stream::Nanoseconds origin = 0, width = stream::kSecond;  // of slices of time
};

struct EventSum {
  std::uint64_t calls = 0, bytes = 0;
  std::int64_t nanoseconds = 0, longest = 0;
  SizeHistogram durations, lengths;  // lengths: of calls that moved any

  void add(std::int64_t duration, std::int64_t length);
  void add(const EventSum& more);
};

// What is not grouped by is 0 or empty.
struct EventGroup {
  stream::Nanoseconds begin = 0;  // of the slice, since 1970
  std::int64_t rank = 0, process = 0, pid = 0;  // process: its row in the store; pid: also by thread
  std::uint32_t thread = 0;
  std::string interface, call, file, object;
  std::uint64_t address = 0;
  EventSum sum;
};

class EventSums {
 public:
  explicit EventSums(const EventGrouping& grouping) : by_(grouping) {}

  // To the group that the event belongs to.
  void add(const StoredEvent& event);
  // All that belongs to the same group as the event.
  void add(const StoredEvent& event, const EventSum& sum);
  // In the order of the groups.
  [[nodiscard]] std::vector<EventGroup> take();

 private:
  using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::uint32_t, std::string, std::string,
                         std::uint64_t, std::string, std::uint64_t>;
  EventGroup& group_of(const StoredEvent& event);

  EventGrouping by_;
  std::map<Key, EventGroup> groups_;
  Key last_key_;
  EventGroup* last_ = nullptr;
};

}  // namespace trikal::storage
