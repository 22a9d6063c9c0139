#pragma once
// What events have numbers of, as the crash maps of a run name it: files, operations of modules, programs and libraries.

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>

#include "log/crash/layout.hpp"
#include "log/crash/view.hpp"

namespace trikal::gather {

// What a process is, as its map says.
struct ProgramFacts {
  static constexpr std::int64_t kNoStart = std::numeric_limits<std::int64_t>::min();  // it is unknown
  std::int64_t uid = 0, job_id = 0;
  std::int64_t start = 0;  // nanoseconds since 1970
  std::string node, program;  // the program is a path; empty: unknown
};
[[nodiscard]] ProgramFacts program_facts(const log::crash::MapView& map);

struct NamesUse {
  std::function<void(const log::crash::Identity&, const ProgramFacts&)> program;  // once for each process
  std::function<void(std::uint64_t id, std::string_view name)> file;  // once for each process that used it
  std::function<void(const log::crash::Identity&, std::uint32_t number, std::string_view interface,
                     std::string_view word)>
      operation;
  std::function<void(const log::crash::Identity&, std::uint64_t number, std::string_view path)> object;
};

// Of one process. Answers with the events that it lost because it found no space for rings.
std::uint64_t for_each_name_of(const log::crash::MapView& map, const NamesUse& use);
// Of all processes of a run, those that are put away as well. Answers with the events of processes that found no space for rings.
std::uint64_t for_each_name_of_run(const std::string& directory, const NamesUse& use);

}  // namespace trikal::gather
