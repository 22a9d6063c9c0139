// Streams that are open when a program begins.

#include <fcntl.h>
#include <sys/stat.h>

#include "capture/raw.hpp"
#include "modules/stdio/capture.hpp"

namespace trikal::modules::stdio {
namespace {

// Whoever is at the other end decides how long a call takes.
bool is_pipe(int fd) noexcept {
  struct stat status{};
  if (capture::raw_syscall(__NR_fstat, fd, capture::raw_pointer(&status)) != 0) return false;
  const auto kind = static_cast<unsigned>(status.st_rdev >> 8 & 0xfff);  // major() would be a call into libc
  const bool is_terminal = S_ISCHR(status.st_mode) && (kind == 4 || kind == 5 || (kind >= 136 && kind <= 143));
  return S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode) || is_terminal;
}

}  // namespace

bool is_standard_pipe(std::string_view name) noexcept {
  const int fd = name == "<STDIN>" ? 0 : name == "<STDOUT>" ? 1 : name == "<STDERR>" ? 2 : -1;
  return fd >= 0 && is_pipe(fd);
}

Stream* standard_stream(FILE* stream) noexcept {
  const char* name = stream == stdin    ? "<STDIN>"
                     : stream == stdout ? "<STDOUT>"
                     : stream == stderr ? "<STDERR>"
                                        : nullptr;
  if (name == nullptr) return nullptr;
  capture::File* file = capture::session.files.find_or_add(name);
  StdioFile* record = record_of(file);
  if (record == nullptr) return nullptr;
  {
    const capture::Locked locked(record->lock);
    if (locked && record->record.at<"STDIO_OPENS">() == 0) record->record.at<"STDIO_OPENS">() = 1;
  }
  return streams.set(stream, record, file);
}

}  // namespace trikal::modules::stdio
