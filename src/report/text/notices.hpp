#pragma once
// What has to be said beside a listing, and what is said in it of data that are incomplete.

#include <string_view>

#include "base/result.hpp"
#include "report/sink.hpp"
#include "schema/module.hpp"

namespace trikal::report {

// Notices that belong beside the text, not in it (unknown modules, incomplete data).
class Notices {
 public:
  virtual ~Notices() = default;
  virtual void notice(std::string_view sentence) = 0;
};

// kUsage with what = kIncomplete: a module is incomplete and the options say to stop there.
inline constexpr const char* kIncomplete = "a module's data are incomplete; --show-incomplete shows them all the same";

// For a module whose partial flag is set: refuses, or warns in the text and beside it.
[[nodiscard]] Status accept_incomplete(Sink& out, const ModuleSchema& schema, bool show, Notices& notices);

}  // namespace trikal::report
