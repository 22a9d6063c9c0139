#pragma once
// The document of `trikal report` for a run of a store: of the log that belongs to it, or of a snapshot while it runs.

#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "serve/api.hpp"

namespace trikal::cli {

class RunReports {
 public:
  // A finished log.
  [[nodiscard]] Status add(const std::string& log);
  // Bytes of a log of the run so far; empty: there is none yet.
  void set_snapshot(std::function<std::string()> snapshot) { snapshot_ = std::move(snapshot); }

  // Empty: no log of this run is known. From any thread.
  [[nodiscard]] std::string of(const serve::LoggedRun& run);

 private:
  struct Log {
    std::string path;
    double start = 0;
  };

  std::string of_snapshot(const serve::LoggedRun& run);

  std::mutex mutex_;
  std::vector<Log> logs_;
  std::function<std::string()> snapshot_;
  // Pages ask again and again, and a log of a large job takes a while to make.
  std::chrono::steady_clock::time_point made_{};
  double made_start_ = 0;
  std::string made_text_;
};

}  // namespace trikal::cli
