#pragma once
// What is ours in the environment, copied when the session begins: programs write their titles over the environment's
// memory (setproctitle) and start others with one of their own making.

#include <cstddef>
#include <string_view>

namespace trikal::capture {

class KeptEnvironment {
 public:
  void begin() noexcept;

  // The value that a variable of ours, HOME, LOGNAME, TZ, TZDIR or XDG_STATE_HOME had; null: it was not set.
  [[nodiscard]] const char* find(std::string_view name) const noexcept;

  // The library as LD_PRELOAD named it; empty: it was not loaded by that.
  [[nodiscard]] std::string_view library() const noexcept { return library_; }

  // Whether something else is written by now where LD_PRELOAD was.
  [[nodiscard]] bool is_overwritten() const noexcept;

  // Calls use(entry) with "NAME=value" for every setting of ours.
  template <class Use>
  void for_each_setting(const Use& use) const noexcept {
    for_each([&](const char* entry) {
      if (is_setting(entry)) use(entry);
    });
  }

  [[nodiscard]] static bool is_setting(const char* entry) noexcept;

 private:
  template <class Use>
  void for_each(const Use& use) const noexcept {
    for (const char* entry = text_; entry < text_ + bytes_; entry += std::string_view(entry).size() + 1) use(entry);
  }

  const char* text_ = nullptr;  // entries, each ended by a NUL
  std::size_t bytes_ = 0;
  const char* preload_ = nullptr;  // where LD_PRELOAD lay
  std::string_view library_;
  static constexpr std::size_t kUsualBytes = 4096;  // more are taken from elsewhere
  char usual_[kUsualBytes] = {};
};

// Whether a list like LD_PRELOAD's has our library; `library` is set to it.
[[nodiscard]] bool names_library(std::string_view list, std::string_view* library = nullptr) noexcept;

}  // namespace trikal::capture
