#include "stream/sample/sampler.hpp"

#include <signal.h>

#include <algorithm>
#include <cstring>

#include "base/hash.hpp"
#include "gather/job_ranks.hpp"
#include "gather/liveness.hpp"
#include "gather/run_directory.hpp"
#include "log/crash/notes.hpp"
#include "log/crash/process_table.hpp"

namespace trikal::stream {
namespace {

using log::crash::Header;
using log::crash::Identity;
using log::crash::JobFacts;
using log::crash::State;

constexpr std::uint32_t kRoundsBetweenChecks = 8;  // of what asking the kernel in full costs

// A map may say anything.
Nanoseconds span_of(double seconds) {
  constexpr double kMost = 1e9;
  return seconds > 0 ? static_cast<Nanoseconds>(std::min(seconds, kMost) * 1e9) : 0;
}

ProcessState state_of(State state, bool ended) {
  if (state == State::kExec) return ProcessState::kExec;
  if (state == State::kEnded) return ended ? ProcessState::kEnded : ProcessState::kRunning;
  return ended ? ProcessState::kGone : ProcessState::kRunning;
}

struct Words {
  std::string command, host, program;
};
Words words_of(Bytes header) {
  const auto view = log::crash::MapView::open(header);
  if (!view) return {};
  const auto& host = view->header().host;
  using log::crash::CommandText;
  return {std::string(CommandText(view->arguments(), CommandText::Form::kQuoted).text()),
          std::string(host, ::strnlen(host, sizeof host)), std::string(view->program())};
}

}  // namespace

std::uint64_t process_id(const Identity& identity, const JobFacts& job) {
  const std::uint64_t words[] = {identity.boot[0],
                                 identity.boot[1],
                                 identity.pid_namespace,
                                 static_cast<std::uint64_t>(identity.pid),
                                 identity.start_ticks,
                                 identity.generation,
                                 static_cast<std::uint64_t>(job.start_sec),
                                 static_cast<std::uint64_t>(job.start_nsec)};
  return record_id(std::as_bytes(std::span(words)));
}

Nanoseconds start_of(const JobFacts& job) {
  constexpr std::int64_t kMostSeconds = 9'000'000'000;  // a map may say anything
  return std::clamp(job.start_sec, std::int64_t{0}, kMostSeconds) * kSecond +
         std::clamp(job.start_nsec, std::int64_t{0}, kSecond);
}

std::uint64_t run_id(const std::string& run_directory) {
  return record_id(run_directory, gather::own_identity().boot[0]);
}

void Sampler::add_directory(const std::string& path, Kind kind) {
  if (std::ranges::any_of(directories_, [&](const Directory& known) { return known.path == path; })) return;
  Directory directory{.path = path, .kind = kind, .reader = {}};
  if (kind == Kind::kRun) {
    directory.run = run_id(path);
    directory.reader = std::make_unique<gather::MapReader>(path);
  }
  directories_.push_back(std::move(directory));
}

void Sampler::sample(Nanoseconds now, Batch& into) {
  into.intervals.push_back({last_ == 0 ? now : last_, now, {}});
  last_ = now;
  for (Directory& directory : directories_) {
    if (directory.reader) directory.reader->begin_round();
    find_maps(directory, into);
  }
  for (auto next = maps_.begin(); next != maps_.end();) {
    // First whether it has ended, then its numbers: they are its last.
    const bool ended = has_ended(next->second);
    follow(next->second, ended, into);
    if (ended) give_up(next->second);
    next = ended ? maps_.erase(next) : std::next(next);
  }
  for (Directory& directory : directories_) {
    if (directory.reader) directory.reader->end_round();
    read_finished(directory, into);
  }
}

// Of a map that was not read to its end, what was told of it is remembered: the rest comes from where it was put away.
void Sampler::give_up(Followed& followed) {
  if (followed.map.is_complete()) complete_.insert(followed.process);
  else rest_.insert_or_assign(followed.process, std::move(followed.map.sums()));
}

void Sampler::find_maps(Directory& directory, Batch& into) {
  const auto paths =
      directory.kind == Kind::kRun ? gather::run_maps(directory.path) : gather::list_maps(directory.path);
  for (const std::string& path : paths) {
    if (!maps_.contains(path)) begin(path, directory, into);
  }
}

void Sampler::begin(const std::string& path, Directory& directory, Batch& into) {
  if (refused_.contains(path)) return;
  auto map = MapSampler::open(path);
  if (!map) {
    if (map.error().code == ErrorCode::kUnsupported || map.error().code == ErrorCode::kDamaged)
      refused_.emplace(path, map.error());
    return;
  }
  const std::uint64_t process = process_id(map->identity(), map->job());
  if (complete_.contains(process) || rest_.contains(process) || !is_wanted(map->identity(), map->job())) return;
  map->sums().set_told_before(told_before(process));
  const Words words = words_of(map->header());
  const std::uint64_t run = run_of(directory, map->identity(), map->job());
  tell_run(directory, run, map->job(), words.command, words.host, into);
  ProcessEntry entry{.process = process,
                     .run = run,
                     .pid = map->identity().pid,
                     .parent = map->job().parent_pid,
                     .rank = -2,  // of no process: so it is told with the first round
                     .generation = map->identity().generation,
                     .start = start_of(map->job()),
                     .host = words.host,
                     .command = words.command,
                     .uid = map->job().uid,
                     .job = map->job().job_id,
                     .program = words.program};
  maps_.emplace(path, Followed{.map = std::move(*map), .process = process, .entry = std::move(entry)});
}

ToldBefore Sampler::told_before(std::uint64_t process) const {
  if (!options_.told_before) return {};
  return [this, process](std::uint64_t file, ModuleId module) { return options_.told_before(process, file, module); };
}

bool Sampler::is_wanted(const Identity& identity, const JobFacts& job) {
  if (options_.pid == 0) return true;
  if (identity.pid != options_.pid && !wanted_.contains(job.parent_pid)) return false;
  wanted_.insert(identity.pid);
  return true;
}

std::uint64_t Sampler::run_of(const Directory& directory, const Identity& identity, const JobFacts& job) const {
  if (directory.kind == Kind::kRun) return directory.run;
  if (job.mpi_job != 0) return job.mpi_job;
  Identity program = identity;
  program.generation = 0;
  return process_id(program, {});
}

void Sampler::tell_run(const Directory& directory, std::uint64_t run, const JobFacts& job, const std::string& command,
                       const std::string& host, Batch& into) {
  if (!runs_.insert(run).second) return;
  // A run says what was started, which may be long gone from among its processes.
  const std::string said = directory.kind == Kind::kRun ? gather::command_of_run(directory.path) : std::string();
  into.runs.push_back({run, start_of(job), said.empty() ? command : said, host});
}

// A process that is gone, or a program that became another one and whose map was put away.
bool Sampler::has_ended(Followed& followed) {
  if (!followed.map.is_there()) return true;
  const Identity& identity = followed.map.identity();
  const bool near = identity.pid_namespace == gather::own_identity().pid_namespace;
  if (near && identity.pid > 0 && ::kill(static_cast<pid_t>(identity.pid), 0) != 0 && errno == ESRCH) return true;
  if (++followed.rounds % kRoundsBetweenChecks != 0 && followed.map.state() == State::kRunning) return false;
  return near && gather::life_of(identity, {}) == gather::Life::kGone;
}

MapSampler::Listener Sampler::listener(std::uint64_t process, Nanoseconds start, Batch& into) {
  return {.more =
              [process, &into](std::uint64_t file, ModuleId module, const FileAmounts& more) {
                for (std::size_t i = 0; i < kOperations; ++i) {
                  if (more[i] == Amount{}) continue;
                  into.intervals.back().rows.push_back({process, file, module, static_cast<Operation>(i), more[i]});
                }
              },
          .name =
              [this, &into](std::uint64_t file, std::string_view name) {
                if (named_.insert(file).second) into.files.push_back({file, std::string(name)});
              },
          .phase =
              [process, start, &into](std::uint64_t number, const log::crash::PhaseSlot& phase) {
                const Nanoseconds end = phase.end == 0 ? 0 : start + span_of(phase.end);
                into.phases.push_back({process, number, phase.thread, phase.depth, start + span_of(phase.begin), end,
                                       std::string(log::crash::name_of(phase))});
              }};
}

void Sampler::follow(Followed& followed, bool ended, Batch& into) {
  // What it did long before this is told apart.
  const bool history = !followed.looked_at && last_ - followed.entry.start > Interval::kLongest;
  followed.looked_at = true;
  if (history) into.intervals.push_back({followed.entry.start, last_, {}});
  followed.map.sample(listener(followed.process, followed.entry.start, into),
                      ended ? MapSampler::Depth::kAll : MapSampler::Depth::kUsual);
  if (history) std::swap(into.intervals.back(), *(into.intervals.end() - 2));
  if (followed.map.kept() != followed.kept) {
    kept_ += followed.map.kept() - followed.kept;
    followed.kept = followed.map.kept();
    into.drops.push_back({followed.process, "kept", followed.kept});
  }
  tell_process(followed, ended, into);
}

void Sampler::tell_process(Followed& followed, bool ended, Batch& into) {
  ProcessEntry now = followed.entry;
  now.rank = followed.map.job().rank;
  now.state = state_of(followed.map.state(), ended);
  if (now == followed.entry) return;
  followed.entry = now;
  into.processes.push_back(std::move(now));
}

}  // namespace trikal::stream
