#include "compat/tools/output_log.hpp"

#include <unistd.h>

#include <cerrno>

namespace trikal::compat {

Result<std::unique_ptr<log::ToolWriter>> create_log(const std::string& path, log::Codec codec) {
  // Replacing goes by rename, which would not ask for the file's own mode.
  if (::access(path.c_str(), F_OK) == 0 && ::access(path.c_str(), W_OK) != 0) {
    return Error{.code = ErrorCode::kSystem, .sys_errno = errno, .what = "cannot replace it"};
  }
  return log::ToolWriter::create(path, {.codec = codec, .replace = true, .mode = 0400});
}

}  // namespace trikal::compat
