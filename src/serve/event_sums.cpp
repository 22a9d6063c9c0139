#include "serve/event_sums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace trikal::serve {
namespace {

constexpr double kNano = 1e9;

// Gives each group a small number. Most events fall into the group of the one before.
class Groups {
 public:
  explicit Groups(std::string_view by) : by_(by) {}

  std::size_t of(const storage::StoredEvent& event) {
    if (by_ == "interface" || by_ == "call") return of_text(by_ == "call" ? event.operation : event.interface);
    const Key key = key_of(event);
    if (key == last_ && !names_.empty()) return last_number_;
    const auto [found, is_new] = numbers_.try_emplace(key, names_.size());
    if (is_new) names_.push_back(name_of(event));
    last_ = key;
    return last_number_ = found->second;
  }
  [[nodiscard]] const storage::Value& name(std::size_t number) const { return names_[number]; }

 private:
  using Key = std::pair<std::uint64_t, std::uint64_t>;

  [[nodiscard]] Key key_of(const storage::StoredEvent& event) const {
    if (by_ == "rank") return {static_cast<std::uint64_t>(event.rank), 0};
    if (by_ == "process") return {static_cast<std::uint64_t>(event.process_row), 0};
    if (by_ == "thread") return {static_cast<std::uint64_t>(event.process_row), event.thread};
    return {event.file, 0};
  }
  [[nodiscard]] storage::Value name_of(const storage::StoredEvent& event) const {
    if (by_ == "rank") return event.rank;
    if (by_ == "process") return event.process_row;
    if (by_ == "thread") return fmt::format("{}/{}", event.pid, event.thread);
    return std::string(event.file_name);
  }
  std::size_t of_text(std::string_view text) {
    auto found = texts_.find(text);
    if (found == texts_.end()) {
      found = texts_.emplace(std::string(text), names_.size()).first;
      names_.emplace_back(std::string(text));
    }
    return found->second;
  }

  std::string_view by_;
  std::map<Key, std::size_t> numbers_;
  std::map<std::string, std::size_t, std::less<>> texts_;
  std::vector<storage::Value> names_;
  Key last_{};
  std::size_t last_number_ = 0;
};

struct Sum {
  std::int64_t calls = 0, bytes = 0, duration = 0;
};

struct Cell {
  std::int64_t slice = 0;
  std::size_t group = 0;
  Operation operation = Operation::kRead;
  auto operator<=>(const Cell&) const = default;
};

}  // namespace

Operation kind_of_call(std::string_view call) {
  if (call.find("read") != std::string_view::npos) return Operation::kRead;
  return call.find("write") != std::string_view::npos ? Operation::kWrite : Operation::kMetadata;
}

Result<storage::Table> event_sums(storage::Store& store, const storage::EventQuery& query, std::string_view by,
                                  std::size_t slices, std::int64_t* width) {
  const auto parts = static_cast<std::int64_t>(slices);
  *width = parts == 0 ? 0 : std::max<std::int64_t>(1, (query.to - query.from + parts - 1) / parts);
  Groups groups(by);
  std::map<Cell, Sum> sums;
  const Status read = store.events(query, [&](const storage::StoredEvent& event) {
    const std::int64_t slice = parts == 0 ? 0 : (event.time - query.from) / *width;
    Sum& sum = sums[{slice, groups.of(event), kind_of_call(event.operation)}];
    ++sum.calls, sum.bytes += event.length, sum.duration += event.duration;
    return true;
  });
  if (!read) return read.error();
  storage::Table table{{std::string(by), "operation", "calls", "bytes", "seconds"}, {}};
  if (parts > 0) table.columns.insert(table.columns.begin(), "begin");
  for (const auto& [cell, sum] : sums) {
    storage::Row& row = table.rows.emplace_back();
    if (parts > 0) row.emplace_back(query.from + cell.slice * *width);
    row.push_back(groups.name(cell.group));
    row.emplace_back(std::string(operation_name(cell.operation)));
    row.emplace_back(sum.calls), row.emplace_back(sum.bytes);
    row.emplace_back(static_cast<double>(sum.duration) / kNano);
  }
  return table;
}

}  // namespace trikal::serve
