#pragma once
// Standard streams that are pipes, sockets or terminals. Their records have the name of every standard stream, "<STDOUT>", whether
// it is a file or not; the trailer says which are none. As a file of its own, such a stream is judged for what it is.

#include <set>
#include <utility>

#include "analyze/dataset/run.hpp"

namespace trikal::analyze {

class StandardPipes {
 public:
  explicit StandardPipes(log::Reader& reader);
  // The id to know a record by: its own, or that of the pipe it stands for.
  [[nodiscard]] std::uint64_t id_of(BaseRecord record) const;
  // "pipe:<STDOUT>"; empty: not the id of a pipe.
  [[nodiscard]] std::string_view name_of(std::uint64_t id) const;
  [[nodiscard]] bool has(BaseRecord record) const { return id_of(record) != record.id; }

 private:
  std::set<std::pair<std::uint64_t, std::int64_t>> pipes_;  // id and rank
};

}  // namespace trikal::analyze
