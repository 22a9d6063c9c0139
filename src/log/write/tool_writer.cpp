#include "log/write/tool_writer.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace trikal::log {
namespace {

constexpr std::size_t kOutputBytes = 256 * 1024;
constexpr std::size_t kStreams = 16384;
constexpr std::size_t kRowBytes = 256 * 1024;

// Early, so that nobody waits for a conversion that cannot be kept. Renaming over a device would remove it.
Status may_become(const std::string& path, bool replace) {
  struct stat status{};
  if (::lstat(path.c_str(), &status) != 0) return {};
  if (replace && S_ISREG(status.st_mode)) return {};
  if (replace) return Error{.code = ErrorCode::kUsage, .what = "only a regular file can be replaced"};
  return Error{.code = ErrorCode::kSystem, .sys_errno = EEXIST, .what = "cannot create the log"};
}

}  // namespace

ToolWriter::ToolWriter(const std::string& path, const ToolWriteOptions& options)
    : path_(path),
      temporary_(path + ".partial-" + std::to_string(::getpid())),
      encoder_memory_(options.codec == Codec::kZlib ? kZlibEncoderBytes : 0),
      output_(kOutputBytes),
      rows_(kRowBytes),
      streams_(kStreams),
      writer_({encoder_memory_, output_, streams_, rows_}) {}

Result<std::unique_ptr<ToolWriter>> ToolWriter::create(const std::string& path, const ToolWriteOptions& options) {
  const Status free = may_become(path, options.replace);
  if (!free) return free.error();
  std::unique_ptr<ToolWriter> tool(new ToolWriter(path, options));
  const Status started = tool->start(options);
  if (!started) return started.error();
  return tool;
}

Status ToolWriter::start(const ToolWriteOptions& options) {
  WriteOptions write{.level = options.level, .stream_bytes = options.stream_bytes, .trailer = options.trailer};
  if (options.codec == Codec::kNone) write.encoder = make_plain_encoder();
  if (options.codec == Codec::kBzip2) {
    bzip2_ = std::make_unique<Bzip2Encoder>();
    write.encoder = bzip2_->encoder();
  }
  const WriteTarget target{
      .path = path_.c_str(), .temporary = temporary_.c_str(), .mode = options.mode, .replace = options.replace};
  return writer_.create(target, write);
}

}  // namespace trikal::log
