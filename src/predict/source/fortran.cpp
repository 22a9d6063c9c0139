#include "predict/source/fortran.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace trikal::predict {
namespace {

namespace fs = std::filesystem;

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The words of a line in lower case, without its comment.
std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : line + " ") {
    if (c == '!') break;
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      continue;
    }
    if (!word.empty()) words.push_back(std::move(word));
    word.clear();
    if (c == '(' || c == '=' || c == '\'' || c == '"') break;
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

struct Modules {
  std::set<std::string> has, uses;
};

Modules modules_of(const std::string& text) {
  Modules found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> words = words_of(line);
    if (words.size() >= 2 && words[0] == "module" && words[1] != "procedure" && words[1] != "subroutine" &&
        words[1] != "function")
      found.has.insert(words[1]);
    if (words.size() >= 2 && words[0] == "use") {
      const bool kind = words[1] == "intrinsic" || words[1] == "non_intrinsic";
      if (!kind || words.size() >= 3) found.uses.insert(words[kind ? 2 : 1]);
    }
    if (words.size() >= 1 && words[0] == "submodule") {  // submodule (parent) name
      const std::size_t open = line.find('('), end = line.find_first_of(":)", open == std::string::npos ? 0 : open);
      if (open == std::string::npos || end == std::string::npos) continue;
      const std::vector<std::string> parent = words_of(line.substr(open + 1, end - open - 1));
      if (!parent.empty()) found.uses.insert(parent[0]);
    }
  }
  return found;
}

bool is_fortran(const SourceFile& source) { return language_of(source.path) == Language::kFortran; }

using ByFile = std::map<std::string, Modules>;
ByFile look_at(const std::vector<SourceFile>& sources) {
  ByFile all;
  for (const SourceFile& source : sources)
    if (is_fortran(source)) all[source.path] = modules_of(contents(source.path));
  return all;
}

void collect(const ByFile& all, const std::string& path, std::vector<std::string>& out) {
  const auto here = all.find(path);
  if (here == all.end()) return;
  for (const std::string& module : here->second.uses)
    for (const auto& [file, modules] : all) {
      if (file == path || !modules.has.contains(module) || std::ranges::find(out, file) != out.end()) continue;
      out.push_back(file);
      collect(all, file, out);
    }
}

}  // namespace

std::vector<std::string> files_behind(const SourceFile& source, const std::vector<SourceFile>& sources) {
  std::vector<std::string> out;
  if (is_fortran(source)) collect(look_at(sources), source.path, out);
  return out;
}

void order_by_modules(std::vector<SourceFile>& sources) {
  const ByFile all = look_at(sources);
  if (all.size() < 2) return;
  std::map<std::string, std::size_t> behind;  // how many each needs: those needed have fewer
  for (const SourceFile& source : sources) {
    std::vector<std::string> needed;
    collect(all, source.path, needed);
    behind[source.path] = needed.size();
  }
  std::ranges::stable_sort(sources, {}, [&](const SourceFile& source) { return behind[source.path]; });
}

bool misses_module(const SourceFile& source, const std::vector<SourceFile>& sources, const std::string& module) {
  if (!is_fortran(source) || !modules_of(contents(source.path)).uses.contains(module)) return false;
  return std::ranges::none_of(look_at(sources), [&](const auto& one) { return one.second.has.contains(module); });
}

std::vector<std::string> flang_options(const std::vector<std::string>& options) {
  constexpr std::string_view kSame[] = {
      "-fdefault-real-8", "-fdefault-integer-8", "-fdefault-double-8", "-ffixed-form", "-ffree-form", "-cpp", "-nocpp",
      "-fopenmp"};
  constexpr std::string_view kLength = "-ffixed-line-length-";
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::string& word = options[i];
    if (word == "-I" || word == "-D" || word == "-U") {
      kept.push_back(word);
      if (i + 1 < options.size()) kept.push_back(options[++i]);
    } else if (word == "-J" || word == "-include" || word == "-isystem") {
      ++i;
    } else if (word.starts_with("-I") || word.starts_with("-D") || word.starts_with("-U") ||
               std::ranges::find(kSame, word) != std::end(kSame)) {
      kept.push_back(word);
    } else if (word.starts_with(kLength)) {
      kept.push_back("-ffixed-line-length=" + word.substr(kLength.size()));
    }
  }
  return kept;
}

std::vector<std::string> included_files(const SourceFile& source, const std::string& text) {
  std::vector<std::string> out;
  std::vector<fs::path> folders = {fs::path(source.path).parent_path(), source.directory};
  for (std::size_t i = 0; i < source.options.size(); ++i) {
    if (source.options[i] == "-I" && i + 1 < source.options.size()) folders.emplace_back(source.options[i + 1]);
    else if (source.options[i].starts_with("-I")) folders.emplace_back(source.options[i].substr(2));
  }
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = line.find_first_not_of(" \t#");
    if (begin == std::string::npos || line.size() < begin + 7) continue;
    std::string word = line.substr(begin, 7);
    for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const std::size_t open = line.find_first_of("'\"<", begin + 7);
    if (word != "include" || open == std::string::npos) continue;
    const std::size_t end = line.find_first_of("'\">", open + 1);
    if (end == std::string::npos) continue;
    for (const fs::path& folder : folders) {
      const fs::path file = folder / line.substr(open + 1, end - open - 1);
      std::error_code error;
      if (!fs::is_regular_file(file, error) || std::ranges::find(out, file.string()) != out.end()) continue;
      out.push_back(file.string());
      break;
    }
  }
  return out;
}

}  // namespace trikal::predict
