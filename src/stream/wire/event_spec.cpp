#include "stream/wire/event_spec.hpp"

#include "base/text.hpp"

namespace trikal::stream {
namespace {

constexpr std::uint64_t kMostMemory = 4096, kMostSample = 1000000000;

// Digits only; false also where there are too many.
bool read_number(std::string_view text, std::uint64_t most, std::uint64_t& value) noexcept {
  std::uint64_t sum = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    sum = sum * 10 + static_cast<std::uint64_t>(c - '0');
    if (sum > most) return false;
  }
  value = sum;
  return !text.empty();
}

// "12.5"
bool read_seconds(std::string_view text, double& seconds) noexcept {
  constexpr std::uint64_t kMost = 100000000000;
  const std::size_t point = text.find('.');
  std::uint64_t whole = 0, part = 0;
  if (!read_number(text_until(text, point), kMost, whole)) return false;
  seconds = static_cast<double>(whole);
  if (point == std::string_view::npos) return true;
  const std::string_view digits = text_after(text, point + 1);
  if (digits.size() > 9 || !read_number(digits, kMost, part)) return false;
  double scale = 1;
  for (std::size_t i = 0; i < digits.size(); ++i) scale *= 10;
  seconds += static_cast<double>(part) / scale;
  return true;
}

const char* read_level(std::string_view text, EventSpec& spec) noexcept {
  std::uint64_t one_in = 0;
  if (text == "off" || text == "0") return spec.sample = 0, nullptr;
  if (text == "all" || text == "1") return spec.sample = 1, nullptr;
  if (!text.starts_with("1/") || !read_number(text_after(text, 2), kMostSample, one_in) || one_in == 0)
    return "the level is off, all or 1/N";
  spec.sample = static_cast<std::uint32_t>(one_in);
  return nullptr;
}

const char* read_part(std::string_view part, EventSpec& spec) noexcept {
  const std::size_t equals = part.find('=');
  const std::string_view name = text_until(part, equals), value = text_after(part, equals + (equals < part.size()));
  if (part == "details") return spec.details = true, nullptr;
  if (equals == std::string_view::npos || value.empty())
    return "known are interface=, operation=, file=, from=, until=, memory= with a value, and details";
  if (name == "interface") return spec.interfaces = value, nullptr;
  if (name == "operation") return spec.operations = value, nullptr;
  if (name == "file") return spec.files = value, nullptr;
  if (name == "from") return read_moment(value, spec.from, spec.from_is_absolute) ? nullptr : "from= wants seconds";
  if (name == "until") return read_moment(value, spec.until, spec.until_is_absolute) ? nullptr : "until= wants seconds";
  if (name == "memory")
    return read_number(value, kMostMemory, spec.memory) && spec.memory > 0 ? nullptr : "memory= wants 1 to 4096 MiB";
  return "known are interface=, operation=, file=, from=, until=, memory= and details";
}

char folded(char c) noexcept {
  if (c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A' + 'a');
  return c == '_' || c == ' ' ? '-' : c;
}
char same(char c) noexcept { return c; }

// Each * is tried shortest first; only the last one is ever gone back to, so it takes the product of the lengths at most.
template <char (*Fold)(char) noexcept>
bool is_match(std::string_view pattern, std::string_view text) noexcept {
  std::size_t p = 0, t = 0, star = std::string_view::npos, from = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') star = p++, from = t;
    else if (p < pattern.size() && (pattern[p] == '?' || Fold(pattern[p]) == Fold(text[t]))) ++p, ++t;
    else if (star != std::string_view::npos) p = star + 1, t = ++from;
    else return false;
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

template <char (*Fold)(char) noexcept>
bool any_matches(std::string_view list, std::string_view text) noexcept {
  while (!list.empty()) {
    const std::size_t end = list.find('+');
    if (is_match<Fold>(text_until(list, end), text)) return true;
    if (end == std::string_view::npos) return false;
    list = text_after(list, end + 1);
  }
  return false;
}

}  // namespace

bool read_moment(std::string_view text, double& seconds, bool& absolute) noexcept {
  absolute = text.starts_with('@');
  return read_seconds(absolute ? text_after(text, 1) : text, seconds);
}

const char* parse_event_spec(std::string_view text, EventSpec& spec) noexcept {
  spec = {};
  std::size_t end = text.find(',');
  if (const char* problem = read_level(text_until(text, end), spec)) return problem;
  while (end != std::string_view::npos) {
    text = text_after(text, end + 1);
    end = text.find(',');
    if (const char* problem = read_part(text_until(text, end), spec)) return problem;
  }
  return nullptr;
}

bool list_has(std::string_view list, std::string_view text) noexcept { return any_matches<folded>(list, text); }
bool paths_have(std::string_view list, std::string_view path) noexcept { return any_matches<same>(list, path); }

}  // namespace trikal::stream
