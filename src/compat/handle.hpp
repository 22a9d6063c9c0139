#pragma once
// What stands behind a darshan_fd: the public struct, and our reader or writer behind its last pointer.

#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "compat/cursor.hpp"
#include "compat/log_writing.hpp"
#include "log/read/reader.hpp"
#include "trikal/compat/darshan-logutils.h"

struct darshan_fd_int_state {
  std::string path;
  // One of the two.
  std::unique_ptr<trikal::log::Reader> reader;
  std::unique_ptr<trikal::compat::LogWriting> writing;
  bool job_seen = false;  // the job was asked for before
  bool failed = false;    // something could not be written: there will be no log
  trikal::compat::Cursor cursor;
};

namespace trikal::compat {

// One line on standard error, as callers of this library expect it: they never get to see an Error.
void complain(const char* function, const char* what);
void complain(const char* function, const std::string& path, const Error& error);

// The state of an open log to read, or null after a line on standard error.
darshan_fd_int_state* reading(darshan_fd fd, const char* function);

// Calls come from C: nothing may be thrown through them. Memory is all that can run out here.
template <class T, class F>
T shielded(const char* function, T otherwise, F&& body) noexcept {
  try {
    return body();
  } catch (const std::exception& oops) {
    complain(function, oops.what());
  }
  return otherwise;
}

// The first loss in `where` that a log opened for salvage has met, or an Error without a code.
[[nodiscard]] Error loss_in(const log::Reader& reader, std::string_view where);

// For what is handed to the caller: C arrays from malloc. Throws bad_alloc.
void* allocate(std::size_t bytes);

}  // namespace trikal::compat
