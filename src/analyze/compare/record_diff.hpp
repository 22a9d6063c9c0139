#pragma once
// Two records of one module, value by value.

#include <string>
#include <unordered_map>
#include <vector>

#include "analyze/compare/compare.hpp"

namespace trikal::analyze {

// Hands a record's changes to the sink, opening the record at the first one.
class RecordReporter {
 public:
  RecordReporter(DifferenceSink& sink, const Tolerance& tolerance, const RecordPair& record)
      : sink_(sink), tolerance_(tolerance), record_(record) {}
  ~RecordReporter() {
    if (changes_ > 0) sink_.end_record();
  }
  RecordReporter(const RecordReporter&) = delete;
  RecordReporter& operator=(const RecordReporter&) = delete;

  void value(std::string_view name, const Value& a, const Value& b, Unit unit = Unit::kNone);
  [[nodiscard]] std::uint64_t changes() const { return changes_; }

 private:
  DifferenceSink& sink_;
  const Tolerance& tolerance_;
  const RecordPair& record_;
  std::uint64_t changes_ = 0;
};

class RecordDiff {
 public:
  // `module.unknown_counters` is set here.
  RecordDiff(ModulePair& module, const CompareOptions& options, const FileKeys& keys);

  // Every record of a side must pass by in its order, through this or through compare: what some records mean
  // depends on one before them.
  void pass(Side side, Bytes record);
  void compare(Bytes a, Bytes b, RecordReporter& reporter);
  // Of modules without a record_view: how many of the compared values are not 0 on both sides. A side may have no record.
  [[nodiscard]] std::uint64_t values(Bytes a, Bytes b) const;

 private:
  struct Column {
    std::string name;
    std::uint16_t at = 0;
    std::uint16_t bytes = 8;
    Unit unit = Unit::kNone;
    enum class As : std::uint8_t { kInt, kUint, kReal, kId, kText, kBytes } as = As::kInt;
  };

  void add_counters(ModulePair& module);
  void add_fields();
  [[nodiscard]] Value value(const Column& column, const std::byte* record, bool b_side) const;
  void compare_columns(Bytes a, Bytes b, RecordReporter& reporter) const;
  void compare_listed(Bytes a, Bytes b, RecordReporter& reporter);
  [[nodiscard]] bool listed() const { return format_.record_view != nullptr && format_.record_view->values != nullptr; }
  [[nodiscard]] bool said(std::size_t counter) const;
  [[nodiscard]] static bool unknown(const Column& column, const std::byte* record);
  [[nodiscard]] bool left_out(std::string_view name, const Value& value, Unit& unit) const;

  const ModuleFormat& format_;
  const CompareOptions& options_;
  const FileKeys& keys_;
  std::vector<Column> columns_;
  RecordViewState state_a_, state_b_;
  std::unordered_map<std::string, const Counter*> by_name_;  // of modules that list their values themselves
};

}  // namespace trikal::analyze
