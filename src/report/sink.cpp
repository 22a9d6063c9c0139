#include "report/sink.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/decimal.hpp"
#include "base/utf8.hpp"

namespace trikal::report {

namespace {
constexpr std::size_t kBuffer = 256 * 1024;

std::string_view escape_of(Style style) {
  switch (style) {
    case Style::kPlain: return "\x1b[0m";
    case Style::kStrong: return "\x1b[1m";
    case Style::kBad: return "\x1b[1;31m";
    case Style::kWarning: return "\x1b[33m";
    case Style::kGood: return "\x1b[32m";
    case Style::kFaint: return "\x1b[2m";
  }
  return "";
}
}  // namespace

void Sink::put_int(std::int64_t value) { commit(write_int(reserve(kMaxIntegerText), value)); }
void Sink::put_uint(std::uint64_t value) { commit(write_uint(reserve(kMaxIntegerText), value)); }
void Sink::put_fixed6(double value) { commit(write_fixed6(reserve(kMaxRealText), value)); }

void Sink::commit_clean(char* end) {
  const std::string_view text(at_, static_cast<std::size_t>(end - at_));
  if (printable_run(text, LineBreaks::kKeep) == text.size()) {
    at_ = end;
    return;
  }
  std::string clean;
  append_printable(clean, text, LineBreaks::kKeep);
  char* at = reserve(clean.size());
  clean.copy(at, clean.size());
  at_ = at + clean.size();
}

void Sink::put(std::string_view text, Style style) {
  if (!screen_.colour) return put(text);
  const auto put_escape = [this](Style one) {
    const std::string_view escape = escape_of(one);
    char* at = reserve(escape.size());
    escape.copy(at, escape.size());
    at_ = at + escape.size();
  };
  put_escape(style);
  put(text);
  put_escape(Style::kPlain);
}

std::string Sink::field(std::string_view text) const { return clean_ ? printable(text) : std::string(text); }

DescriptorSink::DescriptorSink(int descriptor, Audience audience)
    : descriptor_(descriptor), capacity_(kBuffer), buffer_(std::make_unique_for_overwrite<char[]>(kBuffer)) {
  at_ = buffer_.get();
  end_ = at_ + capacity_;
  screen_ = screen_of(descriptor);
  clean_ = audience == Audience::kPerson || screen_.is_terminal;
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

void DescriptorSink::make_space(std::size_t bytes) {
  (void)flush();
  if (bytes <= capacity_) return;
  capacity_ = bytes;
  buffer_ = std::make_unique_for_overwrite<char[]>(capacity_);
  at_ = buffer_.get();
  end_ = at_ + capacity_;
}

void StringSink::make_space(std::size_t bytes) {
  const auto used = static_cast<std::size_t>(at_ == nullptr ? 0 : at_ - buffer_.data());
  buffer_.resize(std::max(2 * buffer_.size(), used + bytes));
  at_ = buffer_.data() + used;
  end_ = buffer_.data() + buffer_.size();
}

}  // namespace trikal::report
