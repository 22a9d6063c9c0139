// Fills a store with events of a job, as `trikal watch` would: fill STORE EVENTS RANKS. Prints how long that took.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "store/store.hpp"

using namespace trikal;

namespace {

constexpr std::int64_t kBegin = 1'700'000'000 * stream::kSecond;
constexpr std::size_t kInBatch = 4096;

// Some sort of noise that is the same in every run.
std::uint64_t noise(std::uint64_t i) {
  i = (i ^ (i >> 31)) * 0x9e3779b97f4a7c15ULL;
  i = (i ^ (i >> 29)) * 0xbf58476d1ce4e5b9ULL;
  return i ^ (i >> 32);
}

stream::Batch describe(std::uint64_t ranks) {
  stream::Batch batch{.source = 1, .sequence = 1, .host = "node"};
  batch.runs.push_back({1, kBegin, "./job", "node"});
  for (std::uint64_t rank = 0; rank < ranks; ++rank)
    batch.processes.push_back({.process = 100 + rank,
                               .run = 1,
                               .pid = 1000 + static_cast<std::int64_t>(rank),
                               .rank = static_cast<std::int64_t>(rank),
                               .start = kBegin,
                               .host = "node",
                               .command = "./job"});
  for (std::uint64_t file = 0; file < 200; ++file)
    batch.files.push_back({1 + file, "/data/part-" + std::to_string(file)});
  return batch;
}

// Event number `i` of a rank: two threads write to a file of the rank and read from shared ones; 1,000 calls a second.
stream::EventRecord event_of(std::uint64_t rank, std::uint64_t i) {
  const std::uint64_t chance = noise(rank << 40 | i);
  const bool reads = chance % 4 == 0;
  return {.begin = kBegin + static_cast<std::int64_t>(i * 1'000'000 + chance % 500'000),
          .duration =
              static_cast<std::int64_t>(2'000 + (chance >> 8) % 20'000 + ((chance >> 40) % 1000 == 0 ? 5'000'000 : 0)),
          .offset = static_cast<std::int64_t>(i * 4096),
          .length = reads ? 65536 : 4096,
          .file = reads ? 101 + (i / 5000) % 100 : 1 + rank % 100,
          .thread = static_cast<std::uint32_t>(i % 2),
          .operation = static_cast<std::uint16_t>(reads ? 2 : 3),
          .sequence = static_cast<std::uint32_t>(i / 2)};
}

bool put(storage::Store& store, const stream::Batch& batch) {
  if (store.ingest(batch).ok()) return true;
  return std::fprintf(stderr, "%s\n", store.message().c_str()), false;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 3;
  const std::uint64_t events = std::strtoull(argv[2], nullptr, 10), ranks = std::strtoull(argv[3], nullptr, 10);
  auto store = storage::Store::open(storage::Store::url_of(argv[1]), storage::Store::Mode::kWrite);
  if (!store || ranks == 0) return 1;
  const auto begun = std::chrono::steady_clock::now();
  if (!put(**store, describe(ranks))) return 1;
  std::uint64_t sequence = 1;
  for (std::uint64_t first = 0; first < events / ranks; first += kInBatch) {
    for (std::uint64_t rank = 0; rank < ranks; ++rank) {
      stream::Batch batch{.source = 1, .sequence = ++sequence, .host = "node"};
      stream::EventList list{.process = 100 + rank, .run = 1, .events = {}, .details = {}};
      stream::Interval interval{kBegin, 0, {}};
      stream::Amount amount[2];
      for (std::uint64_t i = first; i < std::min(first + kInBatch, events / ranks); ++i) {
        list.events.push_back(event_of(rank, i));
        auto& [calls, bytes, steps] = amount[list.events.back().length == 4096 ? 1 : 0];
        ++calls, bytes += static_cast<std::uint64_t>(list.events.back().length), steps += 12;
      }
      interval.begin = list.events.front().begin, interval.end = list.events.back().begin;
      interval.rows = {{100 + rank, 101, 1, Operation::kRead, amount[0]},
                       {100 + rank, 1 + rank % 100, 1, Operation::kWrite, amount[1]}};
      batch.intervals.push_back(std::move(interval));
      batch.event_counts.push_back({.process = 100 + rank, .thread = 0, .stored = list.events.size()});
      batch.events.push_back(std::move(list));
      if (!put(**store, batch)) return 1;
    }
  }
  store->reset();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  std::printf("%llu events in %.1f s\n", static_cast<unsigned long long>(events / ranks * ranks), seconds);
  return 0;
}
