#pragma once
// What a merge has to know of all logs before it writes anything.

#include <array>
#include <unordered_set>
#include <vector>

#include "log/merge.hpp"
#include "log/read/names.hpp"

namespace trikal::log {

// Small: there may be thousands.
struct InputFacts {
  std::size_t input = 0;  // index in the list of inputs
  std::int64_t start_sec = 0, start_nsec = 0;
  std::int64_t nprocs = 0;
  double shift = 0;              // seconds after the earliest start
  std::int64_t only_rank = -1;   // all of it is of this rank, which may be one of many; -1: of several
  std::optional<std::int64_t> rank_shift;  // what is added to its ranks; none: they stay
  std::uint64_t has_data = 0;    // bit i: module i
  std::array<std::uint8_t, kModuleSlots> versions{};

  [[nodiscard]] bool has(ModuleId module) const { return ((has_data >> module) & 1) != 0; }
};

class MergeInputs {
 public:
  MergeInputs(std::span<const MergeInput> inputs, const MergeOptions& options, MergeReport& report)
      : inputs_(inputs), options_(options), report_(report) {}

  Status survey();

  [[nodiscard]] const Job& job() const { return job_; }
  [[nodiscard]] const NameTable& names() const { return names_; }
  [[nodiscard]] std::uint64_t partial() const { return partial_; }
  [[nodiscard]] const std::vector<InputFacts>& facts() const { return facts_; }  // in the order of writing
  [[nodiscard]] const std::vector<std::string>& sections() const { return sections_; }
  // Ranks that several logs are of: a rank's own, and those of the programs it started.
  [[nodiscard]] const std::unordered_set<std::int64_t>& ranks_in_parts() const { return ranks_in_parts_; }

  // Its reader, until the next call. On an error the report says which log it was.
  Result<Reader*> open(const InputFacts& facts);
  // Keeps what is wrong with the log at hand.
  void close();

 private:
  Status add(std::size_t input);
  Status add_names(Reader& reader, const std::string& input);
  void add_job(const Job& job);
  void settle_end();
  void order();
  Status refuse(const Error& error, const std::string& input);

  std::span<const MergeInput> inputs_;
  const MergeOptions& options_;
  MergeReport& report_;
  Job job_;
  NameTable names_;
  std::uint64_t partial_ = 0;
  std::vector<InputFacts> facts_;
  std::vector<std::string> sections_;
  std::unordered_set<std::int64_t> ranks_in_parts_;
  bool other_job_ = false, at_least_ = false;
  std::unique_ptr<Reader> reader_;
  std::size_t open_ = 0;
};

}  // namespace trikal::log
