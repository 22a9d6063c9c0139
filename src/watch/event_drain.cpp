#include "watch/event_drain.hpp"

#include <algorithm>
#include <chrono>

#include "gather/rings/run_names.hpp"
#include "gather/run_directory.hpp"
#include "gather/run_maps.hpp"
#include "stream/sample/sampler.hpp"

namespace trikal::watch {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds kShortest = 1ms, kLongest = 16ms, kBetweenLooks = 250ms;

std::uint64_t number_of(const gather::RingProcess& process) {
  log::crash::JobFacts job;
  job.start_sec = process.start_sec, job.start_nsec = process.start_nsec;
  return stream::process_id(process.identity, job);
}

bool has_ring_of(const std::string& directory, std::int64_t pid) {
  const std::string prefix = std::to_string(pid) + "-";
  for (const std::string& where : {directory, gather::overflow_of(directory)})
    for (const std::string& path : gather::list_files(where, ".ring"))
      if (std::string_view(path).substr(path.rfind('/') + 1).starts_with(prefix)) return true;
  return false;
}

void add(EventTotals& to, const EventTotals& more) {
  to.stored += more.stored, to.ring_full += more.ring_full, to.without_ring += more.without_ring;
  to.without_file += more.without_file, to.without_store += more.without_store;
  to.sampled_out += more.sampled_out, to.filtered += more.filtered;
}

}  // namespace

EventDrain::EventDrain(SharedStore& store, std::uint64_t source, std::string host) : store_(store) {
  batch_.source = source, batch_.sequence = 1, batch_.host = std::move(host);
}

EventDrain::~EventDrain() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void EventDrain::add_run(const std::string& directory, Whose whose, std::int64_t pid) {
  auto resume = [this](const gather::RingProcess& process) { return rings_of(process); };
  std::unique_ptr<Run> run(new Run{.directory = directory,
                                   .id = stream::run_id(directory),
                                   .pid = pid,
                                   .ours = whose == Whose::kOurs,
                                   .reader = gather::RingReader(directory, resume)});
  // Nobody else may begin with it before us.
  run->elected = run->ours && run->reader.is_elected();
  const std::lock_guard lock(mutex_);
  new_runs_.push_back(std::move(run));
}

void EventDrain::start() {
  thread_ = std::thread([this] { work(); });
}

std::vector<stream::RingEntry> EventDrain::rings_of(const gather::RingProcess& process) {
  std::vector<stream::RingEntry> rings;
  (void)store_.with([&](storage::Store& store) -> Status {
    auto found = store.rings_of(number_of(process));
    if (!found) return found.error();
    rings = std::move(*found);
    return {};
  });
  return rings;
}

// More often while much comes; a program that does little is not disturbed.
void EventDrain::work() {
  auto pause = kShortest;
  for (bool going = true; going;) {
    pause = round() ? kShortest : std::min(2 * pause, kLongest);
    std::unique_lock lock(mutex_);
    going = !wake_.wait_for(lock, pause, [this] { return stopping_; });
  }
}

// Rings of a run that is not ours are read as soon as nobody else does; asking takes time, so it is not done in each round.
bool EventDrain::is_ours(Run& run, bool look) const {
  if (run.elected || !(look || run.ours)) return run.elected;
  if (!run.ours && (run.pid != 0 ? !has_ring_of(run.directory, run.pid) : !run.reader.has_rings())) return false;
  return run.elected = run.reader.is_elected();
}

bool EventDrain::round() {
  {
    const std::lock_guard lock(mutex_);
    std::ranges::move(new_runs_, std::back_inserter(runs_));
    new_runs_.clear();
  }
  const bool look = Clock::now() >= next_look_;
  if (look) next_look_ = Clock::now() + kBetweenLooks;
  bool more = false;
  for (const auto& run : runs_) {
    if (!is_ours(*run, look)) continue;
    const std::uint64_t before = batch_.sequence;
    more = run->reader.drain([&](const auto& process, const auto& events) { take(*run, process, events); },
                             [this] { return store(); }) ||
           batch_.sequence != before || more;
  }
  return more;
}

void EventDrain::take(const Run& run, const gather::RingProcess& process, const gather::EventBatch& events) {
  const std::uint64_t number = number_of(process);
  if (!events.events.empty())
    batch_.events.push_back({.process = number,
                             .run = run.id,
                             .events = {events.events.begin(), events.events.end()},
                             .details = {events.details.begin(), events.details.end()}});
  for (const auto& [thread, counts] : events.counts) {
    batch_.event_counts.push_back({.process = number,
                                   .thread = thread,
                                   .stored = counts.stored,
                                   .ring_full = counts.full,
                                   .without_ring = counts.without_ring,
                                   .sampled_out = counts.sampled_out,
                                   .filtered = counts.filtered});
    add(fresh_, {.stored = counts.stored,
                 .ring_full = counts.full,
                 .without_ring = counts.without_ring,
                 .sampled_out = counts.sampled_out,
                 .filtered = counts.filtered});
  }
  if (events.without_ring > 0) batch_.event_counts.push_back({.process = number, .without_ring = events.without_ring});
  fresh_.without_ring += events.without_ring;
  for (stream::RingEntry ring : events.rings) ring.process = number, batch_.rings.push_back(ring);
}

// What cannot be stored is dropped and counted: the rings go on, and the sum stays right.
bool EventDrain::store() {
  if (batch_.empty()) return true;
  for (const stream::EventList& list : batch_.events) {
    std::uint64_t last = 0;
    for (const stream::EventRecord& event : list.events)
      if (event.file != last) files_.insert(last = event.file);
  }
  if (!store_.with([this](storage::Store& store) { return store.ingest(batch_); }))
    fresh_.without_store += std::exchange(fresh_.stored, 0);
  batch_.clear();
  ++batch_.sequence;
  const std::lock_guard lock(mutex_);
  add(totals_, std::exchange(fresh_, {}));
  begun_ = true;
  return true;
}

void EventDrain::finish(const std::vector<gather::MapFile>& maps) {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
  (void)round();
  for (const auto& run : runs_) {
    if (!is_ours(*run, true)) continue;
    run->reader.finish([&](const auto& process, const auto& events) { take(*run, process, events); },
                       [this] { return store(); });
    for (const auto& refused : run->reader.refused()) refused_.push_back(refused);
    // Where no map counts a lost event and no ring was read there are no names to tell.
    if (maps.empty() && !files_.empty()) add_names(gather::load_run(run->directory).maps);
  }
  add_names(maps);
  (void)store();
}

// Those of operations and objects are needed only where events have them, and few do.
void EventDrain::add_names(const std::vector<gather::MapFile>& maps) {
  for (const gather::MapFile& map : maps) {
    const std::uint64_t process = stream::process_id(map.facts().identity, map.facts().job);
    const std::uint64_t lost = gather::for_each_name_of(
        map.view(),
        {.file =
             [&](std::uint64_t id, std::string_view name) {
               if (files_.erase(id) > 0) batch_.files.push_back({id, std::string(name)});
             },
         .operation =
             [&](const auto&, std::uint32_t number, std::string_view interface, std::string_view word) {
               batch_.operations.push_back({process, number, std::string(interface), std::string(word)});
             },
         .object = [&](const auto&, std::uint64_t number,
                       std::string_view path) { batch_.objects.push_back({process, number, std::string(path)}); }});
    if (lost > 0) batch_.drops.push_back({process, "without_file", lost});
    fresh_.without_file += lost;
  }
}

EventTotals EventDrain::totals() {
  const std::lock_guard lock(mutex_);
  return totals_;
}

bool EventDrain::has_begun() {
  const std::lock_guard lock(mutex_);
  return begun_;
}

std::vector<std::pair<std::string, Error>> EventDrain::take_refused() {
  const std::lock_guard lock(mutex_);
  return std::exchange(refused_, {});
}

}  // namespace trikal::watch
