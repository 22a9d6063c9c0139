#include "base/near_names.hpp"

#include <algorithm>
#include <utility>

namespace trikal {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool contains(std::string_view text, std::string_view part) {
  return std::ranges::search(text, part, {}, lower, lower).begin() != text.end();
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t most) {
  const std::size_t gap = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (gap > most) return most + 1;
  // Three rows of the table are enough: a swap looks two back.
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) now[j] = std::min(now[j], before[j - 2] + 1);
    }
    if (*std::ranges::min_element(now) > most) return most + 1;
    std::swap(before, last);
    std::swap(last, now);
  }
  return std::min(last[b.size()], most + 1);
}

std::vector<std::string_view> near_names(std::string_view wanted, std::span<const std::string> names,
                                         std::size_t count) {
  const std::size_t most = std::max<std::size_t>(1, std::min<std::size_t>(4, wanted.size() / 3));
  std::vector<std::pair<std::size_t, std::string_view>> close;
  for (const std::string& name : names) {
    const std::size_t distance = edit_distance(wanted, name, most);
    if (distance <= most) close.emplace_back(distance, name);
    // Half a name is a worse guess than a typo; less to add is a better one.
    else if (wanted.size() >= 3 && contains(name, wanted)) close.emplace_back(name.size() - wanted.size() + most, name);
  }
  std::ranges::stable_sort(close, {}, &std::pair<std::size_t, std::string_view>::first);
  std::vector<std::string_view> best;
  for (const auto& [distance, name] : close) {
    if (best.size() < count) best.push_back(name);
  }
  return best;
}

}  // namespace trikal
