#pragma once
// Where settings come from: TRIKAL_NAME in the environment, then Darshan's name for the same thing, then the
// configuration file, whose directives are either of them without the prefix.

#include <cstddef>
#include <string_view>

#include "capture/session/kept_environment.hpp"

namespace trikal::capture {

class Settings {
 public:
  // Copies the environment's and reads the file that TRIKAL_CONFIG or DARSHAN_CONFIG_PATH names, if any. Complains on
  // stderr about directives nobody knows: they are somebody's wish that is not granted.
  void begin() noexcept;

  // Null: not set. What is found stays as it is whatever becomes of the environment. `trikal` and `darshan` are names without their prefix; null: there is none.
  [[nodiscard]] const char* find(const char* trikal, const char* darshan) const noexcept;

  [[nodiscard]] const KeptEnvironment& environment() const noexcept { return environment_; }

  // Calls use(value) for every directive of that name in the file.
  template <class Use>
  void for_each(std::string_view name, const Use& use) const noexcept {
    for (std::size_t i = 0; i < count_; ++i) {
      if (lines_[i].name == name) use(lines_[i].value);
    }
  }

 private:
  struct Line {
    std::string_view name;
    const char* value = nullptr;  // ended by a NUL
  };
  static constexpr std::size_t kMostBytes = 16 * 1024;
  static constexpr std::size_t kMostLines = 128;

  [[nodiscard]] const char* prefixed(std::string_view prefix, const char* name) const noexcept;
  void take_line(char* begin, char* end) noexcept;
  [[nodiscard]] const char* last(std::string_view name) const noexcept;

  std::size_t count_ = 0;
  KeptEnvironment environment_;
  Line lines_[kMostLines] = {};
  char text_[kMostBytes] = {};
};

}  // namespace trikal::capture
