#pragma once
// Rows that many modules have alike, under their own prefix: sizes, common accesses, times, ranks.
// A table is put together from its own rows and these; names are made at compile time.
//   inline constexpr auto kCounters = table(rows({{"X_OPENS", ...}}), size_class_rows<"X">());

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "base/fixed_string.hpp"
#include "schema/counter.hpp"
#include "schema/labels.hpp"

namespace trikal {

template <FixedString... Parts>
struct JoinedText {
  static constexpr auto kText = [] {
    std::array<char, (Parts.view().size() + ...)> text{};
    auto at = text.begin();
    ((at = std::copy(Parts.view().begin(), Parts.view().end(), at)), ...);
    return text;
  }();
};

// The parts as one string that lives as long as the program.
template <FixedString... Parts>
inline constexpr std::string_view kJoined{JoinedText<Parts...>::kText.data(), JoinedText<Parts...>::kText.size()};

template <FixedString Text>
consteval auto upper_case() {
  auto upper = Text;
  for (char& c : upper.text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return upper;
}

template <std::size_t N>
consteval std::array<Counter, N> rows(const Counter (&list)[N]) {
  return std::to_array(list);
}

template <std::size_t... N>
consteval auto table(const std::array<Counter, N>&... parts) {
  std::array<Counter, (N + ...)> all{};
  auto at = all.begin();
  ((at = std::copy(parts.begin(), parts.end(), at)), ...);
  return all;
}

// P is the prefix ("MPIIO"), What an operation in lower case ("open").
template <FixedString P, FixedString What>
inline constexpr Counter kFirstStart = real(kJoined<P, "_F_", upper_case<What>(), "_START_TIMESTAMP">, Unit::kTimestamp,
                                            Fold::kMinNonZero, kJoined<"when the first ", What, " began">);

template <FixedString P, FixedString What>
inline constexpr Counter kLastEnd = real(kJoined<P, "_F_", upper_case<What>(), "_END_TIMESTAMP">, Unit::kTimestamp,
                                         Fold::kMax, kJoined<"when the last ", What, " ended">);

template <FixedString P>
inline constexpr Counter kReadTime = real(kJoined<P, "_F_READ_TIME">, Unit::kSeconds, Fold::kSum, "time spent reading");
template <FixedString P>
inline constexpr Counter kWriteTime =
    real(kJoined<P, "_F_WRITE_TIME">, Unit::kSeconds, Fold::kSum, "time spent writing and syncing");
template <FixedString P>
inline constexpr Counter kMetaTime = real(kJoined<P, "_F_META_TIME">, Unit::kSeconds, Fold::kSum,
                                          "time spent in open, close and the like, neither reading nor writing");

// Two histograms. Infix is "_AGG" in modules that say so.
template <FixedString P, FixedString Infix = "">
consteval auto size_class_rows() {
  return rows({
      {kJoined<P, "_SIZE_READ", Infix, "_#">, Unit::kCalls, Fold::kSum, "reads of a size in this class", kSizeClasses},
      {kJoined<P, "_SIZE_WRITE", Infix, "_#">, Unit::kCalls, Fold::kSum, "writes of a size in this class",
       kSizeClasses},
  });
}

template <FixedString P>
consteval auto longest_size_rows() {
  return rows({
      {kJoined<P, "_MAX_READ_TIME_SIZE">, Unit::kBytes, Fold::kWithMaxRead, "size of the read that took longest"},
      {kJoined<P, "_MAX_WRITE_TIME_SIZE">, Unit::kBytes, Fold::kWithMaxWrite, "size of the write that took longest"},
  });
}

template <FixedString P>
consteval auto top_access_rows() {
  return rows({
      {kJoined<P, "_ACCESS#_ACCESS">, Unit::kBytes, Fold::kTopValues, "the most common access sizes", kTopFour},
      {kJoined<P, "_ACCESS#_COUNT">, Unit::kCalls, Fold::kTopCounts, "how often each of those sizes occurred",
       kTopFour},
  });
}

// Accesses to arrays: size, length and stride together are what is counted.
template <FixedString P>
consteval auto top_shape_rows() {
  return rows({
      {kJoined<P, "_ACCESS#">, Unit::kElements, Fold::kTopValues,
       "the most common accesses: bytes, then elements and stride in each of five dimensions", kTopFourShapes},
      {kJoined<P, "_ACCESS#_COUNT">, Unit::kCalls, Fold::kTopCounts, "how often each of those accesses occurred",
       kTopFour},
  });
}

template <FixedString P>
consteval auto extreme_rank_rows() {
  return rows({
      {kJoined<P, "_FASTEST_RANK">, Unit::kRank, Fold::kFastestRank, "the rank that spent least time on this"},
      {kJoined<P, "_FASTEST_RANK_BYTES">, Unit::kBytes, Fold::kFastestBytes, "bytes that fastest rank moved"},
      {kJoined<P, "_SLOWEST_RANK">, Unit::kRank, Fold::kSlowestRank, "the rank that spent most time on this"},
      {kJoined<P, "_SLOWEST_RANK_BYTES">, Unit::kBytes, Fold::kSlowestBytes, "bytes that slowest rank moved"},
  });
}

// The reals of a module that opens, reads, writes and closes.
template <FixedString P>
consteval auto io_time_rows() {
  return rows({
      kFirstStart<P, "open">,
      kFirstStart<P, "read">,
      kFirstStart<P, "write">,
      kFirstStart<P, "close">,
      kLastEnd<P, "open">,
      kLastEnd<P, "read">,
      kLastEnd<P, "write">,
      kLastEnd<P, "close">,
      kReadTime<P>,
      kWriteTime<P>,
      kMetaTime<P>,
      real(kJoined<P, "_F_MAX_READ_TIME">, Unit::kSeconds, Fold::kMax, "the longest single read"),
      real(kJoined<P, "_F_MAX_WRITE_TIME">, Unit::kSeconds, Fold::kMax, "the longest single write"),
  });
}

template <FixedString P>
consteval auto extreme_time_rows() {
  return rows({
      real(kJoined<P, "_F_FASTEST_RANK_TIME">, Unit::kSeconds, Fold::kFastestTime, "I/O time of the fastest rank"),
      real(kJoined<P, "_F_SLOWEST_RANK_TIME">, Unit::kSeconds, Fold::kSlowestTime, "I/O time of the slowest rank"),
  });
}

template <FixedString P>
consteval auto variance_rows() {
  return rows({
      real(kJoined<P, "_F_VARIANCE_RANK_TIME">, Unit::kNone, Fold::kVarianceTime, "variance over ranks of I/O time"),
      real(kJoined<P, "_F_VARIANCE_RANK_BYTES">, Unit::kNone, Fold::kVarianceBytes,
           "variance over ranks of bytes moved"),
  });
}

}  // namespace trikal
