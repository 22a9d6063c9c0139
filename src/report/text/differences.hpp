#pragma once
// How two logs differ, for people: the job, a table of modules, then file by file, the largest change first.

#include <string>
#include <vector>

#include "analyze/compare/ranking.hpp"
#include "report/sink.hpp"

namespace trikal::report {

struct DifferenceLayout {
  std::size_t files = 20;          // files shown
  std::size_t changes_a_file = 8;  // counters shown for each
  std::uint64_t memory = std::uint64_t{1} << 30;
};

// What is shown of a log in the first two lines.
struct DifferingLog {
  std::string path;
  const log::Reader* reader = nullptr;
};

class TextDifferences final : public analyze::DifferenceSink {
 public:
  TextDifferences(DifferingLog a, DifferingLog b, const analyze::CompareOptions& options,
                  const DifferenceLayout& layout);

  void job_change(const analyze::Change& change) override;
  void begin_module(const analyze::ModulePair& module) override;
  void begin_record(const analyze::RecordPair& record) override { record_ = &record; }
  void change(const analyze::Change& change) override { ranking_.add(*record_, change); }
  void end_record() override {}
  void only(analyze::Side side, const analyze::RecordPair& record, Bytes bytes) override;
  void end_module(const analyze::CompareCounts& counts) override { modules_.back().counts = counts; }
  void skipped(const analyze::ModulePair& module, ModuleId id) override;
  // Everything that is to be shown is held until the end, within the memory limit.
  [[nodiscard]] bool wanted() const override { return ranking_.bytes() <= layout_.memory; }

  // kLimit: there was more to show than memory to hold it.
  [[nodiscard]] Status write(Sink& out, const analyze::CompareResult& result);

 private:
  struct Module {
    analyze::ModulePair pair;
    analyze::CompareCounts counts;
  };

  void write_logs(Sink& out) const;
  void write_job(Sink& out) const;
  void write_modules(Sink& out) const;
  void write_notes(Sink& out, const analyze::CompareResult& result) const;
  void write_files(Sink& out, const std::vector<const analyze::FileDifferences*>& files) const;
  void write_file(Sink& out, const analyze::FileDifferences& file) const;
  void write_only(Sink& out, const std::vector<const analyze::FileDifferences*>& files, analyze::Side side) const;
  void write_verdict(Sink& out, const analyze::CompareResult& result) const;

  DifferingLog a_, b_;
  const analyze::CompareOptions& options_;
  DifferenceLayout layout_;
  analyze::Ranking ranking_;
  const analyze::RecordPair* record_ = nullptr;  // between its begin and its end
  std::vector<analyze::RankedChange> job_;
  std::vector<Module> modules_;
  std::vector<std::string> notes_;
};

// "+25.0 %", "x12.5", "from 0", or nothing where it would mean nothing.
[[nodiscard]] std::string change_text(const analyze::Value& a, const analyze::Value& b);

}  // namespace trikal::report
