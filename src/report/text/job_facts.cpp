// What the trailer knows of a job, for `trikal info`.

#include <fmt/format.h>

#include <map>
#include <set>
#include <string>

#include "analyze/dataset/trailer_facts.hpp"
#include "analyze/dataset/trailer_rows.hpp"
#include "report/text/log_header.hpp"
#include "report/text/unseen.hpp"

namespace trikal::report {
namespace {

using analyze::for_each_row;
using analyze::TrailerRow;

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
  for_each_row(reader, "processes", [&](const TrailerRow& row) {
    if (const std::string host = row.text("host"); !host.empty() && row.count("rank") >= 0)
      nodes[host].insert(row.count("rank"));
  });
  for (const auto& [host, ranks] : nodes)
    out.put(fmt::format("# node: {} ({} {})\n", host, ranks.size() == 1 ? "rank" : "ranks", ranges(ranks)));
}

void write_hints(Sink& out, log::Reader& reader) {
  const log::Trailer* trailer = reader.trailer();
  if (trailer == nullptr || trailer->find("mpiio_hints") == nullptr) return;  // names may take their time
  const auto names = reader.names();
  for_each_row(reader, "mpiio_hints", [&](const TrailerRow& row) {
    const auto id = static_cast<std::uint64_t>(row.count("id"));
    const std::string_view name = names ? (*names)->name_of(id, "<unknown>") : "<unknown>";
    const std::int64_t rank = row.count("rank");
    const std::string whose = rank < 0 ? "" : fmt::format(" (rank {})", rank);
    out.put(fmt::format("# hint: {} {} = {}{}\n", name, row.text("key"), row.text("value"), whose));
  });
}

}  // namespace

void write_job_facts(Sink& out, log::Reader& reader) {
  write_nodes(out, reader);
  write_hints(out, reader);
  for (const std::string& line : unseen_lines(analyze::read_unseen(reader))) out.put("# " + line + "\n");
  for_each_row(reader, "related_jobs", [&](const TrailerRow& row) {
    out.put(
        fmt::format("# related job: {} ({}, {} ranks)\n", row.text("log"), row.text("relation"), row.count("nprocs")));
  });
}

}  // namespace trikal::report
