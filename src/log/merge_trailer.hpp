#pragma once
// The trailer of a merged log: sections of the same name and columns become one, rows log by log.

#include <cstdint>
#include <optional>
#include <vector>

#include "log/copy_trailer.hpp"
#include "log/merge_inputs.hpp"

namespace trikal::log {

// A trace of which threads are known.
struct MergedTrace {
  ModuleId module = 0;
  bool threads = false;
  std::vector<const InputFacts*> logs;  // in the order their records were written
};

// A record folded although rank 0 has none.
struct PartlyShared {
  ModuleId module = 0;
  std::uint64_t record = 0;
  std::int64_t ranks = 0;
};

class MergeTrailer {
 public:
  MergeTrailer(MergeInputs& inputs, Writer& writer, MergeReport& report)
      : inputs_(inputs), writer_(writer), report_(report) {}

  // This must live until the log is finished: it holds the descriptions of the sections.
  Status put(const std::vector<MergedTrace>& traces, const std::vector<PartlyShared>& partly_shared);

 private:
  Status put_threads(TrailerWriter& trailer, const std::vector<MergedTrace>& traces);
  Status put_partly_shared(TrailerWriter& trailer, const std::vector<PartlyShared>& records);
  Status put_section(SectionCopier& sections, const std::string& name);
  Result<bool> begin_section(SectionCopier& sections, const Section& section);

  MergeInputs& inputs_;
  Writer& writer_;
  MergeReport& report_;
  std::optional<SectionCopier> sections_;
};

}  // namespace trikal::log
