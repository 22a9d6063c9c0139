#include "gather/collector.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>

namespace trikal::gather {
namespace {

constexpr std::uint64_t kMillisecond = 1'000'000, kSecond = 1000 * kMillisecond;
// A sweep looks at all maps: of processes whose children still have their map, and of those that nobody told us about.
constexpr std::uint64_t kBetweenSweeps = kSecond, kBetweenPolls = 50 * kMillisecond, kSweepShare = 20;
constexpr std::uint64_t kFirstRetry = 5 * kMillisecond;
constexpr std::time_t kLongestStart = 10;  // seconds
constexpr int kMostTries = 8;  // the last one after half a second; a sweep finds it later
constexpr std::uint64_t kReaderWait = 5 * kSecond, kReaderPoll = 20 * kMillisecond;
constexpr std::size_t kMostWaiting = 4 * 1024 * 1024;
// In memory; what comes later goes to the other directory.
constexpr std::uint64_t kMostInMemory = 4 * 1024 * 1024;

std::uint64_t share_of_memory(const std::string& directory) {
  struct statfs system{};
  if (::statfs(directory.c_str(), &system) != 0 || system.f_blocks == 0) return kMostInMemory;
  return std::min(kMostInMemory, static_cast<std::uint64_t>(system.f_bsize) * system.f_blocks / 16);
}

// A file is there before it is open, and looks as if nobody had it.
bool is_being_made(const std::string& path) {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 && std::time(nullptr) - status.st_ctime < kLongestStart;
}

}  // namespace

Collector::Collector(const RunDirectory& directory) : directory_(directory.path()), readers_(directory.path()) {
  files_.push_back(std::make_unique<FinishedWriter>(finished_file(directory_), share_of_memory(directory_)));
  (void)watch_.add(directory_);
  if (const std::string overflow = directory.overflow(); !overflow.empty()) {
    files_.push_back(std::make_unique<FinishedWriter>(finished_file(overflow), UINT64_MAX));
    (void)watch_.add(overflow_of(directory_));
  } else {
    files_.push_back(std::make_unique<FinishedWriter>(finished_file(directory_), UINT64_MAX));
  }
  note_readers();
}

// Of those that registered before the directory was watched, nobody tells.
void Collector::note_readers() {
  std::error_code error;
  for (std::filesystem::directory_iterator entry(directory_, error), end; !error && entry != end;
       entry.increment(error))
    readers_.note(entry->path().filename().native());
}

// Several `trikal run` of one MPI job share a directory: one of them does the work.
bool Collector::is_elected() {
  if (!elected_) elected_ = FileLock(directory_ + "/collector", FileLock::Kind::kAlone);
  return static_cast<bool>(elected_);
}

int Collector::work() {
  read_news();
  const Moment now = monotonic_nanoseconds();
  if (!is_elected()) return static_cast<int>(kBetweenSweeps / kMillisecond);
  consider_due(now);
  const Moment pause = descriptor() < 0 ? kBetweenPolls : kBetweenSweeps;
  if (news_ && now - last_sweep_ >= std::max(pause, kSweepShare * sweep_took_)) sweep(now);
  return next_call(now);
}

void Collector::finish() {
  ending_ = true;
  if (is_elected()) sweep(monotonic_nanoseconds());
  elected_ = FileLock();
}

void Collector::read_news() {
  const Moment now = monotonic_nanoseconds();
  const auto news = watch_.read([&](const DirectoryWatch::Event& event) {
    readers_.note(event.name);
    if (event.closed && event.name.ends_with(".map"))
      candidates_.try_emplace(event.directory + "/" + std::string(event.name), Candidate{.seen = now, .next = now});
  });
  news_ = news_ || news.any || descriptor() < 0;
}

void Collector::consider_due(Moment now) {
  waiting_bytes_ = 0;
  for (const auto& [path, candidate] : candidates_) waiting_bytes_ += candidate.bytes;
  for (auto entry = candidates_.begin(); entry != candidates_.end();) {
    const bool settled = entry->second.next <= now && settle(entry->first, entry->second, now);
    entry = settled ? candidates_.erase(entry) : std::next(entry);
  }
}

// True: there is nothing more to do about it for now.
bool Collector::settle(const std::string& path, Candidate& candidate, Moment now) {
  switch (consider(path, candidate)) {
    case Outcome::kDone: return true;
    case Outcome::kStays: return stay_.insert(path), true;
    case Outcome::kWaits: return candidate.next = now + kReaderPoll, false;
    case Outcome::kNotYet: break;
  }
  candidate.next = now + (kFirstRetry << candidate.tries);
  return ++candidate.tries >= kMostTries;
}

void Collector::sweep(Moment now) {
  news_ = false;
  for (const std::string& path : run_maps(directory_)) {
    if (stay_.contains(path) || candidates_.contains(path)) continue;
    Candidate candidate{.seen = now, .next = now};
    const Outcome outcome = consider(path, candidate);
    if (outcome == Outcome::kStays) stay_.insert(path);
    if (outcome == Outcome::kWaits) candidates_.emplace(path, candidate);
  }
  if (ending_) consider_due(UINT64_MAX);
  last_sweep_ = now;
  sweep_took_ = monotonic_nanoseconds() - now;
}

int Collector::next_call(Moment now) const {
  Moment next = UINT64_MAX;
  if (news_)
    next = last_sweep_ + std::max(descriptor() < 0 ? kBetweenPolls : kBetweenSweeps, kSweepShare * sweep_took_);
  for (const auto& [path, candidate] : candidates_) next = std::min(next, candidate.next);
  if (next == UINT64_MAX) return -1;
  return next <= now ? 0 : static_cast<int>((next - now) / kMillisecond + 1);
}

// "<pid>-<start ticks>-<generation>.map"; of what is named otherwise only the map can tell.
Collector::Name Collector::name_of(const std::string& path) {
  Name name;
  const std::string file = path.substr(path.rfind('/') + 1);
  if (std::sscanf(file.c_str(), "%ld-%lu-", &name.process.first, &name.process.second) != 2) return {};
  name.lives = name.process.second != 0 && start_ticks_of(name.process.first) == name.process.second;
  return name;
}

Collector::Outcome Collector::consider(const std::string& path, Candidate& candidate) {
  const Name name = name_of(path);
  if (name.lives && who_maps(path) != Mapped::kByNobody) return Outcome::kNotYet;
  const EndedProcess ended = name.lives ? EndedProcess{} : EndedProcess{name.process.first, name.process.second};
  const auto map = MapFile::open(path, ended);
  if (!map) return without_map(path, name);
  const bool became_another = map->facts().state == log::crash::State::kExec;
  if (name.lives ? !became_another : map->life() != Life::kGone) return Outcome::kNotYet;
  if (!map->damage().ok()) return Outcome::kStays;
  if (wait_for_readers(*map, candidate)) return Outcome::kWaits;
  if (!keep(*map)) return Outcome::kStays;
  const bool seen_from_here = map->facts().identity.pid_namespace == own_identity().pid_namespace;
  put_away(path, name, became_another && (name.lives || !seen_from_here));
  return Outcome::kDone;
}

// A process that ended before it noted anything; or only the name of a map that is kept already.
Collector::Outcome Collector::without_map(const std::string& path, const Name& name) {
  const auto markers = markers_.find(name.process);
  const bool is_marker = markers != markers_.end() && std::ranges::find(markers->second, path) != markers->second.end();
  if (name.lives || is_marker || is_being_made(path) || who_maps(path) != Mapped::kByNobody) return Outcome::kNotYet;
  if (has_begun(path))
    return MapFile::open(path) ? Outcome::kNotYet : Outcome::kStays;  // it began just now, or is damaged
  remove_map(path);
  return Outcome::kDone;
}

bool Collector::wait_for_readers(const MapFile& map, Candidate& candidate) {
  const Moment now = monotonic_nanoseconds();
  const bool gives_up = ending_ || now - candidate.seen > kReaderWait || waiting_bytes_ > kMostWaiting;
  if (gives_up || readers_.have_looked_since(candidate.seen)) return false;
  if (candidate.bytes == 0) waiting_bytes_ += candidate.bytes = map.bytes();
  return true;
}

bool Collector::keep(const MapFile& map) {
  const log::crash::MapView view = map.view();
  return std::ranges::any_of(files_, [&](const auto& file) { return file->append(view); });
}

// The next program of a process counts those before it by their maps: while it lives, the name of its map stays.
void Collector::put_away(const std::string& path, const Name& name, bool goes_on) {
  if (goes_on) {
    const std::string marker = path + ".empty";
    const int file = ::open(marker.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file >= 0) ::close(file);
    if (file >= 0 && ::rename(marker.c_str(), path.c_str()) == 0) markers_[name.process].push_back(path);
    return;
  }
  remove_map(path);
  const auto markers = markers_.find(name.process);
  if (markers == markers_.end()) return;
  for (const std::string& marker : markers->second) ::unlink(marker.c_str());
  markers_.erase(markers);
}

}  // namespace trikal::gather
