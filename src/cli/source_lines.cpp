#include "cli/source_lines.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>

namespace trikal::cli {
namespace {

constexpr std::size_t kLongest = 100;     // of what is shown
constexpr std::int64_t kMostLines = 200000;  // of a file that is searched

bool is_source(std::string_view path) {
  constexpr std::string_view kEndings[] = {".c",   ".cc",  ".cpp", ".cxx", ".h",  ".hpp", ".f",
                                           ".f90", ".F90", ".f03", ".f08", ".py", ".cu",  ".pyx"};
  return std::ranges::any_of(kEndings, [&](std::string_view ending) { return path.ends_with(ending); });
}

// Without its indentation; empty where there is no such line.
std::string line_of(const std::string& path, std::int64_t number) {
  std::error_code ignored;
  if (!is_source(path) || number < 1 || number > kMostLines || !std::filesystem::is_regular_file(path, ignored))
    return {};
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

void show_source_lines(std::vector<analyze::Finding>& findings) {
  std::map<std::pair<std::string, std::int64_t>, std::string> known;
  for (analyze::Finding& finding : findings) {
    for (analyze::FileEvidence& file : finding.files) {
      for (analyze::SiteUse& site : file.sites) {
        const auto [line, is_new] = known.try_emplace({site.source, site.line});
        if (is_new) line->second = line_of(site.source, site.line);
        site.text = line->second;
      }
    }
  }
}

}  // namespace trikal::cli
