#pragma once
// Call sites, where a run noted them.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace trikal::analyze {

// One call site, one file, one operation; all ranks together.
struct SiteUse {
  std::uint64_t file = 0;  // 0: the table was too small to tell files apart
  std::string interface, operation;
  std::string object;    // the program or library
  std::string build;     // its build id
  std::string function;  // empty: not known
  std::string source;
  std::string text;      // the line itself, where somebody has looked it up
  std::string through;   // libraries between the call and what was called, that one's caller first
  std::int64_t line = 0, offset = 0;
  std::int64_t count = 0, bytes = 0, ranks = 1;
  double seconds = 0;
};

// "solver.c:120 (write_rows)"; less where less is known.
[[nodiscard]] std::string site_text(const SiteUse& site);
// " through libgfortran.so.5 (_gfortran_st_write_done)": what the program itself called; empty where that was observed.
[[nodiscard]] std::string through_text(const SiteUse& site);

// Which calls a question is about.
enum class SiteKind : std::uint8_t { kAny, kReads, kWrites, kData, kOpens, kSeeks, kStats, kSyncs, kFlushes, kMaps };
[[nodiscard]] bool is_of(SiteKind kind, const SiteUse& site);

// Rows of one call site, file and operation become one; the most seconds first.
[[nodiscard]] std::vector<SiteUse> sum_sites(std::vector<SiteUse> rows);
// The call sites that took most of a file's time, `most` at most, in the outermost interface that has any.
[[nodiscard]] std::vector<SiteUse> worst_sites(std::span<const SiteUse> sites, std::uint64_t file, SiteKind kind,
                                               std::size_t most);

}  // namespace trikal::analyze
