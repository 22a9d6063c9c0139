// What the trailer knows of a job, for `trikal info`.

#include <fmt/format.h>

#include <map>
#include <set>
#include <string>

#include "analyze/dataset/rank_ranges.hpp"
#include "analyze/dataset/trailer_facts.hpp"
#include "analyze/dataset/trailer_rows.hpp"
#include "report/text/log_header.hpp"
#include "report/text/unseen.hpp"

namespace trikal::report {
namespace {

using analyze::for_each_row;
using analyze::TrailerRow;

void write_nodes(Sink& out, log::Reader& reader) {
  std::map<std::string, std::set<std::int64_t>> nodes;
  for_each_row(reader, "processes", [&](const TrailerRow& row) {
    if (const std::string host = row.text("host"); !host.empty() && row.count("rank") >= 0)
      nodes[host].insert(row.count("rank"));
  });
  for (const auto& [host, ranks] : nodes)
    out.put(fmt::format("# node: {} ({} {})\n", out.field(host), ranks.size() == 1 ? "rank" : "ranks",
                        analyze::rank_ranges(analyze::ranges_of(ranks))));
}

// Processes whose records were sent from elsewhere.
void write_remote(Sink& out, log::Reader& reader) {
  std::map<std::string, std::set<std::int64_t>> nodes;
  for_each_row(reader, "remote_processes",
               [&](const TrailerRow& row) { nodes[row.text("host")].insert(row.count("rank")); });
  for (const auto& [host, ranks] : nodes)
    out.put(fmt::format("# sent from: {} ({} {})\n", out.field(host), ranks.size() == 1 ? "rank" : "ranks",
                        analyze::rank_ranges(analyze::ranges_of(ranks))));
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
    out.put(fmt::format("# hint: {} {} = {}{}\n", out.field(name), out.field(row.text("key")),
                        out.field(row.text("value")), whose));
  });
}

}  // namespace

void write_job_facts(Sink& out, log::Reader& reader) {
  write_nodes(out, reader);
  write_remote(out, reader);
  write_hints(out, reader);
  for (const std::string& line : unseen_lines(analyze::read_unseen(reader))) out.put("# " + line + "\n");
  for_each_row(reader, "related_jobs", [&](const TrailerRow& row) {
    out.put(fmt::format("# related job: {} ({}, {} ranks)\n", out.field(row.text("log")),
                        out.field(row.text("relation")), row.count("nprocs")));
  });
}

}  // namespace trikal::report
