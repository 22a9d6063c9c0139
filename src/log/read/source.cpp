#include "log/read/source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace trikal::log {
namespace {

Error system_error(const char* what) { return {.code = ErrorCode::kSystem, .sys_errno = errno, .what = what}; }

class FileSource final : public Source {
 public:
  FileSource(int descriptor, std::uint64_t size) : descriptor_(descriptor), size_(size) {}
  ~FileSource() override { ::close(descriptor_); }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  Result<std::size_t> read_at(std::uint64_t offset, MutableBytes out) const override {
    std::size_t done = 0;
    while (done < out.size()) {
      const ssize_t got = ::pread(descriptor_, out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return system_error("cannot read");
      if (got == 0) break;
      done += static_cast<std::size_t>(got);
    }
    return done;
  }
  [[nodiscard]] std::uint64_t size() const override { return size_; }

 private:
  int descriptor_;
  std::uint64_t size_;
};

class MemorySource final : public Source {
 public:
  explicit MemorySource(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}

  Result<std::size_t> read_at(std::uint64_t offset, MutableBytes out) const override {
    if (offset >= bytes_.size() || out.empty()) return std::size_t{0};  // memcpy may not be given null
    const std::size_t count = std::min<std::size_t>(out.size(), bytes_.size() - static_cast<std::size_t>(offset));
    std::memcpy(out.data(), bytes_.data() + offset, count);
    return count;
  }
  [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }

 private:
  std::vector<std::byte> bytes_;
};

}  // namespace

Result<std::unique_ptr<Source>> open_file(const std::string& path, std::uint64_t limit) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return system_error("cannot open");
  struct stat status{};
  if (::fstat(descriptor, &status) != 0 || S_ISDIR(status.st_mode)) {
    if (errno == 0 || S_ISDIR(status.st_mode)) errno = EISDIR;
    const Error error = system_error("cannot open");
    ::close(descriptor);
    return error;
  }
  if (!S_ISREG(status.st_mode)) {  // a pipe or a terminal has no size
    auto source = read_all(descriptor, limit);
    ::close(descriptor);
    return source;
  }
  return std::unique_ptr<Source>(std::make_unique<FileSource>(descriptor, static_cast<std::uint64_t>(status.st_size)));
}

Result<std::unique_ptr<Source>> read_all(int descriptor, std::uint64_t limit) {
  std::vector<std::byte> bytes;
  constexpr std::size_t kStep = 1U << 18;
  for (;;) {
    const std::size_t held = bytes.size();
    if (held > limit) return Error{.code = ErrorCode::kLimit, .offset = held, .what = "input is larger than the limit"};
    if (bytes.capacity() < held + kStep) {
      bytes.reserve(static_cast<std::size_t>(std::min<std::uint64_t>(2 * bytes.capacity(), limit)) + kStep);
    }
    bytes.resize(held + kStep);
    const ssize_t got = ::read(descriptor, bytes.data() + held, kStep);
    if (got < 0 && errno != EINTR) return system_error("cannot read");
    bytes.resize(held + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got == 0) return from_memory(std::move(bytes));
  }
}

std::unique_ptr<Source> from_memory(std::vector<std::byte> bytes) {
  return std::make_unique<MemorySource>(std::move(bytes));
}

}  // namespace trikal::log
