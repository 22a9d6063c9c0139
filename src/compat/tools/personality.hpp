#pragma once
// Darshan's own program names. Invoked as one of them, trikal takes that program's options and ends as it does:
// 0, or 255 for anything that went wrong. Only the two that write logs tell a wrong command line apart, with 1.

#include <string_view>

namespace trikal::compat {

inline constexpr int kFailed = 255;
inline constexpr int kMisused = 1;

struct Personality {
  std::string_view name;
  int (*run)(int argc, char** argv);
};

// By the last part of argv[0]; null for any other name.
[[nodiscard]] const Personality* find_personality(std::string_view argv0) noexcept;

int run_parser(int argc, char** argv);      // darshan-parser
int run_dxt_parser(int argc, char** argv);  // darshan-dxt-parser
int run_diff(int argc, char** argv);        // darshan-diff
int run_convert(int argc, char** argv);     // darshan-convert
int run_merge(int argc, char** argv);       // darshan-merge
int run_analyzer(int argc, char** argv);          // darshan-analyzer
int run_job_summary(int argc, char** argv);       // darshan-job-summary
int run_summary_per_file(int argc, char** argv);  // darshan-summary-per-file

}  // namespace trikal::compat
