#include "analyze/compare/job_fields.hpp"

#include <map>

namespace trikal::analyze {
namespace {

class JobComparison {
 public:
  JobComparison(const CompareOptions& options, DifferenceSink& sink) : options_(options), sink_(sink) {}

  void field(std::string_view name, Value a, Value b, Unit unit = Unit::kNone) {
    // Tolerances are for quantities: a user or a moment is the same one or it is not.
    const bool time = unit == Unit::kSeconds;
    if (same(a, b, time ? options_.tolerance : Tolerance{})) return;
    differs_ = true;
    const double apart = relative_change(a, b);
    sink_.job_change({name, std::move(a), std::move(b), unit, apart});
  }

  // Keys and values of two lists, by key.
  template <class Pairs>
  void lists(std::string_view prefix, const Pairs& a, const Pairs& b) {
    std::map<std::string_view, std::pair<Value, Value>> all;
    for (const auto& [key, value] : a) all[key].first = std::string(value);
    for (const auto& [key, value] : b) all[key].second = std::string(value);
    for (auto& [key, values] : all) {
      const std::string name = std::string(prefix) + " " + std::string(key);
      field(name, std::move(values.first), std::move(values.second));
    }
  }

  [[nodiscard]] bool differs() const { return differs_; }

 private:
  const CompareOptions& options_;
  DifferenceSink& sink_;
  bool differs_ = false;
};

std::vector<std::pair<std::string_view, std::string_view>> mount_pairs(const log::Job& job) {
  std::vector<std::pair<std::string_view, std::string_view>> pairs;
  pairs.reserve(job.mounts.size());
  for (const log::Mount& mount : job.mounts) pairs.emplace_back(mount.path, mount.type);
  return pairs;
}

}  // namespace

bool compare_jobs(const log::Job& a, const log::Job& b, const CompareOptions& options, DifferenceSink& sink) {
  if (options.ignore_job) return false;
  JobComparison job(options, sink);
  job.field("exe", a.exe, b.exe);
  job.field("uid", a.uid, b.uid, Unit::kId);
  job.field("jobid", a.job_id, b.job_id, Unit::kId);
  job.field("nprocs", a.nprocs, b.nprocs);
  if (!options.ignore_times) {
    job.field("start_time", a.start_sec, b.start_sec, Unit::kId);
    job.field("start_time_nsec", a.start_nsec, b.start_nsec, Unit::kId);
    job.field("end_time", a.end_sec, b.end_sec, Unit::kId);
    job.field("end_time_nsec", a.end_nsec, b.end_nsec, Unit::kId);
    // Old logs count whole seconds and one more: the same job stored in a new log would seem shorter.
    if (a.whole_seconds == b.whole_seconds) job.field("run_time", a.run_time(), b.run_time(), Unit::kSeconds);
  }
  job.lists("metadata", a.metadata_pairs(), b.metadata_pairs());
  job.lists("mount", mount_pairs(a), mount_pairs(b));
  return job.differs();
}

}  // namespace trikal::analyze
