#include "cli/policy_option.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "cli/complain.hpp"

namespace trikal::cli {
namespace {

constexpr const char* kSystemPolicy = "/etc/trikal/policy";

// The whole file, if it is no larger than any policy; an errno else.
int read_text(const char* path, std::string& text) {
  constexpr std::size_t kMost = 1U << 20U;
  std::FILE* file = std::fopen(path, "r");
  if (file == nullptr) return errno;
  text.resize(kMost + 1);
  text.resize(std::fread(text.data(), 1, text.size(), file));
  const int failed = std::ferror(file) != 0 ? EIO : text.size() > kMost ? EFBIG : 0;
  std::fclose(file);
  return failed;
}

}  // namespace

void PolicyOption::declare(CommandLine& app) {
  app.add_option("--policy", path,
                 "mute rules or change their limits as this file says (default: TRIKAL_POLICY, else "
                 "/etc/trikal/policy)")
      ->type_name("PATH")
      ->group("What to show");
}

int PolicyOption::load() {
  const char* variable = std::getenv("TRIKAL_POLICY");  // NOLINT: nobody else changes the environment
  const bool is_systems = path.empty() && variable == nullptr;
  const std::string file = !path.empty() ? path : is_systems ? kSystemPolicy : variable;
  if (file.empty()) return kOk;  // TRIKAL_POLICY= switches the system's off
  std::string text;
  if (const int failed = read_text(file.c_str(), text); failed != 0) {
    if (is_systems && failed == ENOENT) return kOk;
    return complain(file, {.code = ErrorCode::kSystem, .sys_errno = failed, .what = "cannot read the policy"});
  }
  const auto wrong = policy.read(text);
  if (!wrong) return kOk;
  warn(fmt::format("{}:{}", file, wrong->line), wrong->what);
  return kUsage;
}

}  // namespace trikal::cli
