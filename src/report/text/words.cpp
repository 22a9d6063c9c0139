#include "report/text/words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schema/labels.hpp"

namespace trikal::report {

std::string_view unit_words(Unit unit) {
  switch (unit) {
    case Unit::kNone: return "a number";
    case Unit::kCalls: return "calls";
    case Unit::kBytes: return "bytes";
    case Unit::kOffset: return "a position in the file, in bytes from its beginning";
    case Unit::kSeconds: return "seconds";
    case Unit::kTimestamp: return "seconds since the job began";
    case Unit::kRank: return "a rank of the job";
    case Unit::kId: return "an id of 64 bits";
    case Unit::kFlag: return "0 or 1";
    case Unit::kMode: return "bits or a code, as the call has them";
    case Unit::kElements: return "elements or dimensions of an array";
  }
  return "";
}

std::string_view unit_code(Unit unit) {
  switch (unit) {
    case Unit::kNone: return "number";
    case Unit::kCalls: return "calls";
    case Unit::kBytes: return "bytes";
    case Unit::kOffset: return "offset";
    case Unit::kSeconds: return "seconds";
    case Unit::kTimestamp: return "timestamp";
    case Unit::kRank: return "rank";
    case Unit::kId: return "id";
    case Unit::kFlag: return "flag";
    case Unit::kMode: return "mode";
    case Unit::kElements: return "elements";
  }
  return "";
}

std::string_view kind_name(Kind kind) {
  switch (kind) {
    case Kind::kInt: return "integer";
    case Kind::kUint: return "natural";
    case Kind::kReal: return "real";
  }
  return "";
}

std::string_view fold_words(Fold fold) {
  switch (fold) {
    case Fold::kKeep: return "belongs to the file or the record, not to a rank: one rank's value is kept";
    case Fold::kSum: return "added up";
    case Fold::kSumClamped: return "added up; -1 if any rank could not observe it";
    case Fold::kMax: return "the largest";
    case Fold::kMin: return "the smallest";
    case Fold::kMinNonZero: return "the smallest that is not 0, since 0 is \"never\"";
    case Fold::kAny: return "1 if it is 1 on any rank";
    case Fold::kWithMaxRead: return "that of the rank with the longest single read";
    case Fold::kWithMaxWrite: return "that of the rank with the longest single write";
    case Fold::kWithMaxPut: return "that of the rank with the largest put";
    case Fold::kWithMaxGet: return "that of the rank with the largest get";
    case Fold::kTopValues: return "the most common of all ranks' values, each with the counts of all ranks together";
    case Fold::kTopCounts: return "goes with the value it counts, added up where ranks have the same value";
    case Fold::kFastestRank:
    case Fold::kFastestBytes:
    case Fold::kFastestTime: return "that of the rank with the smallest I/O time";
    case Fold::kSlowestRank:
    case Fold::kSlowestBytes:
    case Fold::kSlowestTime: return "that of the rank with the largest I/O time";
    case Fold::kVarianceTime:
    case Fold::kVarianceBytes: return "computed over all ranks at once";
    case Fold::kDistinct: return "how many different values the ranks have";
  }
  return "";
}

std::string_view fold_name(Fold fold) {
  switch (fold) {
    case Fold::kKeep: return "keep";
    case Fold::kSum: return "sum";
    case Fold::kSumClamped: return "sum-clamped";
    case Fold::kMax: return "max";
    case Fold::kMin: return "min";
    case Fold::kMinNonZero: return "min-nonzero";
    case Fold::kAny: return "any";
    case Fold::kWithMaxRead: return "with-max-read";
    case Fold::kWithMaxWrite: return "with-max-write";
    case Fold::kWithMaxPut: return "with-max-put";
    case Fold::kWithMaxGet: return "with-max-get";
    case Fold::kTopValues: return "top-values";
    case Fold::kTopCounts: return "top-counts";
    case Fold::kFastestRank: return "fastest-rank";
    case Fold::kFastestBytes: return "fastest-bytes";
    case Fold::kFastestTime: return "fastest-time";
    case Fold::kSlowestRank: return "slowest-rank";
    case Fold::kSlowestBytes: return "slowest-bytes";
    case Fold::kSlowestTime: return "slowest-time";
    case Fold::kVarianceTime: return "variance-time";
    case Fold::kVarianceBytes: return "variance-bytes";
    case Fold::kDistinct: return "distinct";
  }
  return "";
}

namespace {

std::string size_class_words(std::size_t bucket) {
  const std::int64_t low = bucket == 0 ? 0 : kSizeClassBounds[bucket - 1] + 1;
  if (bucket == kSizeClassBounds.size()) return fmt::format("{} bytes and more", low);
  return fmt::format("{} to {} bytes", low, kSizeClassBounds[bucket]);
}

}  // namespace

std::string bucket_words(const Counter& counter, std::size_t bucket) {
  constexpr std::string_view kOrdinals[] = {"the most common", "the second", "the third", "the fourth"};
  if (std::ranges::equal(counter.labels, kSizeClasses)) return size_class_words(bucket);
  if (counter.fold == Fold::kTopValues || counter.fold == Fold::kTopCounts) {
    const std::size_t words = std::max<std::size_t>(1, counter.width() / kTopSlots);
    return std::string(kOrdinals[std::min(bucket / words, kTopSlots - 1)]);
  }
  return "";
}

std::vector<SpecialValue> special_values(const analyze::Term& term) {
  std::vector<SpecialValue> special;
  const Counter& counter = term.counter;
  if (counter.fold == Fold::kMinNonZero || (counter.unit == Unit::kTimestamp && counter.fold == Fold::kMax)) {
    special.push_back({"0", "it never happened"});
  }
  if (counter.fold == Fold::kSumClamped) special.push_back({"-1", "it was not observed"});
  if (counter.fold == Fold::kTopValues || counter.fold == Fold::kTopCounts) {
    special.push_back({"0", "there were not that many different values"});
  }
  const bool extreme = counter.fold == Fold::kFastestRank || counter.fold == Fold::kSlowestRank;
  if (extreme) special.push_back({"0", "also where the record belongs to one rank: only records of all ranks have it"});
  if (term.since > term.module->forms.front().version) {
    const std::string value = counter.unit == Unit::kId ? "0" : "-1";
    special.push_back(
        {value, fmt::format("the log has records of a version before {}, which did not count it", term.since)});
  }
  return special;
}

}  // namespace trikal::report
