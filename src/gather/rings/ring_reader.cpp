#include "gather/rings/ring_reader.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>

#include "gather/liveness.hpp"
#include "gather/maps.hpp"
#include "gather/run_directory.hpp"

namespace trikal::gather {
namespace {

constexpr std::string_view kEnding = ".ring";
constexpr std::uint64_t kMillisecond = 1'000'000;
constexpr std::uint64_t kBetweenLooks = 5 * kMillisecond, kBetweenEnds = 100 * kMillisecond;

std::uint64_t now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

std::string map_beside(const std::string& ring) { return ring.substr(0, ring.size() - kEnding.size()) + ".map"; }

// The next program of a process has a map of its own: the one before is gone.
bool has_successor(const std::string& ring) {
  const std::size_t dash = ring.rfind('-');
  if (dash == std::string::npos) return false;
  const unsigned long generation = std::strtoul(ring.c_str() + dash + 1, nullptr, 10);
  const std::string next = ring.substr(0, dash + 1) + std::to_string(generation + 1) + ".map";
  return ::access(next.c_str(), F_OK) == 0;
}

}  // namespace

RingReader::RingReader(std::string directory, Resume resume)
    : directory_(std::move(directory)), resume_(std::move(resume)) {
  const int file = ::open((directory_ + "/rings").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file >= 0) ::close(file);
}

// A ring has one reader.
bool RingReader::is_elected() {
  if (!elected_) elected_ = FileLock(directory_ + "/rings", FileLock::Kind::kAlone);
  return static_cast<bool>(elected_);
}

bool RingReader::has_rings() const {
  return !list_files(directory_, kEnding).empty() || !list_files(overflow_of(directory_), kEnding).empty();
}

void RingReader::refuse(const std::string& path, const Error& why) { refused_.emplace_back(path, why); }

void RingReader::add(const std::string& path) {
  // One that is being made is not refused: it is there before it has anything in it.
  if (!has_begun(path)) return;
  auto file = RingFile::open(path);
  if (!file) return refuse(path, file.error());
  RingProcess process{++numbers_,        file->identity(),   file->sample(),
                      file->start_sec(), file->start_nsec(), map_beside(path)};
  if (resume_) file->resume(resume_(process));
  open_.emplace(path, Entry{std::move(*file), std::move(process)});
}

void RingReader::look() {
  for (const std::string& where : {directory_, overflow_of(directory_)}) {
    for (const std::string& path : list_files(where, kEnding)) {
      const bool is_refused = std::ranges::any_of(refused_, [&](const auto& one) { return one.first == path; });
      if (!is_refused && !open_.contains(path)) add(path);
    }
  }
}

void RingReader::read(Entry& entry, const Use& use) const {
  entry.status = entry.file.read([&](const EventBatch& batch) { use(entry.process, batch); });
}

bool RingReader::settle(const Accept& accept) {
  if (accept && !accept()) return false;
  for (auto next = open_.begin(); next != open_.end();) {
    Entry& entry = next->second;
    entry.file.advance();
    if (!entry.status) refuse(next->first, entry.status.error());
    else if (entry.is_over) ::unlink(next->first.c_str());
    const bool ends = entry.is_over || !entry.status;
    if (ends) end(entry);
    next = ends ? open_.erase(next) : std::next(next);
  }
  return true;
}

bool RingReader::drain(const Use& use, const Accept& accept) {
  const std::uint64_t began = now();
  if (began - last_look_ >= kBetweenLooks) look(), last_look_ = began;
  for (auto& [path, entry] : open_) read(entry, use);
  if (!settle(accept)) return false;
  const bool more = std::ranges::any_of(open_, [](const auto& each) { return each.second.file.has_more(); });
  if (began - last_end_ >= kBetweenEnds && end_finished(use, accept)) last_end_ = began;
  return more;
}

// Seen from here by its number; elsewhere only who has the file tells, and we must not be one of them.
bool RingReader::is_over(Entry& entry) const {
  const log::crash::Identity& identity = entry.process.identity;
  const bool is_near = identity.pid_namespace != 0 && identity.pid_namespace == own_identity().pid_namespace;
  if (is_near && identity.start_ticks != 0)
    return start_ticks_of(identity.pid) != identity.start_ticks || has_successor(entry.file.path());
  entry.file.release();
  return who_maps(entry.file.path()) == Mapped::kByNobody;
}

// First it is known to be over, then it is read once more: so nothing can come behind what was read.
bool RingReader::end_finished(const Use& use, const Accept& accept) {
  for (auto& [path, entry] : open_) entry.is_over = is_over(entry);
  for (auto& [path, entry] : open_) read(entry, use);
  return settle(accept);
}

void RingReader::end(Entry& entry) { ended_.push_back({entry.process, entry.file.threads(), entry.file.counts()}); }

void RingReader::finish(const Use& use, const Accept& accept) {
  if (!is_elected()) return;
  look();
  (void)drain(use, accept);
  (void)end_finished(use, accept);
  for (auto& [path, entry] : open_) end(entry);
  open_.clear();
  elected_ = FileLock();
}

std::vector<RingReader::ProcessCounts> RingReader::counts() const {
  std::vector<ProcessCounts> all = ended_;
  for (const auto& [path, entry] : open_) all.push_back({entry.process, entry.file.threads(), entry.file.counts()});
  return all;
}

}  // namespace trikal::gather
