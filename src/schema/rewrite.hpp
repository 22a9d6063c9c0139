#pragma once
// What tools that rewrite records need to know of a module beyond its table. Most modules need none of it:
// timestamps and ranks are found by their units.

#include <cstdint>
#include <vector>

#include "base/bytes.hpp"

namespace trikal {

// A common division of time for records that count things in bins of time.
struct TimeGrid {
  double width = 0;       // of a bin, in seconds; 0: nobody needs one
  double end = 0;         // all records end before
  std::int64_t bins = 0;  // of the finest record
};

struct Rewrite {
  // Sliced: the head shall say that only `items` items follow.
  void (*trim)(std::byte* head, std::uint64_t items) = nullptr;
  // Sliced: the items happened `seconds` later.
  void (*shift_items)(std::byte* items, std::uint64_t count, double seconds) = nullptr;

  // Whole: the record counts in bins of time. First every record, `seconds` later, widens the grid; then each
  // is put on it.
  void (*survey)(Bytes record, double seconds, TimeGrid& grid) = nullptr;
  void (*rebin)(std::vector<std::byte>& record, double seconds, const TimeGrid& grid) = nullptr;

  // Whole: a record that stands for the whole log rather than for a rank; of several logs the first one's stays.
  bool (*whole_job)(const std::byte* record) = nullptr;

  // Whole: only 64-bit counts follow the head, which say the same of every rank's record: they add up.
  bool counts_follow = false;

  // All ranks say the same of a file, so that any one record stands for all.
  bool alike = false;
};

}  // namespace trikal
