#pragma once
// How two logs differ, for programs. Written as it is found: takes no memory, whatever the logs hold.
// The form is documented in docs/formats/diff-json.md; kDiffSchemaVersion changes when a reader of it would break.

#include "analyze/compare/compare.hpp"
#include "report/json/writer.hpp"
#include "report/text/differences.hpp"

namespace trikal::report {

inline constexpr int kDiffSchemaVersion = 1;

class JsonDifferences final : public analyze::DifferenceSink {
 public:
  JsonDifferences(Sink& out, const DifferingLog& a, const DifferingLog& b, const analyze::CompareOptions& options);

  void job_change(const analyze::Change& change) override;
  void begin_module(const analyze::ModulePair& module) override;
  void begin_record(const analyze::RecordPair& record) override;
  void change(const analyze::Change& change) override;
  void end_record() override;
  void only(analyze::Side side, const analyze::RecordPair& record, Bytes bytes) override;
  void end_module(const analyze::CompareCounts& counts) override;
  void skipped(const analyze::ModulePair& module, ModuleId id) override;
  [[nodiscard]] bool wanted() const override { return out_.wanted(); }

  void finish(const analyze::CompareResult& result);

 private:
  void write_log(std::string_view name, const DifferingLog& log);
  void write_options(const analyze::CompareOptions& options);
  void write_record(const analyze::RecordPair& record, std::string_view status);
  void write_counts(const analyze::CompareCounts& counts);
  void write_prediction(const analyze::CompareResult& result);
  void end_job();

  Sink& out_;
  JsonWriter json_;
  bool in_job_ = true;
  const analyze::PredictionScope* prediction_;
  std::vector<ModuleId> skipped_;
};

}  // namespace trikal::report
