#pragma once
// Hides what looks like a secret in a command line before it is kept anywhere. Does not allocate: it runs inside
// observed programs as well as in the tools.

#include <cstddef>
#include <string_view>

namespace trikal {

// Names of arguments whose values are hidden when nobody says otherwise.
inline constexpr std::string_view kSecretNames = "*passw*,*secret*,*token,*api?key,*apikey,*credential*";

struct RedactRules {
  std::string_view patterns = kSecretNames;  // separated by commas; * and ? as in a shell, case does not matter
  bool whole_arguments = false;  // patterns of the user's own also hide arguments that match by themselves
  bool program = false;  // argv[0] is not spared
};

// "none" switches it off; null keeps the defaults.
[[nodiscard]] RedactRules redact_rules(const char* setting) noexcept;

// `arguments`: one behind the other, each ended by a NUL, `length` bytes in all. Values of NAME=VALUE, arguments
// that follow a matching --name, and what stands before @ in a URL become ***. Returns the new length, which is
// never more than `capacity`.
std::size_t redact_arguments(char* arguments, std::size_t length, std::size_t capacity,
                             const RedactRules& rules) noexcept;

// Whether a text matches a pattern with * and ?, upper and lower case alike.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view text) noexcept;

}  // namespace trikal
