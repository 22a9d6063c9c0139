#include "cli/run_reports.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "analyze/rules/policy.hpp"
#include "analyze/rules/rule.hpp"
#include "cli/site_names.hpp"
#include "cli/version.hpp"
#include "log/read/reader.hpp"
#include "report/json/run_data.hpp"

namespace trikal::cli {
namespace {

// A log's run began when its first process did, a store's when trikal watch was told to start it.
constexpr double kApart = 2;  // seconds
constexpr double kNano = 1e-9;
constexpr auto kFresh = std::chrono::seconds(3);

Result<std::unique_ptr<log::Reader>> open_log(const std::string& path) {
  auto source = log::open_file(path);
  if (!source) return source.error();
  return log::Reader::open(std::move(*source));
}

double start_of(const log::Reader& reader) {
  const log::Job& job = reader.job();
  return static_cast<double>(job.start_sec) + static_cast<double>(job.start_nsec) * kNano;
}

bool belongs(double log_start, const serve::LoggedRun& run) { return std::abs(log_start - run.start) <= kApart; }

// Empty if it cannot be read.
std::string document_of(log::Reader& reader, const std::string& path) {
  auto run = analyze::read_run(reader);
  if (!run) return "";
  name_nameless_sites(*run);
  report::StringSink out;
  report::write_report_json(out, *run, analyze::find_all(*run, {}), {path, reader.file_size(), kVersion});
  return std::string(out.text());
}

// A file that is gone again when this is.
class ScratchFile {
 public:
  explicit ScratchFile(const std::string& bytes) {
    for (const char* folder : {"/dev/shm", "/tmp"}) {
      std::string name = std::string(folder) + "/trikal-report-XXXXXX";
      const int file = ::mkstemp(name.data());
      if (file < 0) continue;
      std::size_t done = 0;
      for (ssize_t wrote = 1; done < bytes.size() && wrote > 0;
           done += static_cast<std::size_t>(std::max<ssize_t>(0, wrote)))
        wrote = ::write(file, bytes.data() + done, bytes.size() - done);
      ::close(file);
      path_ = name;
      if (done == bytes.size()) return;
      ::unlink(path_.c_str()), path_.clear();
    }
  }
  ~ScratchFile() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

Status RunReports::add(const std::string& log) {
  const auto reader = open_log(log);
  if (!reader) return reader.error();
  logs_.push_back({log, start_of(**reader)});
  return {};
}

std::string RunReports::of(const serve::LoggedRun& run) {
  const std::lock_guard lock(mutex_);
  if (!made_text_.empty() && made_start_ == run.start &&
      (!snapshot_ || std::chrono::steady_clock::now() - made_ < kFresh))
    return made_text_;
  std::string text = of_snapshot(run);
  for (std::size_t i = 0; i < logs_.size() && text.empty(); ++i) {
    if (!belongs(logs_[i].start, run)) continue;
    if (auto reader = open_log(logs_[i].path)) text = document_of(**reader, logs_[i].path);
  }
  if (!text.empty()) made_text_ = text, made_start_ = run.start, made_ = std::chrono::steady_clock::now();
  return text;
}

std::string RunReports::of_snapshot(const serve::LoggedRun& run) {
  if (!snapshot_) return "";
  const std::string bytes = snapshot_();
  if (bytes.empty()) return "";
  const ScratchFile file(bytes);
  if (file.path().empty()) return "";
  auto reader = open_log(file.path());
  if (!reader || !belongs(start_of(**reader), run)) return "";
  return document_of(**reader, "the run so far");
}

}  // namespace trikal::cli
