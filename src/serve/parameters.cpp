#include "serve/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/utf8.hpp"

namespace trikal::serve {
namespace {

constexpr std::int64_t kFarthest = std::int64_t{1} << 40;  // seconds since 1970
constexpr std::size_t kMostParameters = 32;

std::optional<storage::By> group_of(std::string_view word) {
  const auto found = std::ranges::find(storage::kGroupNames, word);
  if (found == storage::kGroupNames.end()) return {};
  return static_cast<storage::By>(found - storage::kGroupNames.begin());
}

}  // namespace

Parameters::Parameters(const HttpRequest& request) : left_(request.parameters) {
  left_.erase("token");
  if (left_.size() > kMostParameters) refuse("too many parameters");
}

void Parameters::refuse(std::string problem) {
  if (problem_.empty()) problem_ = std::move(problem);
}

std::optional<std::string> Parameters::text(const std::string& name) {
  const auto [first, last] = left_.equal_range(name);
  if (first == last) return {};
  std::optional<std::string> value = first->second;
  if (std::next(first) != last) refuse(fmt::format("{} is there twice", printable(name)));
  left_.erase(first, last);
  return value;
}

std::optional<std::int64_t> Parameters::number(const std::string& name, std::int64_t least, std::int64_t most) {
  const std::optional<std::string> word = text(name);
  if (!word) return {};
  std::int64_t value = 0;
  const char* end = word->data() + word->size();
  const auto [rest, error] = std::from_chars(word->data(), end, value);
  if (error == std::errc() && rest == end && value >= least && value <= most) return value;
  refuse(fmt::format("{} must be a whole number from {} to {}", printable(name), least, most));
  return {};
}

std::string Parameters::word(const std::string& name, std::initializer_list<std::string_view> allowed) {
  const std::string given = text(name).value_or(std::string(*allowed.begin()));
  if (std::ranges::find(allowed, given) == allowed.end())
    refuse(fmt::format("{} cannot be {}", name, printable(given)));
  return given;
}

void Parameters::read_groups(storage::PanelQuery& query) {
  const std::string words = text("by").value_or("");
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find(',', at), words.size());
    const auto group = group_of(std::string_view(words).substr(at, end - at));
    if (!group || std::ranges::find(query.by, *group) != query.by.end())
      return refuse("by must be a list of run, time, operation, interface, rank, process, file, host");
    query.by.push_back(*group);
    at = end + 1;
  }
}

storage::PanelQuery Parameters::panel() {
  storage::PanelQuery query;
  query.run = number("run", 0, INT64_MAX).value_or(0);
  query.rank = number("rank", -1, INT32_MAX);
  query.process = number("process", 1, INT64_MAX);
  query.file = text("file");
  query.interface = text("interface");
  query.operation = text("operation");
  query.from = number("from", 0, kFarthest).value_or(0);
  query.to = number("to", 0, kFarthest).value_or(0);
  query.slices = static_cast<std::size_t>(number("slices", 1, 2000).value_or(300));
  query.most = static_cast<std::size_t>(number("most", 1, 200'000).value_or(20'000));
  if (word("layers", {"lowest", "all"}) == "all") query.layers = storage::Layers::kAll;
  read_groups(query);
  return query;
}

EventRequest Parameters::events() {
  constexpr std::int64_t kLongest = std::int64_t{1} << 53;  // nanoseconds: a hundred days
  EventRequest asked;
  asked.run = number("run", 1, INT64_MAX).value_or(0);
  asked.since = number("since", 0, kFarthest / 256).value_or(0);
  asked.begin = number("begin", 0, kLongest).value_or(0);
  asked.end = number("end", 0, kLongest);
  asked.rank = number("rank", -1, INT32_MAX);
  asked.process = number("process", 1, INT64_MAX);
  asked.thread = number("thread", 0, UINT32_MAX);
  asked.file = text("file").value_or("");
  asked.interface = text("interface").value_or("");
  asked.call = text("call").value_or("");
  if (asked.run == 0) refuse("run is required");
  return asked;
}

EventSumRequest Parameters::event_sums() {
  constexpr std::int64_t kMostSlices = 2000;
  EventSumRequest asked{.events = events(),
                        .by = word("by", {"rank", "process", "thread", "file", "interface", "call"})};
  asked.slices = static_cast<std::size_t>(number("slices", 1, kMostSlices).value_or(0));
  if (asked.slices > 0 && (!asked.events.end || *asked.events.end <= asked.events.begin))
    refuse("slices needs a begin and an end after it");
  return asked;
}

void Parameters::end() {
  if (!left_.empty()) refuse(fmt::format("{} is no parameter of this address", printable(left_.begin()->first)));
}

}  // namespace trikal::serve
