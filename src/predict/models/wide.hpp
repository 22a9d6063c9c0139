#pragma once
// Wide characters, and the locale that says what bytes they are.

#include <clocale>
#include <string>

#include "predict/machine/machine.hpp"

namespace trikal::predict {

// While it lives this thread has the locale that the program has set.
class ProgramLocale {
 public:
  explicit ProgramLocale(const Machine& machine);
  ~ProgramLocale() { uselocale(before_); }
  ProgramLocale(const ProgramLocale&) = delete;
  ProgramLocale& operator=(const ProgramLocale&) = delete;

 private:
  locale_t before_;
};

// Wide characters up to their end; false: not all are known.
[[nodiscard]] bool wide_characters(Machine& machine, Word at, std::wstring& out);
// The same as bytes.
[[nodiscard]] bool wide_text(Machine& machine, Word at, std::string& out);
[[nodiscard]] std::string narrow(const Machine& machine, const std::wstring& text);

}  // namespace trikal::predict
