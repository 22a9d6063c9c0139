#include "log/write/output.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/hash.hpp"

namespace trikal::log {

void Output::attach(const FileCalls& calls, int descriptor, MutableBytes buffer, std::uint64_t offset,
                    std::uint64_t limit) {
  calls_ = &calls, descriptor_ = descriptor, buffer_ = buffer, limit_ = limit;
  flushed_ = offset, used_ = 0;
}

Status Output::append(Bytes bytes) {
  while (!bytes.empty()) {
    auto free = space();
    if (!free) return free.error();
    const std::size_t count = std::min(bytes.size(), free->size());
    std::memcpy(free->data(), bytes.data(), count);
    made(count);
    bytes = bytes.subspan(count);
  }
  return {};
}

Result<MutableBytes> Output::space() {
  if (used_ == buffer_.size()) {
    const Status flushed = flush();
    if (!flushed) return flushed.error();
  }
  return buffer_.subspan(used_);
}

void Output::made(std::size_t count) {
  checksum_ = crc32c(buffer_.subspan(used_, count), checksum_);
  used_ += count;
}

Status Output::skip(std::uint64_t count) {
  Status flushed = flush();
  if (flushed) flushed_ += count;
  return flushed;
}

Status Output::flush() {
  const Status written = write_at(flushed_, buffer_.first(used_));
  if (!written) return written;
  flushed_ += used_, used_ = 0;
  return {};
}

Status Output::write_at(std::uint64_t offset, Bytes bytes) {
  if (offset > limit_ || bytes.size() > limit_ - offset) {
    return Error{.code = ErrorCode::kLimit, .offset = offset, .what = "the log would be larger than a file may get"};
  }
  while (!bytes.empty()) {
    const ssize_t done = calls_->pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) {  // no progress is no success
      return Error{.code = ErrorCode::kSystem,
                   .sys_errno = done < 0 ? errno : ENOSPC,
                   .offset = offset,
                   .what = "cannot write the log"};
    }
    bytes = bytes.subspan(static_cast<std::size_t>(done));
    offset += static_cast<std::uint64_t>(done);
  }
  return {};
}

Status Packer::begin() {
  open_ = true, plain_bytes_ = 0;
  return encoder_.begin_stream();
}

Status Packer::append(Bytes plain) {
  plain_bytes_ += plain.size();
  while (!plain.empty()) {
    auto space = output_->space();
    if (!space) return space.error();
    auto step = encoder_.encode(plain, *space, false);
    if (!step) return step.error();
    output_->made(step->produced);
    plain = plain.subspan(step->consumed);
  }
  return {};
}

Status Packer::end() {
  open_ = false;
  for (;;) {
    auto space = output_->space();
    if (!space) return space.error();
    auto step = encoder_.encode({}, *space, true);
    if (!step) return step.error();
    output_->made(step->produced);
    if (step->stream_end) return {};
  }
}

}  // namespace trikal::log
