#include "watch/watcher.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "base/hash.hpp"
#include "gather/liveness.hpp"
#include "gather/run_directory.hpp"
#include "gather/run_maps.hpp"

namespace trikal::watch {
namespace {

using stream::kSecond;
using stream::Nanoseconds;

constexpr Nanoseconds kBetweenFindings = 3 * kSecond, kBetweenCleaning = 60 * kSecond;
constexpr Nanoseconds kFindingsShare = 50;  // of the time, at most a fiftieth goes to looking for what is wrong
constexpr const char* kGone = "gone";  // instead of a severity: it is true no longer
constexpr std::size_t kFilesShown = 8, kProcessesShown = 6, kFindingsShown = 4;

// No other has it, on this machine or another, now or later.
std::uint64_t source_id() {
  const auto& own = gather::own_identity();
  const auto now = static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  const std::uint64_t words[] = {own.boot[0],     own.boot[1], own.pid_namespace, static_cast<std::uint64_t>(own.pid),
                                 own.start_ticks, now};
  return record_id(std::as_bytes(std::span(words)));
}

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

}  // namespace

Watcher::Watcher(WatcherOptions options, Audience& audience)
    : options_(std::move(options)),
      audience_(audience),
      store_(std::move(options_.store)),
      sampler_({.told_before = !store_.is_open() ? decltype(stream::SamplerOptions::told_before){}
                                                 : [this](std::uint64_t process, std::uint64_t file,
                                                          ModuleId module) { return stored(process, file, module); },
                .pid = options_.pid}) {
  batch_.source = source_id();
  batch_.sequence = 1;
  batch_.host = host_name();
  if (options_.events) events_.emplace(store_, source_id(), batch_.host);
}

Watcher::~Watcher() { stop(); }

void Watcher::add_run(const std::string& directory) {
  sampler_.add_directory(directory, stream::Sampler::Kind::kRun);
  runs_.push_back(directory);
  if (events_) events_->add_run(directory, all_ ? EventDrain::Whose::kAnother : EventDrain::Whose::kOurs, options_.pid);
}

void Watcher::watch_all() {
  all_ = true;
  look_for_runs();
}

void Watcher::look_for_runs() {
  for (const std::string& directory : gather::map_directories())
    sampler_.add_directory(directory, stream::Sampler::Kind::kUser);
  for (const std::string& run : gather::run_directories()) {
    if (std::ranges::find(runs_, run) == runs_.end()) add_run(run);
  }
}

void Watcher::start() {
  if (events_) events_->start();
  thread_ = std::thread([this] { loop(); });
}

void Watcher::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

std::size_t Watcher::processes() {
  const std::lock_guard lock(mutex_);
  return processes_;
}

// Rounds lie on whole fractions of a second, so that none belongs to two seconds.
void Watcher::loop() {
  const auto pause = static_cast<Nanoseconds>(static_cast<double>(kSecond) / options_.rounds_per_second);
  for (bool going = true; going;) {
    round();
    const Nanoseconds now = axis_.now();
    std::unique_lock lock(mutex_);
    processes_ = sampler_.processes();
    going = !wake_.wait_for(lock, std::chrono::nanoseconds(pause - now % pause), [this] { return stopping_; });
  }
}

void Watcher::round() {
  sampler_.sample(axis_.now(), batch_);
  for (const auto& [map, error] : sampler_.refused()) {
    if (named_refusals_.insert(map).second) audience_.refused(map, error);
  }
  if (axis_.now() >= next_second_) second();
}

void Watcher::second() {
  const Nanoseconds now = axis_.now();
  next_second_ = now - now % kSecond + kSecond;
  if (all_) look_for_runs();
  system_.sample(now, batch_.system);
  machine_.add(batch_.system);
  if (next_findings_ == 0) next_findings_ = now + kBetweenFindings;
  else if (now >= next_findings_) find();
  state_.add(batch_);
  store();
  show();
}

void Watcher::show() {
  report::LiveScreen screen = state_.screen(kFilesShown, kProcessesShown);
  screen.findings = findings_;
  screen.kept = sampler_.kept();
  if (store_.is_open()) screen.store = options_.store_name;
  if (const auto totals = events())
    screen.events = report::LiveEvents{totals->emitted(), totals->stored, totals->dropped()};
  audience_.show(screen);
}

void Watcher::store() {
  if (!batch_.empty()) {
    (void)store_.with([this](storage::Store& store) {
      const Status stored = store.ingest(batch_);
      const Nanoseconds now = axis_.now();
      if (!stored.ok() || now < next_cleaning_ || (options_.retention.oldest <= 0 && options_.retention.bytes == 0))
        return stored;
      next_cleaning_ = now + kBetweenCleaning;
      return store.keep_to(
          {options_.retention.oldest > 0 ? now - options_.retention.oldest : 0, options_.retention.bytes});
    });
    ++batch_.sequence;
  }
  batch_.clear();
  if (const auto failure = store_.take_failure()) audience_.store_failed(failure->error, failure->message);
}

std::optional<EventTotals> Watcher::events() {
  if (!events_ || !events_->has_begun()) return std::nullopt;
  return events_->totals();
}

// The same rules as after the run. Only what has changed is told again.
void Watcher::find() {
  const Nanoseconds began = axis_.now();
  findings_.clear();
  for (const std::string& directory : runs_) find(directory, gather::load_run(directory).maps);
  next_findings_ = axis_.now() + std::max(kBetweenFindings, kFindingsShare * (axis_.now() - began));
}

void Watcher::find(const std::string& directory, const std::vector<gather::MapFile>& maps) {
  const Nanoseconds now = axis_.now();
  const auto tell = [&](const SnapshotFinding& finding, const std::string& severity) {
    batch_.findings.push_back({stream::run_id(directory), now, finding.code, finding.title, severity, finding.seconds});
  };
  std::map<std::string, SnapshotFinding> before = std::exchange(told_[directory], {});
  for (const SnapshotFinding& finding : findings_of(maps, options_.policy)) {
    if (findings_.size() < kFindingsShown) findings_.push_back(finding.code + ": " + finding.title);
    const auto old = before.extract(finding.code);
    if (old.empty() || old.mapped() != finding) tell(finding, finding.severity);
    told_[directory].insert_or_assign(finding.code, finding);
    const auto is_it = [&](const std::string& code) { return code == "any" || code == finding.code; };
    if (std::ranges::any_of(options_.alerts, is_it) && alerted_.insert(finding.code).second)
      audience_.alert(finding, state_.screen(0, 0).elapsed);
  }
  for (const auto& [code, finding] : before) tell(finding, kGone);
}

stream::FileAmounts Watcher::stored(std::uint64_t process, std::uint64_t file, ModuleId module) {
  if (process != stored_process_) {
    stored_process_ = process;
    stored_.clear();
    (void)store_.with([&](storage::Store& store) -> Status {
      const auto sums = store.stored_of(process);
      if (!sums) return sums.error();
      for (const storage::StoredSum& sum : *sums)
        stored_[{sum.file, sum.module}][static_cast<std::size_t>(sum.operation)] = sum.amount;
      return {};
    });
  }
  const auto found = stored_.find({file, module});
  return found == stored_.end() ? stream::FileAmounts{} : found->second;
}

void Watcher::finish(const std::vector<gather::MapFile>& maps) {
  sampler_.finish(maps, axis_.now(), batch_);
  system_.sample(axis_.now(), batch_.system);
  machine_.add(batch_.system);
  findings_.clear();
  if (!runs_.empty()) find(runs_.front(), maps);
  state_.add(batch_);
  store();
  if (events_) {
    events_->finish(maps);
    for (const auto& [file, error] : events_->take_refused()) audience_.refused(file, error);
    if (const auto failure = store_.take_failure()) audience_.store_failed(failure->error, failure->message);
  }
}

}  // namespace trikal::watch
