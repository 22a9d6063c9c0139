#pragma once
// For the tests of rules: a run with one file, used through POSIX. Tests change it as they need.

#include "analyze/rules/policy.hpp"

namespace trikal::analyze {

struct OneFile {
  log::Job job;
  Run run;

  explicit OneFile(const Use& use, std::int64_t nprocs = 1) {
    job.nprocs = nprocs;
    run.job = &job;
    run.seconds = 10;
    run.concurrency = static_cast<double>(nprocs);
    run.files.push_back({.id = 1, .name = "/data/out.dat"});
    add(Layer::kPosix, use);
    run.slowest_seconds = use.seconds() / static_cast<double>(nprocs), run.all_seconds = use.seconds();
  }
  void add(Layer layer, const Use& use) {
    const auto at = static_cast<std::size_t>(layer);
    run.files[0].uses[at] = run.uses[at].add(use);
    run.layers[at].present = true;
    run.layers[at].total = use;
  }
  // Another one, used through POSIX.
  void add_file(const Use& use) {
    run.files.push_back({.id = run.files.size() + 1, .name = "/data/other.dat"});
    run.files.back().uses[0] = run.uses[0].add(use);
  }
  void lay_out(std::vector<Component> components) {
    run.files[0].layout = 0;
    run.layouts = {{std::move(components)}};
  }
  [[nodiscard]] std::vector<Finding> look(std::string_view code, const Policy& policy = {}) const {
    std::vector<Finding> found;
    for (Finding& finding : find_all(run, policy)) {
      if (finding.code == code) found.push_back(std::move(finding));
    }
    return found;
  }
};

}  // namespace trikal::analyze
