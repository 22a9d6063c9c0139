#pragma once
// Everything the tools do with a log, in one call: what fuzzers and the mutation driver run on every input.

#include <array>
#include <memory>

#include "log/read/reader.hpp"
#include "report/sink.hpp"

namespace trikal::fuzz {

// Text that nobody reads; its length is all that is kept.
class NullSink final : public report::Sink {
 public:
  NullSink() : buffer_(std::make_unique_for_overwrite<char[]>(kBuffer)), capacity_(kBuffer) { rewind(); }
  Status flush() override {
    written_ += static_cast<std::uint64_t>(at_ - buffer_.get());
    rewind();
    return {};
  }
  [[nodiscard]] std::uint64_t written() {
    (void)flush();
    return written_;
  }

 private:
  static constexpr std::size_t kBuffer = 64 * 1024;

  void make_space(std::size_t bytes) override {
    (void)flush();
    if (bytes <= capacity_) return;
    buffer_ = std::make_unique_for_overwrite<char[]>(bytes);
    capacity_ = bytes;
    rewind();
  }
  void rewind() {
    at_ = buffer_.get();
    end_ = at_ + capacity_;
  }

  std::unique_ptr<char[]> buffer_;
  std::size_t capacity_;
  std::uint64_t written_ = 0;
};

struct Consumed {
  bool opened = false;
  Error error;             // the first; with salvage only from opening, or from a limit
  std::size_t losses = 0;  // damage that lost something
  std::uint64_t names = 0;
  std::array<std::uint64_t, kModuleSlots> records{};
  std::uint64_t text = 0;  // bytes of all listings and exports
  double slowest = 0;      // seconds of processor time of one tool
  const char* slowest_tool = "";

  // Read to its end with nothing to complain about.
  [[nodiscard]] bool clean() const { return opened && error.code == ErrorCode::kNone && losses == 0; }
};

// What is done beside reading every record and listing it all: everything, or one of kChoices. With kNone
// nothing is listed, either.
struct Tools {
  static constexpr std::size_t kChoices = 5;
  static constexpr std::size_t kEvery = kChoices;
  static constexpr std::size_t kNone = kChoices + 1;
  std::size_t choice = kEvery;

  [[nodiscard]] bool wants(std::size_t which) const { return choice == kEvery || choice == which; }
};

// Seconds of processor time of this process so far.
[[nodiscard]] double processor_seconds();

[[nodiscard]] Consumed consume(std::unique_ptr<log::Source> source, const log::ReadOptions& options, Tools tools = {});

// A file in memory with a path, for code that opens files itself.
class MemoryFile {
 public:
  MemoryFile();
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  void set(Bytes content);
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
  std::string path_;
};

}  // namespace trikal::fuzz
