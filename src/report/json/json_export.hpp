#pragma once
// Tables as one JSON document:
//   {"trikal_export": 1, "generator": "trikal 0.1.0", "tables": {"posix": {"help": ..., "role": "records",
//    "module": "POSIX", "columns": [{"name", "type", "unit", "help"}], "rows": [[...], ...]}}}
// A row is an array in the order of the columns. 64-bit ids (unit "id") are strings of decimal digits, because
// many readers keep integers in 53 bits; what is missing, and numbers that are infinite or none, are null. Bytes of
// a name that are no UTF-8 are \\udc80 to \\udcff, as Python's surrogateescape has them.

#include "report/json/writer.hpp"
#include "report/output.hpp"
#include "report/tables.hpp"

namespace trikal::report {

class JsonExport final : public TableWriter {
 public:
  JsonExport(TableOutput& output, std::string generator) : output_(output), generator_(std::move(generator)) {}

  Status begin(const log::TableInfo& table) override;
  Status add(const log::TableInfo& table, const Chunk& chunk) override;
  Status end(const log::TableInfo& table) override;
  Status finish() override;

 private:
  Status open_document();

  TableOutput& output_;
  std::string generator_;
  Sink* out_ = nullptr;
  std::unique_ptr<JsonWriter> json_;
};

}  // namespace trikal::report
