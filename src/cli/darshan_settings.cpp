#include "cli/darshan_settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/small_regex.hpp"

namespace trikal::cli {
namespace {

// docs/configuration.md says what those do.
constexpr std::string_view kFollowed[] = {
    "DARSHAN_APP_EXCLUDE", "DARSHAN_APP_INCLUDE", "DARSHAN_CONFIG_PATH", "DARSHAN_DISABLE",
    "DARSHAN_DISABLE_SHARED_REDUCTION", "DARSHAN_EXCLUDE_DIRS", "DARSHAN_INTERNAL_TIMING", "DARSHAN_JOBID",
    "DARSHAN_MEMALIGN", "DARSHAN_MEM_ALIGNMENT", "DARSHAN_MODMEM", "DARSHAN_MOD_DISABLE", "DARSHAN_MOD_ENABLE",
    "DARSHAN_RANK_EXCLUDE", "DARSHAN_RANK_INCLUDE", "DXT_ENABLE_IO_TRACE", "DARSHAN_DXT_SMALL_IO_TRIGGER",
    "DARSHAN_DXT_UNALIGNED_IO_TRIGGER",
    "DARSHAN_ENABLE_NONMPI",  // programs without MPI are observed anyway
    // docs/formats/ldms.md
    "DARSHAN_LDMS_AUTH", "DARSHAN_LDMS_ENABLE", "DARSHAN_LDMS_ENABLE_ALL", "DARSHAN_LDMS_ENABLE_HDF5",
    "DARSHAN_LDMS_ENABLE_MPIIO", "DARSHAN_LDMS_ENABLE_POSIX", "DARSHAN_LDMS_ENABLE_STDIO", "DARSHAN_LDMS_HOST",
    "DARSHAN_LDMS_PORT", "DARSHAN_LDMS_STREAM", "DARSHAN_LDMS_VERBOSE", "DARSHAN_LDMS_XPRT",
    // of programs without the help of `trikal run`, which names the log and keeps maps itself
    "DARSHAN_LOGFILE", "DARSHAN_LOGPATH", "DARSHAN_MMAP_LOGPATH"};
constexpr std::string_view kIdle[] = {"NAMEMEM", "MAX_RECORDS", "LOGHINTS", "DUMP_CONFIG"};
constexpr std::string_view kWithExpressions[] = {"NAME_EXCLUDE", "NAME_INCLUDE", "APP_EXCLUDE", "APP_INCLUDE"};
constexpr std::string_view kBlanks = " \t\r";

template <class List>
bool contains(const List& list, std::string_view name) {
  return std::ranges::find(list, name) != std::end(list);
}

struct Directive {
  std::string_view name, value;  // the value up to the first blank
};

std::string_view first_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
  text.remove_prefix(word.size());
  return word;
}

std::vector<Directive> directives_of(std::string_view text) {
  std::vector<Directive> found;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::string_view name = first_word(line);
    if (!name.empty() && name.front() != '#') found.push_back({name, first_word(line)});
  }
  return found;
}

std::vector<std::string> refused(std::string_view name, std::string_view list) {
  std::vector<std::string> said;
  while (!list.empty()) {
    const std::string_view one = list.substr(0, list.find(','));
    list.remove_prefix(std::min(one.size() + 1, list.size()));
    if (const std::string_view problem = regex_problem(one); !problem.empty())
      said.push_back(fmt::format("{}: the regular expression {} {}: it matches nothing", name, one, problem));
  }
  return said;
}

const char* configuration_path() {
  const char* path = std::getenv("TRIKAL_CONFIG");
  return path != nullptr ? path : std::getenv("DARSHAN_CONFIG_PATH");
}

void add(std::vector<std::string>& to, std::vector<std::string> more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

std::vector<std::string> idle_variables(const char* const* environment) {
  std::vector<std::string> found;
  for (; *environment != nullptr; ++environment) {
    const std::string_view line(*environment), name = line.substr(0, line.find('='));
    const bool of_darshan = name.starts_with("DARSHAN_") || name.starts_with("DXT_");
    if (of_darshan && !contains(kFollowed, name)) found.emplace_back(name);
  }
  std::ranges::sort(found);
  return found;
}

std::vector<std::string> idle_directives(std::string_view configuration) {
  std::vector<std::string> found;
  for (const Directive& one : directives_of(configuration)) {
    if (contains(kIdle, one.name) && !contains(found, one.name)) found.emplace_back(one.name);
  }
  return found;
}

std::vector<std::string> refused_expressions(std::string_view configuration) {
  std::vector<std::string> said;
  for (const Directive& one : directives_of(configuration)) {
    if (contains(kWithExpressions, one.name)) add(said, refused(one.name, one.value));
  }
  return said;
}

std::vector<std::string> idle_settings() {
  std::vector<std::string> said;
  if (const auto names = idle_variables(environ); !names.empty())
    said.push_back(fmt::format("set, but without effect here: {}", fmt::join(names, ", ")));
  for (const char* name : {"APP_EXCLUDE", "APP_INCLUDE"}) {
    if (const char* list = std::getenv(fmt::format("DARSHAN_{}", name).c_str()))
      add(said, refused(fmt::format("DARSHAN_{}", name), list));
  }
  const char* path = configuration_path();
  if (path == nullptr) return said;
  std::ifstream file(path);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (const auto names = idle_directives(text.str()); !names.empty())
    said.push_back(fmt::format("without effect here, in {}: {}", path, fmt::join(names, ", ")));
  for (const std::string& one : refused_expressions(text.str())) said.push_back(fmt::format("{}, {}", path, one));
  return said;
}

}  // namespace trikal::cli
