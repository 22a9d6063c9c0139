#include "analyze/dataset/standard_pipes.hpp"

#include <algorithm>

#include "analyze/dataset/trailer_rows.hpp"
#include "base/hash.hpp"

namespace trikal::analyze {
namespace {

constexpr std::string_view kNames[] = {"pipe:<STDIN>", "pipe:<STDOUT>", "pipe:<STDERR>"};

std::string_view stream_of(std::string_view pipe) { return pipe.substr(pipe.find('<')); }

}  // namespace

StandardPipes::StandardPipes(log::Reader& reader) {
  for_each_row(reader, "stdio_extra", [this](const TrailerRow& row) {
    if (row.count("STDIO_PIPES") > 0) pipes_.emplace(static_cast<std::uint64_t>(row.count("id")), row.count("rank"));
  });
}

std::uint64_t StandardPipes::id_of(BaseRecord record) const {
  if (pipes_.empty()) return record.id;
  const auto first = pipes_.lower_bound({record.id, record.rank});
  const bool found = first != pipes_.end() && first->first == record.id &&
                     (record.rank == kSharedRank || first->second == record.rank);
  if (!found) return record.id;
  for (const std::string_view name : kNames)
    if (record_id(stream_of(name)) == record.id) return record_id(name);
  return record.id;
}

std::string_view StandardPipes::name_of(std::uint64_t id) const {
  if (pipes_.empty()) return {};
  const auto* found = std::ranges::find_if(kNames, [id](std::string_view name) { return record_id(name) == id; });
  return found == std::end(kNames) ? std::string_view() : *found;
}

}  // namespace trikal::analyze
