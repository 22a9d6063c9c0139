#include "report/json/event_lines.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace trikal::report {
namespace {

constexpr std::size_t kBuffer = 256 * 1024;
constexpr std::string_view kEventBegins = R"({"type":"event",)";
constexpr std::int64_t kVersion = 1;

Error failed(const char* what) { return {.code = ErrorCode::kSystem, .sys_errno = errno, .what = what}; }

}  // namespace

EventLinesReader::EventLinesReader(int descriptor) : descriptor_(descriptor), buffer_(kBuffer, '\0') {}

EventLinesReader::EventLinesReader(EventLinesReader&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), buffer_(std::move(other.buffer_)) {}

EventLinesReader::~EventLinesReader() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<EventLinesReader> EventLinesReader::open(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return failed("cannot open");
  EventLinesReader reader(descriptor);
  if (::lseek(descriptor, 0, SEEK_CUR) < 0)
    return Error{.code = ErrorCode::kUsage,
                 .what = "a file of events is read twice, because names are at its end: it cannot be a pipe"};
  return reader;
}

bool EventLinesReader::read_more() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_, begin_ = 0;
  }
  if (end_ == buffer_.size() && buffer_.size() >= kLongestLine) {
    status_ = Error{.code = ErrorCode::kDamaged, .offset = offset_, .what = "a line is longer than any line of events"};
    return false;
  }
  if (end_ == buffer_.size()) buffer_.resize(std::min(2 * buffer_.size(), kLongestLine));
  ssize_t got = -1;
  do got = ::read(descriptor_, buffer_.data() + end_, buffer_.size() - end_);
  while (got < 0 && errno == EINTR);
  if (got < 0) status_ = failed("cannot read");
  if (got <= 0) return false;
  end_ += static_cast<std::size_t>(got);
  return true;
}

bool EventLinesReader::next(std::string_view& line) {
  for (std::size_t searched = 0;;) {
    const char* begin = buffer_.data() + begin_;
    const auto* found = static_cast<const char*>(std::memchr(begin + searched, '\n', end_ - begin_ - searched));
    if (found != nullptr) {
      line = {begin, static_cast<std::size_t>(found - begin)};
      begin_ += line.size() + 1;
      return true;
    }
    searched = end_ - begin_;
    if (read_more()) continue;
    if (status_.ok() && searched > 0)
      status_ = Error{.code = ErrorCode::kTruncated, .offset = offset_, .what = "the file ends within a line"};
    return false;
  }
}

Status EventLinesReader::check_head(std::string_view line) {
  if (!object_.parse(line) || !object_.is("type", "head") || !object_.number("version"))
    return Error{.code = ErrorCode::kNotALog, .offset = 0, .what = "not a file of events"};
  if (object_.number("version") != kVersion)
    return Error{.code = ErrorCode::kUnsupported, .offset = 0, .what = "a file of events of another version"};
  return {};
}

Status EventLinesReader::use_line(std::string_view line, Lines lines, const Use& use) {
  if (lines == Lines::kAllButEvents && line.starts_with(kEventBegins)) return {};
  if (Status parsed = object_.parse(line); !parsed) return parsed;
  if (!object_.raw_text("type"))
    return Error{.code = ErrorCode::kDamaged, .offset = 0, .what = "a line that does not say what it is"};
  has_totals_ = object_.is("type", "totals");  // it must be the last
  return use(object_);
}

Status EventLinesReader::for_each(Lines lines, Damage damage, const Use& use) {
  if (::lseek(descriptor_, 0, SEEK_SET) < 0) return failed("cannot read");
  begin_ = end_ = 0, offset_ = 0, has_totals_ = false, status_ = {};
  Status first;
  bool is_head = true;
  for (std::string_view line; next(line); offset_ += line.size() + 1) {
    Status used = is_head ? check_head(line) : use_line(line, lines, use);
    if (!used.ok()) {
      Error error = used.error();
      error.offset = error.offset == Error::kNoOffset ? offset_ : offset_ + error.offset;
      if (first.ok()) first = error;
      if (is_head || damage == Damage::kEnds) return first;
    }
    is_head = false;
  }
  if (!first.ok()) return first;
  if (is_head && (status_.ok() || status_.error().code != ErrorCode::kSystem))
    return Error{.code = ErrorCode::kNotALog, .offset = 0, .what = "not a file of events"};
  if (!status_.ok()) return status_;
  if (!has_totals_)
    return Error{.code = ErrorCode::kTruncated, .offset = offset_, .what = "the file ends before its totals"};
  return {};
}

}  // namespace trikal::report
