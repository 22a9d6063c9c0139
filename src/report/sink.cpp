#include "report/sink.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/decimal.hpp"

namespace trikal::report {

namespace {
constexpr std::size_t kBuffer = 256 * 1024;
}  // namespace

void Sink::put_int(std::int64_t value) { commit(write_int(reserve(kMaxIntegerText), value)); }
void Sink::put_uint(std::uint64_t value) { commit(write_uint(reserve(kMaxIntegerText), value)); }
void Sink::put_fixed6(double value) { commit(write_fixed6(reserve(kMaxRealText), value)); }

DescriptorSink::DescriptorSink(int descriptor)
    : descriptor_(descriptor), capacity_(kBuffer), buffer_(std::make_unique_for_overwrite<char[]>(kBuffer)) {
  at_ = buffer_.get();
  end_ = at_ + capacity_;
}

DescriptorSink::~DescriptorSink() { (void)flush(); }

Status DescriptorSink::flush() {
  const char* from = buffer_.get();
  while (from < at_ && status_.ok()) {
    const ssize_t wrote = ::write(descriptor_, from, static_cast<std::size_t>(at_ - from));
    if (wrote >= 0) from += wrote;
    else if (errno != EINTR) status_ = Error{.code = ErrorCode::kSystem, .sys_errno = errno, .what = "cannot write"};
  }
  at_ = buffer_.get();
  return status_;
}

void DescriptorSink::make_room(std::size_t bytes) {
  (void)flush();
  if (bytes <= capacity_) return;
  capacity_ = bytes;
  buffer_ = std::make_unique_for_overwrite<char[]>(capacity_);
  at_ = buffer_.get();
  end_ = at_ + capacity_;
}

void StringSink::make_room(std::size_t bytes) {
  const auto used = static_cast<std::size_t>(at_ == nullptr ? 0 : at_ - buffer_.data());
  buffer_.resize(std::max(2 * buffer_.size(), used + bytes));
  at_ = buffer_.data() + used;
  end_ = buffer_.data() + buffer_.size();
}

}  // namespace trikal::report
