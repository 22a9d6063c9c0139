#pragma once
// Rules that judge reading and writing alike.

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {

struct Direction {
  Flow Use::* flow;
  Rate Baseline::* rate;
  std::string_view calls, verb, to, gerund;  // "writes", "written", "written to", "writing"
};
inline constexpr Direction kReads = {&Use::read, &Baseline::read, "reads", "read", "read of", "reading"};
inline constexpr Direction kWrites = {&Use::write, &Baseline::write, "writes", "written", "written to", "writing"};

inline constexpr Limit kSmallLimits[] = {
    {"calls", 1000, "of a file, at least"},
    {"share", 0.5, "of them below 100 KiB, at least"},
};
inline constexpr Limit kRandomLimits[] = {
    {"calls", 1000, "of a file that go backwards, at least"},
    {"share", 0.2, "of its calls, at least"},
};
inline constexpr Limit kFlushedLinesLimits[] = {
    {"calls", 1000, "writes of a file, at least"},
    {"bytes", 512, "of a write on average, at most"},
    {"share", 0.95, "of them begin where the one before ended, at least"},
};
inline constexpr Limit kStalledAccessLimits[] = {
    {"seconds", 0.1, "of the longest access, at least"},
    {"times", 20, "the mean of the file, at least"},
};
inline constexpr Limit kRepeatLimits[] = {
    {"times", 2, "the length of the file, at least"},
    {"bytes", 1024.0 * 1024, "moved, at least"},
};

// "1.00 GiB/s (the best of this run)"
[[nodiscard]] std::string rate_words(const Rate& rate);

// What the writes of a file took, syncs not among it: records add these to the time of the writes.
[[nodiscard]] double seconds_of_writes(const Run& run, const FileUse& file, const Use& use);

[[nodiscard]] double mean_of_others(const Flow& flow);  // seconds of a call, the longest apart
// Of one access that took at least so long, and so many times what the others take on average; 0: there is none.
[[nodiscard]] double stall_seconds(const Flow& flow, double least, double times);

// MPI-IO does it for its own sake (data sieving): its business, and no fault of the pattern.
[[nodiscard]] bool is_sieved(const Run& run, const FileUse& file, const Direction& direction);
// Writes of text, line by line: a flush after each is why they are small, and flushed-lines' business.
[[nodiscard]] bool comes_flushed(const Run& run, const FileUse& file, const Direction& direction, const Use& use);

// Many accesses of less than 100 KiB, where fewer large ones would do.
void look_for_small(const Scene& scene, const Direction& direction, std::vector<Finding>& out);
// Accesses that jump back and forth.
void look_for_random(const Scene& scene, const Direction& direction, std::vector<Finding>& out);
// More bytes than the file has.
void look_for_repeats(const Scene& scene, const Direction& direction, std::vector<Finding>& out);

}  // namespace trikal::analyze
