#include "store/size_histogram.hpp"

#include <algorithm>
#include <bit>

#include "stream/wire/batch_bytes.hpp"

namespace trikal::storage {

std::size_t SizeHistogram::bucket_of(std::uint64_t size) {
  if (size < 1U << kParts) return static_cast<std::size_t>(size);
  const auto shift = static_cast<unsigned>(std::bit_width(size)) - kParts - 1;
  return ((std::size_t{shift} + 1) << kParts) + static_cast<std::size_t>((size >> shift) - (1U << kParts));
}

std::uint64_t SizeHistogram::least_of(std::size_t bucket) {
  if (bucket < 1U << kParts) return bucket;
  const std::size_t shift = (bucket >> kParts) - 1;
  return std::uint64_t{(1U << kParts) + (bucket & ((1U << kParts) - 1))} << shift;
}

void SizeHistogram::add_to(std::size_t bucket, std::uint64_t count) {
  if (counts_.empty()) first_ = bucket;
  if (bucket < first_) counts_.insert(counts_.begin(), first_ - bucket, 0), first_ = bucket;
  if (bucket - first_ >= counts_.size()) counts_.resize(bucket - first_ + 1);
  counts_[bucket - first_] += count, count_ += count;
}

void SizeHistogram::add(const SizeHistogram& more) {
  for (std::size_t i = 0; i < more.counts_.size(); ++i) {
    if (more.counts_[i] > 0) add_to(more.first_ + i, more.counts_[i]);
  }
}

std::int64_t SizeHistogram::percentile(double share) const {
  const auto wanted = static_cast<std::uint64_t>(share * static_cast<double>(count_));
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    seen += counts_[i];
    if (seen > wanted) return static_cast<std::int64_t>((least_of(first_ + i) + least_of(first_ + i + 1)) / 2);
  }
  return 0;
}

std::map<std::int64_t, std::int64_t> SizeHistogram::octaves() const {
  std::map<std::int64_t, std::int64_t> found;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] > 0)
      found[static_cast<std::int64_t>(std::bit_floor(least_of(first_ + i)))] += static_cast<std::int64_t>(counts_[i]);
  }
  return found;
}

void SizeHistogram::encode(stream::Encoder& out) const {
  out.number(static_cast<std::uint64_t>(std::ranges::count_if(counts_, [](std::uint64_t count) { return count > 0; })));
  std::size_t before = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] == 0) continue;
    out.number(first_ + i - before), out.number(counts_[i]);
    before = first_ + i;
  }
}

void SizeHistogram::add_from(stream::Decoder& from) {
  std::uint32_t buckets = 0;
  from.number(buckets);
  std::size_t bucket = 0;
  for (std::uint32_t i = 0; i < buckets && from.ok(); ++i) {
    std::uint16_t distance = 0;
    std::uint64_t count = 0;
    from.number(distance), from.number(count);
    bucket += distance;
    if (bucket >= kBuckets) return from.fail();
    if (from.ok()) add_to(bucket, count);
  }
}

}  // namespace trikal::storage
