#include "base/redact.hpp"

#include <algorithm>
#include <cstring>

#include "base/text.hpp"

namespace trikal {
namespace {

constexpr std::string_view kHidden = "***";

char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool any_matches(std::string_view patterns, std::string_view text) noexcept {
  while (!patterns.empty()) {
    const std::size_t length = std::min(patterns.find(','), patterns.size());
    const std::string_view pattern(patterns.data(), length);
    if (!pattern.empty() && matches(pattern, text)) return true;
    patterns.remove_prefix(std::min(length + 1, patterns.size()));
  }
  return false;
}

// One command line on its way through: arguments are replaced from the front, what follows moves along.
class Redactor {
 public:
  Redactor(char* text, std::size_t length, std::size_t capacity, const RedactRules& rules) noexcept
      : text_(text), length_(length), capacity_(capacity), rules_(rules) {}

  std::size_t run() noexcept {
    bool value_follows = false;
    for (std::size_t at = 0, index = 0; at < length_; ++index) {
      const bool spared = index == 0 && !rules_.program;
      if (!spared) value_follows = visit(at, value_follows);
      at += argument(at).size() + 1;
    }
    return length_;
  }

 private:
  [[nodiscard]] std::string_view argument(std::size_t at) const noexcept {
    const std::string_view rest(text_ + at, length_ - at);
    return text_until(rest, rest.find('\0'));
  }

  // Whether the next argument is a secret.
  bool visit(std::size_t at, bool is_value) noexcept {
    const std::string_view whole = argument(at);
    if (is_value) {
      replace(at, whole.size());
      return false;
    }
    const std::size_t equals = whole.find('=');
    const std::string_view bare = text_after(whole, std::min(whole.find_first_not_of('-'), whole.size()));
    const std::string_view name = text_until(bare, bare.find('='));
    if (!name.empty() && any_matches(rules_.patterns, name)) {
      if (equals != std::string_view::npos) return replace(at + equals + 1, whole.size() - equals - 1), false;
      if (whole.starts_with('-')) return true;
      if (rules_.whole_arguments) replace(at, whole.size());
      return false;
    }
    hide_credentials(at, whole);
    return false;
  }

  // https://user:word@host
  void hide_credentials(std::size_t at, std::string_view whole) noexcept {
    const std::size_t scheme = whole.find("://");
    if (scheme == std::string_view::npos) return;
    const std::size_t begin = scheme + 3;
    const std::string_view host_part = text_until(text_after(whole, begin), text_after(whole, begin).find('/'));
    const std::size_t host = host_part.rfind('@');
    if (host != std::string_view::npos) replace(at + begin, host);
  }

  // Where three stars do not fit, as many as there are characters.
  void replace(std::size_t at, std::size_t bytes) noexcept {
    const std::size_t longest = std::min(kHidden.size(), bytes + (capacity_ - length_));
    const std::string_view hidden = text_until(kHidden, longest);
    std::memmove(text_ + at + hidden.size(), text_ + at + bytes, length_ - at - bytes);
    std::memcpy(text_ + at, hidden.data(), hidden.size());
    length_ = length_ - bytes + hidden.size();
  }

  char* text_;
  std::size_t length_, capacity_;
  const RedactRules& rules_;
};

}  // namespace

bool matches(std::string_view pattern, std::string_view text) noexcept {
  std::size_t p = 0, t = 0;
  std::size_t star = std::string_view::npos, resume = 0;  // where to go on when the last star takes one more character
  while (t < text.size()) {
    if (p < pattern.size() && (pattern[p] == '?' || lower(pattern[p]) == lower(text[t])) && pattern[p] != '*') {
      ++p, ++t;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++, resume = t;
    } else if (star != std::string_view::npos) {
      p = star + 1, t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

RedactRules redact_rules(const char* setting) noexcept {
  if (setting == nullptr || setting[0] == '\0') return {};
  const std::string_view text(setting);
  if (text == "none") return {.patterns = {}};
  return {.patterns = text, .whole_arguments = true};
}

std::size_t redact_arguments(char* arguments, std::size_t length, std::size_t capacity,
                             const RedactRules& rules) noexcept {
  if (rules.patterns.empty()) return length;
  return Redactor(arguments, length, capacity, rules).run();
}

}  // namespace trikal
