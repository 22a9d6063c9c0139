#include "watch/snapshot.hpp"

#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "gather/job_log.hpp"
#include "log/read/reader.hpp"

namespace trikal::watch {
namespace {

// A directory of our own that goes with what is in it; in memory where there is such a file system.
class ScratchDirectory {
 public:
  ScratchDirectory() {
    for (const char* parent : {"/dev/shm", "/tmp"}) {
      std::string name = std::string(parent) + "/trikal-snapshot-XXXXXX";
      if (::mkdtemp(name.data()) == nullptr) continue;
      path_ = name;
      return;
    }
  }
  ~ScratchDirectory() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

const char* severity_name(analyze::Severity severity) {
  switch (severity) {
    case analyze::Severity::kInfo: return "info";
    case analyze::Severity::kLow: return "low";
    case analyze::Severity::kMedium: return "medium";
    case analyze::Severity::kHigh: break;
  }
  return "high";
}

void add_findings(const std::string& log, const analyze::Policy& policy, std::vector<SnapshotFinding>& into) {
  auto source = log::open_file(log);
  auto reader = source ? log::Reader::open(std::move(*source)) : Result<std::unique_ptr<log::Reader>>(source.error());
  if (!reader) return;
  const auto run = analyze::read_run(**reader);
  if (!run) return;
  for (const analyze::Finding& finding : analyze::find_all(*run, policy))
    into.push_back({std::string(finding.code), finding.title, severity_name(finding.severity), finding.seconds});
}

}  // namespace

std::string log_of(const std::vector<gather::MapFile>& maps) {
  const ScratchDirectory scratch;
  if (maps.empty() || scratch.path().empty()) return "";
  const auto logs = gather::write_job_logs(maps, {.path = scratch.path() + "/now.darshan", .arguments = {}});
  if (!logs || logs->empty()) return "";
  std::ifstream file(logs->front().path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<SnapshotFinding> findings_of(const std::vector<gather::MapFile>& maps, const analyze::Policy& policy) {
  std::vector<SnapshotFinding> findings;
  const ScratchDirectory scratch;
  if (maps.empty() || scratch.path().empty()) return findings;
  const auto logs = gather::write_job_logs(maps, {.path = scratch.path() + "/now.darshan", .arguments = {}});
  if (!logs) return findings;
  for (const gather::JobLogResult& log : *logs) add_findings(log.path, policy, findings);
  std::ranges::stable_sort(findings, [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
  return findings;
}

}  // namespace trikal::watch
