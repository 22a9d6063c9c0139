#include "compat/handle.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace trikal::compat {

void complain(const char* function, const char* what) { std::fprintf(stderr, "Error: %s: %s.\n", function, what); }

void complain(const char* function, const std::string& path, const Error& error) {
  std::string line = path + ": " + error.what;
  if (error.sys_errno != 0) line.append(": ").append(std::strerror(error.sys_errno));
  if (error.offset != Error::kNoOffset) line.append(", at byte ").append(std::to_string(error.offset));
  complain(function, line.c_str());
}

darshan_fd_int_state* reading(darshan_fd fd, const char* function) {
  if (fd == nullptr || fd->state == nullptr) {
    complain(function, "no log is open");
    return nullptr;
  }
  if (!fd->state->reader) {
    complain(function, "this log is open for writing");
    return nullptr;
  }
  return fd->state;
}

Error loss_in(const log::Reader& reader, std::string_view where) {
  for (const log::Damage& damage : reader.damage()) {
    if (damage.where == where && damage.severity == log::Damage::Severity::kLoss) return damage.error;
  }
  return {};
}

void* allocate(std::size_t bytes) {
  void* block = std::malloc(bytes > 0 ? bytes : 1);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

}  // namespace trikal::compat
