#pragma once
// Tables as comma-separated values: a line of column names, then a line a row. Texts are quoted as RFC 4180 says
// where they need it; a text that is missing is empty, one that is empty is "". Bytes are those of the log. Lines
// end with a line feed alone.

#include "report/output.hpp"
#include "report/tables.hpp"

namespace trikal::report {

class CsvWriter final : public TableWriter {
 public:
  explicit CsvWriter(TableOutput& output) : output_(output) {}

  Status begin(const log::TableInfo& table) override;
  Status add(const log::TableInfo& table, const Chunk& chunk) override;
  Status end(const log::TableInfo& table) override;
  Status finish() override { return {}; }

 private:
  TableOutput& output_;
  Sink* out_ = nullptr;
};

}  // namespace trikal::report
