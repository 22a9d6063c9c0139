// What the trailer knows of a job, for `trikal info`.

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "report/text/log_header.hpp"

namespace trikal::report {
namespace {

// Calls take(cells) for each row, the cells in the order of `columns`; nothing if the log has no such table.
void for_each_row(log::Reader& reader, std::string_view name, std::initializer_list<std::string_view> columns,
                  const std::function<void(std::span<const log::Cell>)>& take) {
  const log::Trailer* trailer = reader.trailer();
  const log::Section* section = trailer != nullptr ? trailer->find(name) : nullptr;
  if (section == nullptr) return;
  auto rows = trailer->rows(*section);
  std::span<const log::Cell> row;
  while (rows) {
    const auto more = (*rows)->next(row);
    if (!more || !*more) return;
    std::vector<log::Cell> cells;
    for (const std::string_view column : columns) {
      const std::size_t at = section->column(column);
      if (at >= row.size()) return;  // written before there was such a column
      cells.push_back(row[at]);
    }
    take(cells);
  }
}

// "0-3,7"
std::string ranges(const std::set<std::int64_t>& ranks) {
  std::string text;
  for (auto at = ranks.begin(); at != ranks.end();) {
    const std::int64_t first = *at;
    std::int64_t last = first;
    for (++at; at != ranks.end() && *at == last + 1; ++at) last = *at;
    text += fmt::format("{}{}", text.empty() ? "" : ",", first);
    if (last != first) text += fmt::format("-{}", last);
  }
  return text;
}

void write_nodes(Sink& out, log::Reader& reader) {
  std::map<std::string, std::set<std::int64_t>> nodes;
  for_each_row(reader, "processes", {"host", "rank"}, [&](std::span<const log::Cell> row) {
    if (!row[0].text.empty() && row[1].i64() >= 0) nodes[std::string(row[0].text)].insert(row[1].i64());
  });
  for (const auto& [host, ranks] : nodes)
    out.put(fmt::format("# node: {} ({} {})\n", host, ranks.size() == 1 ? "rank" : "ranks", ranges(ranks)));
}

void write_hints(Sink& out, log::Reader& reader) {
  const log::Trailer* trailer = reader.trailer();
  if (trailer == nullptr || trailer->find("mpiio_hints") == nullptr) return;  // names may take their time
  const auto names = reader.names();
  for_each_row(reader, "mpiio_hints", {"id", "rank", "key", "value"}, [&](std::span<const log::Cell> row) {
    const std::string_view name = names ? (*names)->name_of(row[0].u64(), "<unknown>") : "<unknown>";
    const std::string whose = row[1].i64() < 0 ? "" : fmt::format(" (rank {})", row[1].i64());
    out.put(fmt::format("# hint: {} {} = {}{}\n", name, row[2].text, row[3].text, whose));
  });
}

}  // namespace

void write_job_facts(Sink& out, log::Reader& reader) {
  write_nodes(out, reader);
  write_hints(out, reader);
  for_each_row(reader, "related_jobs", {"log", "relation", "nprocs"}, [&](std::span<const log::Cell> row) {
    out.put(fmt::format("# related job: {} ({}, {} ranks)\n", row[0].text, row[1].text, row[2].i64()));
  });
}

}  // namespace trikal::report
