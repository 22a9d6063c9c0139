#pragma once
// Names of what events have numbers of, while a run goes on: from the maps of processes that run and from those that were put
// away. For one thread, which may have to wait a little: nobody reads maps without end because a program opens many files.

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>

#include "base/keyed_hash.hpp"
#include "gather/rings/ring_reader.hpp"
#include "gather/rings/run_names.hpp"

namespace trikal::gather {

class LiveNames {
 public:
  explicit LiveNames(std::string directory) : directory_(std::move(directory)) {}

  // Empty: nobody knows. What is answered stays.
  [[nodiscard]] const std::string& file(const RingProcess& process, std::uint64_t id);
  [[nodiscard]] const ProgramFacts& program(const RingProcess& process);
  // Without a look at the maps.
  [[nodiscard]] bool knows_file(std::uint64_t id) const { return files_.contains(id); }

 private:
  using Key = std::tuple<std::uint64_t, std::int64_t, std::uint64_t, std::uint32_t>;
  static Key key_of(const log::crash::Identity& identity);

  void look(const RingProcess& process);
  void learn(const log::crash::MapView& map);
  void learn_finished(const std::string& directory, std::size_t& known);

  std::string directory_;
  std::unordered_map<std::uint64_t, std::string, KeyedHash> files_;
  std::map<Key, ProgramFacts> programs_;
  std::size_t finished_ = 0, finished_elsewhere_ = 0;  // entries that were read
  std::uint64_t last_look_ = 0;  // nanoseconds
};

}  // namespace trikal::gather
