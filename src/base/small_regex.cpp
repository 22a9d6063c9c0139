#include "base/small_regex.hpp"

#include <algorithm>
#include <cstddef>

#include "base/text.hpp"

namespace trikal {
namespace {

constexpr std::size_t kMostSteps = 200000;

// One thing that matches a single letter: "a", ".", "[a-z]", "\.".
struct Atom {
  std::string_view text;

  [[nodiscard]] bool matches(char c) const noexcept {
    if (text[0] == '.') return true;
    if (text[0] == '\\') return text.size() > 1 && text[1] == c;
    return text[0] == '[' ? in_set(c) : text[0] == c;
  }

 private:
  [[nodiscard]] bool in_set(char c) const noexcept {
    std::string_view set = text_until(text_after(text, 1), text.size() - 2);
    const bool inverted = set.starts_with('^');
    if (inverted) set.remove_prefix(1);
    bool found = false;
    while (!set.empty()) {
      const bool range = set.size() > 2 && set[1] == '-';
      found = found || (range ? set[0] <= c && c <= set[2] : set[0] == c);
      set.remove_prefix(range ? 3 : 1);
    }
    return found != inverted;
  }
};

// A set without its end is taken letter by letter.
Atom first_atom(std::string_view expression) noexcept {
  if (expression[0] == '\\' && expression.size() > 1) return {text_until(expression, 2)};
  if (expression[0] == '[') {
    const std::size_t first = expression.starts_with("[^") ? 3 : 2;  // a ] in front belongs to the set
    const std::size_t end = expression.find(']', first);
    if (end != std::string_view::npos) return {text_until(expression, end + 1)};
  }
  return {text_until(expression, 1)};
}

class Matcher {
 public:
  // Whether the expression matches at the front of the text.
  bool here(std::string_view expression, std::string_view text) noexcept {
    if (++steps_ > kMostSteps) return false;
    if (expression.empty()) return true;
    if (expression == "$") return text.empty();
    const Atom atom = first_atom(expression);
    const std::string_view rest = text_after(expression, atom.text.size());
    const char repeat = rest.empty() ? '\0' : rest[0];
    if (repeat == '*') return repeated(atom, text_after(rest, 1), text, 0, text.size());
    if (repeat == '+') return repeated(atom, text_after(rest, 1), text, 1, text.size());
    if (repeat == '?') return repeated(atom, text_after(rest, 1), text, 0, 1);
    return !text.empty() && atom.matches(text[0]) && here(rest, text_after(text, 1));
  }
  [[nodiscard]] bool tired() const noexcept { return steps_ > kMostSteps; }

 private:
  // As many as can be, then fewer.
  bool repeated(const Atom& atom, std::string_view rest, std::string_view text, std::size_t least,
                std::size_t most) noexcept {
    std::size_t count = 0;
    while (count < std::min(most, text.size()) && atom.matches(text[count])) ++count;
    for (;; --count) {
      if (count < least) return false;
      if (here(rest, text_after(text, count))) return true;
      if (count == 0 || tired()) return false;
    }
  }

  std::size_t steps_ = 0;
};

bool branch_finds(std::string_view expression, std::string_view text) noexcept {
  Matcher matcher;
  if (expression.starts_with('^')) return matcher.here(text_after(expression, 1), text);
  for (std::size_t at = 0; at <= text.size() && !matcher.tired(); ++at) {
    if (matcher.here(expression, text_after(text, at))) return true;
  }
  return false;
}

// Where the first | stands that is no letter of a set and not behind a backslash.
std::size_t branch_end(std::string_view expression) noexcept {
  for (std::size_t at = 0; at < expression.size();) {
    if (expression[at] == '|') return at;
    at += first_atom(text_after(expression, at)).text.size();
  }
  return expression.size();
}

}  // namespace

bool regex_finds(std::string_view expression, std::string_view text) noexcept {
  for (;;) {
    const std::size_t end = branch_end(expression);
    if (branch_finds(text_until(expression, end), text)) return true;
    if (end == expression.size()) return false;
    expression.remove_prefix(end + 1);
  }
}

}  // namespace trikal
