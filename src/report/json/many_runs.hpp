#pragma once
// Several runs beside each other: `trikal summary LOG...` ranks the runs, `trikal files LOG...` their files.

#include <map>
#include <string>
#include <vector>

#include "analyze/rules/rule.hpp"
#include "report/json/shape.hpp"
#include "report/sink.hpp"

namespace trikal::report {

struct RankedRun {
  std::string path, program;
  std::int64_t nprocs = 0, files = 0, bytes_read = 0, bytes_written = 0;
  double seconds = 0, io_seconds = 0;
  bool incomplete = false;
  std::string worst;  // code of the finding that costs most; empty: none
  double worst_seconds = 0;
  [[nodiscard]] std::int64_t bytes() const { return bytes_read + bytes_written; }
  [[nodiscard]] double rate() const { return io_seconds > 0 ? static_cast<double>(bytes()) / io_seconds : 0; }
};
[[nodiscard]] RankedRun ranked(const analyze::Run& run, std::span<const analyze::Finding> findings, std::string path);

struct RankedFile {
  std::string name;
  std::int64_t runs = 0, opens = 0, reads = 0, writes = 0, bytes_read = 0, bytes_written = 0;
  double seconds = 0;  // of all ranks of all runs
  [[nodiscard]] std::int64_t bytes() const { return bytes_read + bytes_written; }
};

// Files of several runs, by name.
class RankedFiles {
 public:
  void add(const analyze::Run& run);
  [[nodiscard]] std::vector<RankedFile> take();

 private:
  std::map<std::string, RankedFile, std::less<>> files_;
};

inline constexpr std::string_view kRunOrders[] = {"io", "share", "bytes", "files", "rate", "finding"};
inline constexpr std::string_view kFileOrders[] = {"time", "bytes", "reads", "writes", "opens", "runs"};
// The first comes first: most seconds, bytes ... but the lowest rate. An order that there is.
void rank(std::vector<RankedRun>& runs, std::string_view order);
void rank(std::vector<RankedFile>& files, std::string_view order);

void write_ranked(Sink& out, std::span<const RankedRun> runs, std::size_t most);
void write_ranked(Sink& out, std::span<const RankedFile> files, std::size_t most);
void write_ranked_json(Sink& out, std::span<const RankedRun> runs);
void write_ranked_json(Sink& out, std::span<const RankedFile> files);

}  // namespace trikal::report
