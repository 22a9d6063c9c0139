#pragma once
// Counters that records have no slot for, from crash maps into the trailer: a section a module ("posix_extra"), a
// row a file and process, and the section "errors". No heap: a process does this for itself, too.

#include <array>
#include <string_view>

#include "log/crash/to_log.hpp"
#include "log/trailer/writer.hpp"

namespace trikal::log::crash {

inline constexpr std::array<Column, 6> kErrorColumns = {{
    {"id", ColumnType::kU64, kUnitRecordId, "the file; 0 where the call named none that is in this log"},
    {"rank", ColumnType::kI64, kUnitRank, "the process"},
    {"module", ColumnType::kText, "", "the interface that was called"},
    {"errno", ColumnType::kI64, "", "why it failed, as a number"},
    {"error", ColumnType::kText, "", "the same as a word"},
    {"count", ColumnType::kI64, "calls", "how often"},
}};
inline constexpr SectionSchema kErrorsSection = {"errors", "calls that failed, by file and errno", kErrorColumns};

// Holds the column descriptions: must live until the log is finished, and then serves the next one.
class Extras {
 public:
  Status put(TrailerWriter& trailer, std::span<const Process> processes, Schemas schemas);

 private:
  static constexpr std::size_t kMostCounters = 48;
  static constexpr std::size_t kMostSections = 4;

  SectionSchema describe(const ModuleSchema& extra);
  Status put_section(TrailerWriter& trailer, std::span<const Process> processes, const ModuleSchema& module);

  std::array<std::array<Column, kMostCounters>, kMostSections> columns_{};
  std::size_t sections_ = 0;
};

// "ENOENT"; empty for numbers that have no word here.
[[nodiscard]] std::string_view error_word(std::int64_t number);

}  // namespace trikal::log::crash
