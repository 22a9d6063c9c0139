#pragma once
// How two logs differ in the form of darshan-diff: every line that differs, "- " as A has it, "+ " as B has it. File
// by file in the order of A, then the files only B has.

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyze/compare/compare.hpp"
#include "base/keyed_hash.hpp"
#include "report/sink.hpp"
#include "report/text/notices.hpp"

namespace trikal::report {

class LineDifferences final : public analyze::DifferenceSink {
 public:
  LineDifferences(log::Reader& a, log::Reader& b, std::uint64_t memory, Notices& notices)
      : a_(a), b_(b), memory_(memory), notices_(notices) {}

  void job_change(const analyze::Change& /*change*/) override {}
  void begin_module(const analyze::ModulePair& module) override;
  void begin_record(const analyze::RecordPair& record) override;
  void change(const analyze::Change& change) override;
  void end_record() override {}
  void only(analyze::Side side, const analyze::RecordPair& record, Bytes bytes) override;
  void end_module(const analyze::CompareCounts& /*counts*/) override {}
  void skipped(const analyze::ModulePair& module, ModuleId id) override;
  [[nodiscard]] bool wanted() const override { return bytes_ <= memory_; }

  // Everything; to be called when the comparison is done.
  [[nodiscard]] Status write(Sink& out);

 private:
  class Lister;

  void line(char sign, const analyze::RecordPair& record, std::string_view name, std::string_view value);
  void write_job(Sink& out) const;
  [[nodiscard]] Status write_files_of_a(Sink& out);
  void write_file(Sink& out, std::uint64_t id);

  // By module and rank, in the order they came.
  using FileLines = std::map<std::pair<ModuleId, std::int64_t>, std::string>;

  log::Reader& a_;
  log::Reader& b_;
  std::uint64_t memory_;
  Notices& notices_;
  const analyze::RecordPair* record_ = nullptr;
  RecordViewState state_a_, state_b_;
  std::unordered_map<std::uint64_t, FileLines, KeyedHash> files_;
  std::vector<std::uint64_t> order_;
  std::uint64_t bytes_ = 0;
};

}  // namespace trikal::report
