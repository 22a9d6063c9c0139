#pragma once
// The environment of a program that an observed one starts, completed so that it is observed as well. Programs are
// started with environments that were made anew, whose LD_PRELOAD is replaced by another, or that a title was written
// over. Only LD_PRELOAD taken out or emptied is left as it is: that is how one says not to observe a program.

#include <cstddef>

#include "base/program_kind.hpp"

namespace trikal::capture {

class ChildEnvironment {
 public:
  // Looks at it; the session runs.
  explicit ChildEnvironment(char* const* given) noexcept;

  // Why a program with that environment will not load us.
  [[nodiscard]] Unseen why() const noexcept { return why_; }
  // The same where nobody can complete it.
  [[nodiscard]] Unseen why_left_alone() const noexcept {
    return library_ == Library::kAdd ? Unseen::kEnvironment : why_;
  }
  // That make() needs; 0: it stays as it is.
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  // `is_observed`: the program will load us, and is told which process started it, or it was itself before.
  [[nodiscard]] char* const* make(void* memory, bool is_observed) const noexcept;

 private:
  enum class Library : unsigned char { kLeave, kAdd, kDrop };

  void look() noexcept;
  void decide() noexcept;
  void measure() noexcept;
  [[nodiscard]] bool has(const char* entry) const noexcept;
  // Calls use(entry) for every entry of ours to add.
  template <class Use>
  void for_each_missing(const Use& use) const noexcept;
  // What becomes of an entry, written into `text` if there is any; its length, 0: it is left as it is.
  std::size_t rewrite(const char* entry, char* text) const noexcept;

  char* const* given_;
  std::size_t count_ = 0;
  const char* preload_ = nullptr;  // its value
  bool has_settings_ = false, has_run_paths_ = false, overwritten_ = false;
  bool has_process_ = false, tells_process_ = false;
  Library library_ = Library::kLeave;
  Unseen why_ = Unseen::kNothing;
  std::size_t added_ = 0, bytes_ = 0;
};

}  // namespace trikal::capture
