#pragma once
// Counts of durations or lengths by size: eight buckets to each power of two, so that a percentile is right to a sixteenth of itself.

#include <cstdint>
#include <map>
#include <vector>

#include "base/bytes.hpp"

namespace trikal::stream {
class Encoder;
class Decoder;
}  // namespace trikal::stream

namespace trikal::storage {

class SizeHistogram {
 public:
  static constexpr unsigned kParts = 3;  // 2^3 buckets an octave
  static constexpr std::size_t kBuckets = 64U << kParts;

  // Negative values count as 0.
  void add(std::int64_t value) { add_to(bucket_of(static_cast<std::uint64_t>(value < 0 ? 0 : value)), 1); }
  void add(const SizeHistogram& more);
  [[nodiscard]] std::uint64_t count() const { return count_; }
  // The middle of the bucket that it is in.
  [[nodiscard]] std::int64_t percentile(double share) const;
  // Of whole powers of two: (least, count) for those that have any.
  [[nodiscard]] std::map<std::int64_t, std::int64_t> octaves() const;

  // As bytes: how many buckets have any, then for each the distance from the one before and its count.
  void encode(stream::Encoder& out) const;
  // Adds them to what is here.
  void add_from(stream::Decoder& from);

 private:
  static std::size_t bucket_of(std::uint64_t size);
  static std::uint64_t least_of(std::size_t bucket);
  void add_to(std::size_t bucket, std::uint64_t count);

  std::size_t first_ = 0;  // the bucket that counts_ begins with
  std::vector<std::uint64_t> counts_;
  std::uint64_t count_ = 0;
};

}  // namespace trikal::storage
