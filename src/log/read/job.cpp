#include "log/read/job.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/bytes.hpp"

namespace trikal::log {
namespace {

// Up to the first NUL, or all of it.
std::string_view text_in(Bytes bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return text.substr(0, text.find('\0'));
}

// "<type>\t<path>"; false if the line is no such pair.
bool parse_mount(std::string_view line, Mount& mount) {
  const std::size_t gap = line.find_first_of("\t ");
  if (gap == 0 || gap == std::string_view::npos) return false;
  const std::size_t path = line.find_first_not_of("\t ", gap);
  if (path == std::string_view::npos) return false;
  mount = {std::string(line.substr(path)), std::string(line.substr(0, gap))};
  return true;
}

void parse_text(std::string_view text, ParsedJob& parsed) {
  std::size_t line_end = text.find('\n');
  parsed.job.exe = text.substr(0, line_end);
  while (line_end != std::string_view::npos) {
    text.remove_prefix(line_end + 1);
    line_end = text.find('\n');
    const std::string_view line = text.substr(0, line_end);
    Mount mount;
    if (parse_mount(line, mount)) parsed.job.mounts.push_back(std::move(mount));
    else if (!line.empty() || line_end != std::string_view::npos) ++parsed.odd_mount_lines;  // a last "\n" is none
  }
  parsed.job.sort_mounts();
}

}  // namespace

void Job::sort_mounts() {
  // Insertion: stable, and the text of a log holds a few hundred mounts at most. (clang 19 refuses the standard
  // library's stable_sort here: it calls a function that C++17 deprecated.)
  const auto longer = [](const Mount& a, const Mount& b) { return a.path.size() > b.path.size(); };
  for (auto next = mounts.begin(); next != mounts.end(); ++next) {
    std::rotate(std::upper_bound(mounts.begin(), next, *next, longer), next, next + 1);
  }
}

double Job::run_time() const {
  if (whole_seconds) return static_cast<double>(end_sec) - static_cast<double>(start_sec) + 1;
  const auto seconds = [](std::int64_t sec, std::int64_t nsec) {
    return static_cast<double>(sec) + static_cast<double>(nsec) / 1e9;
  };
  return seconds(end_sec, end_nsec) - seconds(start_sec, start_nsec);
}

bool Job::is_at_least() const {
  const auto pairs = metadata_pairs();
  return std::ranges::find(pairs, std::pair(kRunTimeKey, kAtLeast)) != pairs.end();
}

void Job::set_at_least(bool at_least) {
  if (at_least == is_at_least()) return;
  const std::string line = std::string(kRunTimeKey) + "=" + std::string(kAtLeast) + "\n";
  if (at_least) metadata += (metadata.empty() || metadata.ends_with('\n') ? "" : "\n") + line;
  else if (const std::size_t found = metadata.find(line); found != std::string::npos)
    metadata.erase(found, line.size());
}

std::vector<std::pair<std::string_view, std::string_view>> Job::metadata_pairs() const {
  std::vector<std::pair<std::string_view, std::string_view>> pairs;
  std::string_view rest = metadata;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    const std::size_t equals = line.find('=');
    if (equals != std::string_view::npos) pairs.emplace_back(line.substr(0, equals), line.substr(equals + 1));
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
  }
  return pairs;
}

const Mount* Job::mount_of(std::string_view file_name) const {
  for (const Mount& mount : mounts) {
    if (file_name.starts_with(mount.path)) return &mount;
  }
  return nullptr;
}

Result<ParsedJob> parse_job(Bytes plain, const Header& header) {
  const bool old = header.minor < kLateModules.back().since_minor;
  const std::size_t numbers = old ? kOldJobNumbers : kJobNumbers;
  const std::size_t struct_bytes = 8 * numbers + kMetadata;
  if (plain.size() < struct_bytes) {
    return Error{.code = ErrorCode::kDamaged, .offset = header.job.offset, .what = "the job region is too short"};
  }
  std::array<std::int64_t, kJobNumbers> n{};
  for (std::size_t i = 0; i < numbers; ++i) {
    const auto raw = load<std::uint64_t>(plain.data() + 8 * i);
    n[i] = static_cast<std::int64_t>(header.foreign ? byteswap(raw) : raw);
  }
  ParsedJob parsed;
  Job& job = parsed.job;
  if (old)
    job = {.uid = n[0], .start_sec = n[1], .end_sec = n[2], .nprocs = n[3], .job_id = n[4], .whole_seconds = true};
  else
    job = {.uid = n[0],
           .start_sec = n[1],
           .start_nsec = n[2],
           .end_sec = n[3],
           .end_nsec = n[4],
           .nprocs = n[5],
           .job_id = n[6]};
  job.metadata = text_in(plain.subspan(8 * numbers, kMetadata));
  parse_text(text_in(plain.subspan(struct_bytes)), parsed);
  return parsed;
}

}  // namespace trikal::log
