#pragma once
// Accesses of one file that are alike (same size, same direction, no gap) come in long runs. A run counts them in a few
// words side by side; most counters of the record follow from how many there were. It is added to the record when
// something else happens to the file, and by whoever reads the record before that: sums are kept as they were before the
// run, so it does not matter how often. Values are unsigned where they are added: a map may hold anything.

#include "base/bytes.hpp"
#include "base/clock_calibration.hpp"
#include "modules/posix/directions.hpp"
#include "schema/labels.hpp"
#include "schema/live.hpp"

namespace trikal::modules::posix {

struct alignas(64) Run {
  RunHead head;
  std::uint64_t like = 0;  // the size and direction of each; 0: in no run
  std::int64_t alignment_mask = 0;
  Ticks lasts = 0;  // for so long from its calibration on: then the clocks are to be compared again
  Ticks start = 0;  // of the file's first access in this direction
  // As in the record, but of now, and as the counter reads.
  std::int64_t max_byte = 0;
  Ticks end = 0, time = 0, longest = 0;
  std::int64_t consecutive = 0, odd_memory = 0, odd_offset = 0;
  ClockCalibration calibration;
  // As in the record, but without the run.
  struct Before {
    std::int64_t calls = 0, bytes = 0, consecutive = 0, sequential = 0, of_class = 0, of_size = 0;
    double time = 0;
    Ticks end = 0;  // of all operations of this direction
  } before;

  [[nodiscard]] static constexpr std::uint64_t likeness(Direction direction, std::int64_t bytes) {
    return (static_cast<std::uint64_t>(bytes) << 2) | static_cast<std::uint64_t>(direction);
  }
  [[nodiscard]] Direction direction() const { return static_cast<Direction>(like & 3); }
  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(like >> 2); }
};
static_assert(offsetof(Run, head) == 0 && static_cast<std::uint64_t>(Direction::kRead) != 0);

// The words of a live record, whosever memory it lies in.
class LiveWords {
 public:
  explicit LiveWords(std::byte* record) : counters_(record + sizeof(BaseRecord)) {}
  [[nodiscard]] std::int64_t whole(std::size_t slot) const { return load<std::int64_t>(at(slot)); }
  [[nodiscard]] double real(std::size_t slot) const { return load<double>(at(slot)); }
  template <class T>
  void set(std::size_t slot, T value) {
    store(at(slot), value);
  }

 private:
  [[nodiscard]] std::byte* at(std::size_t slot) const { return counters_ + 8 * std::size_t{kLiveSlots[slot]}; }
  std::byte* counters_;
};

inline constexpr std::size_t kOddMemory = slot("POSIX_MEM_NOT_ALIGNED"), kOddOffset = slot("POSIX_FILE_NOT_ALIGNED"),
                             kFirstSizeCount = slot("POSIX_ACCESS#_COUNT");

// The run begins with what the record has; the most common size of the record must be `size`. `end` is when the last
// operation of this direction ended.
inline void begin_run(Run& run, const DirectionSlots& slots, std::byte* record, std::int64_t size, double end) {
  const LiveWords words(record);
  run.head.count = 0;
  run.start = run.calibration.ticks_at(words.real(slots.start));
  run.end = run.before.end = run.calibration.ticks_at(end);
  run.time = run.longest = 0;
  run.max_byte = words.whole(slots.max_byte);
  run.consecutive = words.whole(slots.consecutive);
  run.odd_memory = words.whole(kOddMemory), run.odd_offset = words.whole(kOddOffset);
  run.before.calls = words.whole(slots.calls), run.before.bytes = words.whole(slots.bytes);
  run.before.consecutive = run.consecutive, run.before.sequential = words.whole(slots.sequential);
  run.before.of_class = words.whole(slots.classes + size_class(size));
  run.before.of_size = words.whole(kFirstSizeCount);
  run.before.time = words.real(slots.time);
}

inline void settle_times(LiveWords& words, const DirectionSlots& slots, const Run& run) {
  words.set(slots.time, run.before.time + run.calibration.seconds_of(run.time));
  if (run.end != run.before.end) words.set(slots.end, run.calibration.seconds_at(run.end));
  const double longest = run.calibration.seconds_of(run.longest);
  if (!(longest > words.real(slots.longest))) return;
  words.set(slots.longest_size, run.size()), words.set(slots.longest, longest);
}

inline void settle_run(std::byte* record, const std::byte* from) {
  const Run run = load<Run>(from);
  if (run.direction() != Direction::kRead && run.direction() != Direction::kWrite) return;
  const DirectionSlots& slots = run.direction() == Direction::kRead ? kReading : kWriting;
  LiveWords words(record);
  const auto count = static_cast<std::uint64_t>(run.head.count), size = static_cast<std::uint64_t>(run.size());
  const auto add = [&](std::size_t slot, std::int64_t before, std::uint64_t more) {
    words.set(slot, static_cast<std::uint64_t>(before) + more);
  };
  add(slots.calls, run.before.calls, count);
  add(slots.bytes, run.before.bytes, count * size);
  add(slots.sequential, run.before.sequential,
      static_cast<std::uint64_t>(run.consecutive) - static_cast<std::uint64_t>(run.before.consecutive));
  add(slots.classes + size_class(run.size()), run.before.of_class, count);
  add(kFirstSizeCount, run.before.of_size, count);
  words.set(slots.consecutive, run.consecutive);
  words.set(slots.max_byte, run.max_byte);
  words.set(kOddMemory, run.odd_memory), words.set(kOddOffset, run.odd_offset);
  settle_times(words, slots, run);
}

inline constexpr RunForm kRunForm = {.bytes = sizeof(Run), .settle = settle_run};

}  // namespace trikal::modules::posix
