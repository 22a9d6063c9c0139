#include "capture/session/settings.hpp"

#include <algorithm>
#include <cstring>

#include "base/short_text.hpp"
#include "base/text.hpp"
#include "capture/raw.hpp"
#include "capture/session/small_file.hpp"

namespace trikal::capture {
namespace {

// Everything a file may set. The last ones are Darshan's and have no effect here; `trikal run` names them.
constexpr ShortText<24> kDirectives[] = {"DISABLE",
                                         "LOGFILE",
                                         "LOGPATH",
                                         "MAP_DIRECTORY",
                                         "MMAP_LOGPATH",
                                         "MEMORY",
                                         "MODMEM",
                                         "MEMALIGN",
                                         "MEM_ALIGNMENT",
                                         "EXCLUDE",
                                         "INCLUDE",
                                         "REDACT",
                                         "REDACT_PROGRAM",
                                         "JOBID",
                                         "MODULES",
                                         "MPI_DEADLINE",
                                         "MOD_DISABLE",
                                         "MOD_ENABLE",
                                         "APP_EXCLUDE",
                                         "APP_INCLUDE",
                                         "RANK_EXCLUDE",
                                         "RANK_INCLUDE",
                                         "NAME_EXCLUDE",
                                         "NAME_INCLUDE",
                                         "CALL_SITES",
                                         "TRACE",
                                         "TRACE_MEMORY",
                                         "TIME_ALL",
                                         "NAMEMEM",
                                         "MAX_RECORDS",
                                         "LOGHINTS",
                                         "DUMP_CONFIG",
                                         "INTERNAL_TIMING",
                                         "DISABLE_SHARED_REDUCTION",
                                         "DXT_SMALL_IO_TRIGGER",
                                         "DXT_UNALIGNED_IO_TRIGGER"};

bool is_blank(char c) noexcept { return c == ' ' || c == '\t' || c == '\r'; }

void complain(std::string_view name) noexcept {
  char text[256];
  FixedText line(text, sizeof text);
  line.put("trikal: the configuration file has a directive nobody knows: ").put(text_until(name, 64)).put("\n");
  (void)raw_syscall(__NR_write, 2, raw_pointer(text), static_cast<long>(line.text().size()));
}

}  // namespace

void Settings::begin() noexcept {
  count_ = 0;
  environment_.begin();
  const char* path = environment_.find("TRIKAL_CONFIG");
  if (path == nullptr) path = environment_.find("DARSHAN_CONFIG_PATH");
  if (path == nullptr) return;
  const std::size_t length = read_small_file(path, text_, kMostBytes - 1).size();
  for (char* at = text_; at < text_ + length;) {
    char* end = std::find(at, text_ + length, '\n');
    *end = '\0';  // there is space for one behind the last line
    take_line(at, end);
    at = end + 1;
  }
}

void Settings::take_line(char* begin, char* end) noexcept {
  char* name = std::find_if_not(begin, end, is_blank);
  if (name == end || *name == '#' || count_ == kMostLines) return;
  char* name_end = std::find_if(name, end, is_blank);
  char* value = std::find_if_not(name_end, end, is_blank);
  while (end > value && is_blank(end[-1])) *--end = '\0';
  const std::string_view text(name, static_cast<std::size_t>(name_end - name));
  if (std::ranges::find(kDirectives, text, &ShortText<24>::view) == std::end(kDirectives)) return complain(text);
  lines_[count_++] = {text, value};
}

const char* Settings::last(std::string_view name) const noexcept {
  const char* found = nullptr;
  for_each(name, [&](const char* value) { found = value; });
  return found;
}

const char* Settings::prefixed(std::string_view prefix, const char* name) const noexcept {
  if (name == nullptr) return nullptr;
  char text[64];
  FixedText full(text, sizeof text);
  full.put(prefix).put(name);
  return full.whole() ? environment_.find(full.text()) : nullptr;
}

const char* Settings::find(const char* trikal, const char* darshan) const noexcept {
  const char* found = prefixed("TRIKAL_", trikal);
  if (found == nullptr) found = prefixed("DARSHAN_", darshan);
  if (found == nullptr && trikal != nullptr) found = last(trikal);
  if (found == nullptr && darshan != nullptr) found = last(darshan);
  return found;
}

}  // namespace trikal::capture
