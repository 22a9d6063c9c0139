#include "analyze/rules/chunk_advice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "analyze/rules/judge.hpp"

namespace trikal::analyze {
namespace {

// HDF5 keeps a mebibyte of chunks of a dataset unless it is told otherwise; one that does not fit is moved whole for
// every access to a part of it.
constexpr double kMost = 1024.0 * 1024, kLeast = 256.0 * 1024;

using Shape = std::vector<std::int64_t>;

double elements_of(const Shape& shape) {
  double product = 1;
  for (const std::int64_t length : shape) product *= real_of(length);
  return product;
}

// By an access that begins where a chunk does.
double touched(const Dataset& dataset, const Shape& access, const Shape& chunk) {
  if (access.empty())
    return std::ceil(real_of(dataset.access_bytes) / (real_of(dataset.element_bytes) * elements_of(chunk)));
  double chunks = 1;
  for (std::size_t i = 0; i < chunk.size(); ++i) chunks *= real_of((access[i] - 1) / chunk[i] + 1);
  return chunks;
}

std::string product(const Shape& shape) {
  std::string text;
  for (const std::int64_t length : shape) text += (text.empty() ? "" : " x ") + grouped(length);
  return text;
}

// Parts of an access where that is large. Where it is small, as many as follow each other in the slowest dimension.
Shape suited(const Dataset& dataset, Shape shape) {
  const double element = real_of(dataset.element_bytes), all = real_of(dataset.elements);
  while (element * elements_of(shape) > kMost) {
    const auto longest = std::ranges::max_element(shape);
    if (*longest == 1) break;  // a single element is larger
    *longest = (*longest + 1) / 2;
  }
  while (element * elements_of(shape) < kLeast && 2 * elements_of(shape) <= all) shape.front() *= 2;
  return shape;
}

// Where all is selected at once, any shape does: larger chunks of the shape that they have.
Shape grown(const Dataset& dataset, Shape shape) {
  const double element = real_of(dataset.element_bytes), all = real_of(dataset.elements);
  while (2 * element * elements_of(shape) <= kMost && 2 * elements_of(shape) <= all)
    *std::min_element(shape.rbegin(), shape.rend()) *= 2;
  return shape;
}

// Where the file stays as it is: a cache that holds all chunks that an access touches, and ten slots for each.
std::string cache_words(double chunks, double chunk_bytes) {
  constexpr double kDefault = 1024.0 * 1024, kTooMuch = 512.0 * 1024 * 1024;
  const double bytes = chunks * chunk_bytes;
  if (chunks < 2 || !(chunk_bytes > 0) || bytes > kTooMuch) return {};
  std::int64_t slots = whole(10 * chunks) | 1;
  const auto is_prime = [](std::int64_t number) {
    for (std::int64_t i = 3; i * i <= number; i += 2)
      if (number % i == 0) return false;
    return true;
  };
  while (!is_prime(slots)) slots += 2;
  const std::int64_t size = whole(std::max(bytes, kDefault));
  return fmt::format(
      " For a file as it is, a cache that holds what an access touches: H5Pset_chunk_cache(list, {0}, {1}, 0.75); "
      "h5py: rdcc_nslots={0}, rdcc_nbytes={1}.",
      std::max<std::int64_t>(slots, 521), size);
}

}  // namespace

ChunkAdvice better_chunks(const Dataset& dataset) {
  ChunkAdvice advice;
  constexpr std::int64_t kLongest = std::int64_t{1} << 40;  // a log may say anything
  const auto dimensions = static_cast<std::size_t>(std::ranges::find(dataset.chunk, 0) - dataset.chunk.begin());
  if (dimensions == 0 || dataset.element_bytes <= 0 || std::ranges::max(dataset.chunk) > kLongest ||
      std::ranges::max(dataset.access) > kLongest)
    return advice;
  const std::size_t unused = dataset.access.size() - dimensions;
  for (std::size_t i = dimensions; i-- > 0;) {
    advice.now.push_back(dataset.chunk[i]);
    if (dataset.access[unused + i] > 0) advice.access.push_back(dataset.access[unused + i]);
  }
  if (advice.access.size() != dimensions) advice.access.clear();
  advice.then = advice.access.empty() ? grown(dataset, advice.now) : suited(dataset, advice.access);
  advice.bytes = real_of(dataset.element_bytes) * elements_of(advice.then);
  advice.touched_now = touched(dataset, advice.access, advice.now);
  advice.touched_then = touched(dataset, advice.access, advice.then);
  return advice;
}

std::string chunk_fix(const Dataset& dataset) {
  const ChunkAdvice advice = better_chunks(dataset);
  if (advice.then.empty() || advice.then == advice.now) return {};
  std::string fix = fmt::format(
      "Chunks of {} elements ({}; in no dimension longer than the dataset) instead of {} ({}): "
      "H5Pset_chunk(list, {}, (hsize_t[]){{{}}}), h5py: chunks=({}{}).",
      product(advice.then), sized(advice.bytes), product(advice.now), sized(real_of(dataset.chunk_bytes)),
      advice.then.size(), fmt::join(advice.then, ", "), fmt::join(advice.then, ", "),
      advice.then.size() == 1 ? "," : "");
  if (advice.touched_now > advice.touched_then)
    fix += fmt::format(
        " An access of {} then touches {} chunk{} instead of {}.",
        advice.access.empty() ? sized(real_of(dataset.access_bytes)) : product(advice.access) + " elements",
        grouped(whole(advice.touched_then)), advice.touched_then == 1 ? "" : "s", grouped(whole(advice.touched_now)));
  return fix + cache_words(advice.touched_now, real_of(dataset.chunk_bytes));
}

}  // namespace trikal::analyze
