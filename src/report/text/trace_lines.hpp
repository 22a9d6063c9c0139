#pragma once
// One traced file: what it is, then a line a segment.

#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "modules/dxt/segments.hpp"
#include "report/sink.hpp"
#include "schema/module.hpp"

namespace trikal::report {

// MPI-IO reaches a file through POSIX, so that the targets are told there.
struct Trace {
  const ModuleSchema* schema;
  std::string_view label;
  bool shows_targets;
};
extern const Trace kPosixTrace, kMpiioTrace;

// The lines of one module's segments. What is the same within a record is put together once.
class TraceLines {
 public:
  enum class Thread : std::uint8_t { kLeftOut, kUnknown, kShown, kShownUnlessZero };
  struct FileLabels {
    std::string_view name, mount, type;
  };

  TraceLines(Sink& out, const Trace& trace, Thread thread) : out_(out), trace_(trace), thread_(thread) {}

  // A record's head. `layout` is the file's Lustre record, or empty; `threads` how many different ones there are.
  void begin(Bytes head, const FileLabels& file, Bytes layout, std::size_t threads);
  // `first` is the number of the first of these segments in its record.
  void write(Bytes items, std::uint64_t first);

 private:
  void write_head(Bytes head, const FileLabels& file, std::size_t threads);
  void write_layout();
  void write_run(Bytes items, std::uint64_t index, std::string_view front);
  void write_extras(const modules::dxt::Segment& segment);

  Sink& out_;
  const Trace& trace_;
  Thread thread_;
  std::uint64_t writes_ = 0;
  Bytes layout_;
  std::string write_front_, read_front_;
  std::string_view back_;
};

}  // namespace trikal::report
