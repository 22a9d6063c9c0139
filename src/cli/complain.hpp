#pragma once
// Only here an Error becomes a sentence on stderr and an exit code.

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "log/read/damage.hpp"
#include "report/text/listing.hpp"

namespace trikal::cli {

// "trikal: FILE: offset N: what: strerror"
[[nodiscard]] std::string sentence(std::string_view file, const Error& error);
// Prints it and returns the exit code that goes with it.
int complain(std::string_view file, const Error& error);
void warn(std::string_view file, std::string_view what);
// One line for each thing that is wrong with the log. The exit code: kDamaged if anything was lost.
int report_damage(std::string_view file, const std::vector<log::Damage>& damage);

// Notices of a listing go to stderr under the file's name.
class FileNotices final : public report::Notices {
 public:
  explicit FileNotices(std::string_view file) : file_(file) {}
  void notice(std::string_view text) override { warn(file_, text); }

 private:
  std::string_view file_;
};

}  // namespace trikal::cli
