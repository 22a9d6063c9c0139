#include "stream/wire/trace_spec.hpp"

#include "base/text.hpp"
#include "stream/wire/event_spec.hpp"

namespace trikal::stream {
namespace {

constexpr const char* kKnown = "known are file=, rank=, from=, until=, small= and unaligned= with a value";

const char* read_part(std::string_view part, TraceSpec& spec) noexcept {
  const std::size_t equals = part.find('=');
  if (equals == std::string_view::npos || equals + 1 == part.size()) return kKnown;
  const std::string_view name = text_until(part, equals), value = text_after(part, equals + 1);
  if (name == "file") return spec.files = value, nullptr;
  if (name == "rank") return spec.ranks = value, nullptr;
  if (name == "from") return read_moment(value, spec.from, spec.from_is_absolute) ? nullptr : "from= wants seconds";
  if (name == "until") return read_moment(value, spec.until, spec.until_is_absolute) ? nullptr : "until= wants seconds";
  if (name == "small") return read_share(value, spec.small) ? nullptr : "small= wants a share from 0 to 1";
  if (name == "unaligned") return read_share(value, spec.unaligned) ? nullptr : "unaligned= wants a share from 0 to 1";
  return kKnown;
}

std::int64_t number(std::string_view text, std::int64_t otherwise) noexcept {
  if (text.empty()) return otherwise;
  std::int64_t sum = 0;
  for (const char c : text) {
    if (c < '0' || c > '9' || sum > (INT64_MAX - 9) / 10) return -1;
    sum = sum * 10 + (c - '0');
  }
  return sum;
}

}  // namespace

bool read_share(std::string_view text, double& share) noexcept {
  bool absolute = false;
  if (text.starts_with('.')) text.remove_prefix(1);
  else if (!read_moment(text, share, absolute)) return false;
  else return !absolute && share <= 1;
  double scale = 1;
  share = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return false;
    scale /= 10, share += scale * (c - '0');
  }
  return !text.empty();
}

const char* parse_trace_spec(std::string_view text, TraceSpec& spec) noexcept {
  spec = {};
  std::size_t end = text.find(',');
  const std::string_view level = text_until(text, end);
  spec.on = level == "all" || level == "1";
  if (!spec.on && level != "off" && level != "0") return "the level is off or all";
  while (end != std::string_view::npos) {
    text = text_after(text, end + 1);
    end = text.find(',');
    if (const char* problem = read_part(text_until(text, end), spec)) return problem;
  }
  return nullptr;
}

bool ranks_have(std::string_view list, std::int64_t rank) noexcept {
  while (!list.empty()) {
    const std::size_t end = list.find('+');
    const std::string_view item = text_until(list, end);
    const std::size_t colon = item.find(':');
    if (item == "*") return true;
    const std::int64_t first = number(text_until(item, colon), 0);
    const std::int64_t last = colon == std::string_view::npos ? first : number(text_after(item, colon + 1), INT64_MAX);
    if (first >= 0 && first <= rank && rank <= last) return true;
    if (end == std::string_view::npos) return false;
    list = text_after(list, end + 1);
  }
  return false;
}

}  // namespace trikal::stream
