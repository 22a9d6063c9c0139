#pragma once
// Text on its way out: to a descriptor through a large buffer, or into a string.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "report/screen.hpp"

namespace trikal::report {

enum class Style : std::uint8_t { kPlain, kStrong, kBad, kWarning, kGood, kFaint };
enum class Audience : bool { kProgram, kPerson };

class Sink {
 public:
  virtual ~Sink() = default;
  Sink() = default;
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  // Space for at least `bytes` more; commit what was written.
  char* reserve(std::size_t bytes) {
    if (static_cast<std::size_t>(end_ - at_) < bytes) make_space(bytes);
    return at_;
  }
  void commit(char* end) {
    if (clean_) commit_clean(end);
    else at_ = end;
  }

  void put(std::string_view text) {
    char* at = reserve(text.size());
    text.copy(at, text.size());
    commit(at + text.size());
  }
  void put_int(std::int64_t value);
  void put_uint(std::uint64_t value);
  void put_fixed6(double value);

  // Text in a style, where the screen has colours.
  void put(std::string_view text, Style style);
  // A string of a log as it may stand within a line: without breaks of its own where a person reads it.
  [[nodiscard]] std::string field(std::string_view text) const;
  // Where text that wraps should do so.
  [[nodiscard]] std::size_t width() const { return screen_.width; }

  // Everything handed on; the first error stays and ends all further output.
  virtual Status flush() = 0;
  // False once nobody takes the output any more (a closed pipe): time to stop working.
  [[nodiscard]] virtual bool wanted() const { return true; }

 protected:
  virtual void make_space(std::size_t bytes) = 0;
  char* at_ = nullptr;
  char* end_ = nullptr;
  bool clean_ = false;  // nothing that a terminal would obey passes, but styles
  Screen screen_;

 private:
  void commit_clean(char* end);
};

class DescriptorSink final : public Sink {
 public:
  // What a person reads is cleaned always; what programs read, only on its way to a terminal.
  explicit DescriptorSink(int descriptor, Audience audience = Audience::kProgram);
  ~DescriptorSink() override;
  Status flush() override;
  [[nodiscard]] bool wanted() const override { return status_.ok(); }

 private:
  void make_space(std::size_t bytes) override;
  int descriptor_;
  std::size_t capacity_;
  std::unique_ptr<char[]> buffer_;
  Status status_;
};

class StringSink final : public Sink {
 public:
  Status flush() override { return {}; }
  [[nodiscard]] std::string_view text() const {
    if (at_ == nullptr) return {};  // nothing was put yet
    return {buffer_.data(), static_cast<std::size_t>(at_ - buffer_.data())};
  }
  void clear() {
    if (at_ != nullptr) at_ = buffer_.data();
  }

 private:
  void make_space(std::size_t bytes) override;
  std::string buffer_;
};

}  // namespace trikal::report
