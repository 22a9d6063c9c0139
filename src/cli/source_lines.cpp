#include "cli/source_lines.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <string>
#include <string_view>

namespace trikal::cli {
namespace {

constexpr std::size_t kLongest = 100;                 // of what is shown
constexpr std::int64_t kLargest = 16LL * 1024 * 1024;  // a file that is searched; no source is larger

bool is_source(std::string_view path) {
  constexpr std::string_view kEndings[] = {".c",   ".cc",  ".cpp", ".cxx", ".h",   ".hh", ".hpp", ".f",  ".F",
                                           ".f90", ".F90", ".f95", ".f03", ".f08", ".py", ".pyx", ".cu", ".jl"};
  return std::ranges::any_of(kEndings, [&](std::string_view ending) { return path.ends_with(ending); });
}

bool is_of_the_run(const std::string& path, const log::Job& job) {
  struct stat file{};
  if (stat(path.c_str(), &file) != 0 || !S_ISREG(file.st_mode) || file.st_size > kLargest) return false;
  return job.start_sec <= 0 || file.st_mtim.tv_sec <= job.start_sec;  // what runs was compiled before
}

// Without its indentation; empty where there is no such line.
std::string line_of(const std::string& path, std::int64_t number, const log::Job& job) {
  if (!is_source(path) || number < 1 || !is_of_the_run(path, job)) return {};
  std::ifstream file(path);
  std::string line;
  for (std::int64_t at = 0; at < number; ++at) {
    if (!std::getline(file, line)) return {};
  }
  line.erase(0, std::min(line.find_first_not_of(" \t"), line.size()));
  if (line.size() > kLongest) line.resize(kLongest);
  return line;
}

}  // namespace

void show_source_lines(const analyze::Run& run, std::vector<analyze::Finding>& findings) {
  std::map<std::pair<std::string, std::int64_t>, std::string> known;
  for (analyze::Finding& finding : findings) {
    for (analyze::FileEvidence& file : finding.files) {
      for (analyze::SiteUse& site : file.sites) {
        const auto [line, is_new] = known.try_emplace({site.source, site.line});
        if (is_new) line->second = line_of(site.source, site.line, *run.job);
        site.text = line->second;
      }
    }
  }
}

}  // namespace trikal::cli
