#pragma once
// Sums over events, in groups that whoever asks chooses.

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
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
  bool sizes = false;  // also the longest and the histograms of each group, which take longer
};

struct EventSum {
  std::uint64_t calls = 0, bytes = 0;
  std::int64_t nanoseconds = 0, longest = 0;
  SizeHistogram durations, lengths;  // lengths: of calls that moved any

  void add(std::int64_t duration, std::int64_t length, bool sizes);
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
  // Texts by their numbers.
  struct Key {
    std::int64_t slice = 0, rank = 0, process = 0;
    std::uint32_t thread = 0, interface = 0, call = 0, object = 0;
    std::uint64_t file = 0, address = 0;
    bool operator==(const Key&) const = default;
  };
  class Texts {
   public:
    std::uint32_t number_of(std::string_view text);
    [[nodiscard]] const std::string& text_of(std::uint32_t number) const { return *texts_[number]; }
    // The position of each among all, sorted.
    [[nodiscard]] std::vector<std::uint32_t> positions() const;

   private:
    std::map<std::string, std::uint32_t, std::less<>> numbers_;
    std::vector<const std::string*> texts_;
    std::string_view last_;
    std::uint32_t last_number_ = 0;
  };
  // There may be hundreds of thousands: what is large is elsewhere, and only where it is asked for.
  struct Group {
    Key key;
    std::uint64_t hash = 0;
    std::int64_t pid = 0;
    std::uint32_t file_name = 0;
    std::uint64_t calls = 0, bytes = 0;
    std::int64_t nanoseconds = 0;
  };
  [[nodiscard]] static std::uint64_t hash_of(const Key& key);
  [[nodiscard]] Key key_of(const StoredEvent& event);
  std::size_t group_of(const StoredEvent& event);
  [[nodiscard]] std::size_t slot_of(const Key& key, std::uint64_t hash) const;
  void grow();
  [[nodiscard]] EventGroup answer(std::uint32_t number);
  [[nodiscard]] std::vector<std::uint32_t> in_order() const;

  EventGrouping by_;
  Texts interfaces_, calls_, objects_, files_;
  std::vector<std::uint32_t> slots_;  // by hash: 0, or one more than a group's number
  std::vector<Group> groups_;
  std::vector<EventSum> sizes_;  // of each group, if sizes are asked for
};

}  // namespace trikal::storage
