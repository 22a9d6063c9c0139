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
      sampler_({.told_before = options_.store == nullptr
                                   ? decltype(stream::SamplerOptions::told_before){}
                                   : [this](std::uint64_t process, std::uint64_t file,
                                            ModuleId module) { return stored(process, file, module); },
                .pid = options_.pid}) {
  batch_.source = source_id();
  batch_.sequence = 1;
  batch_.host = host_name();
}

Watcher::~Watcher() { stop(); }

void Watcher::add_run(const std::string& directory) {
  sampler_.add_directory(directory, stream::Sampler::Kind::kRun);
  runs_.push_back(directory);
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
  if (next_findings_ == 0) next_findings_ = now + kBetweenFindings;
  else if (now >= next_findings_) find();
  state_.add(batch_);
  store();
  report::LiveScreen screen = state_.screen(kFilesShown, kProcessesShown);
  screen.findings = findings_;
  screen.kept = sampler_.kept();
  if (options_.store != nullptr) screen.store = options_.store_name;
  audience_.show(screen);
}

void Watcher::store() {
  if (options_.store != nullptr && !batch_.empty()) {
    Status stored = options_.store->ingest(batch_);
    const Nanoseconds now = axis_.now();
    if (stored.ok() && now >= next_cleaning_ && (options_.retention.oldest > 0 || options_.retention.bytes > 0)) {
      next_cleaning_ = now + kBetweenCleaning;
      const Nanoseconds oldest = options_.retention.oldest > 0 ? now - options_.retention.oldest : 0;
      stored = options_.store->keep_to({oldest, options_.retention.bytes});
    }
    if (!stored) {
      audience_.store_failed(stored.error(), options_.store->message());
      options_.store.reset();
    }
    ++batch_.sequence;
  }
  batch_.clear();
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
  for (const SnapshotFinding& finding : findings_of(maps, options_.policy)) {
    if (findings_.size() < kFindingsShown) findings_.push_back(finding.code + ": " + finding.title);
    const auto [told, is_new] = told_seconds_.try_emplace(directory + finding.code, finding.seconds);
    if (is_new || told->second != finding.seconds)
      batch_.findings.push_back(
          {stream::run_id(directory), now, finding.code, finding.title, finding.severity, finding.seconds});
    told->second = finding.seconds;
    const auto is_it = [&](const std::string& code) { return code == "any" || code == finding.code; };
    if (std::ranges::any_of(options_.alerts, is_it) && alerted_.insert(finding.code).second)
      audience_.alert(finding, state_.screen(0, 0).elapsed);
  }
}

stream::FileAmounts Watcher::stored(std::uint64_t process, std::uint64_t file, ModuleId module) {
  if (options_.store == nullptr) return {};
  if (process != stored_process_) {
    stored_process_ = process;
    stored_.clear();
    const auto sums = options_.store->stored_of(process);
    for (std::size_t i = 0; sums.ok() && i < sums->size(); ++i) {
      const storage::StoredSum& sum = (*sums)[i];
      stored_[{sum.file, sum.module}][static_cast<std::size_t>(sum.operation)] = sum.amount;
    }
  }
  const auto found = stored_.find({file, module});
  return found == stored_.end() ? stream::FileAmounts{} : found->second;
}

void Watcher::finish(const std::vector<gather::MapFile>& maps) {
  sampler_.finish(maps, axis_.now(), batch_);
  system_.sample(axis_.now(), batch_.system);
  findings_.clear();
  if (!runs_.empty()) find(runs_.front(), maps);
  state_.add(batch_);
  store();
  options_.store.reset();
}

}  // namespace trikal::watch
