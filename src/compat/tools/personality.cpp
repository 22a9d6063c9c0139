#include "compat/tools/personality.hpp"

namespace trikal::compat {
namespace {

// The build makes a link to trikal for each of these (src/cli/CMakeLists.txt).
constexpr Personality kPersonalities[] = {
    {"darshan-parser", run_parser},
    {"darshan-dxt-parser", run_dxt_parser},
    {"darshan-diff", run_diff},
    {"darshan-convert", run_convert},
    {"darshan-merge", run_merge},
    {"darshan-analyzer", run_analyzer},
    {"darshan-job-summary", run_job_summary},
    {"darshan-summary-per-file", run_summary_per_file},
};

}  // namespace

const Personality* find_personality(std::string_view argv0) noexcept {
  const std::string_view name = argv0.substr(argv0.rfind('/') + 1);  // npos + 1 is 0
  for (const Personality& personality : kPersonalities) {
    if (personality.name == name) return &personality;
  }
  return nullptr;
}

}  // namespace trikal::compat
