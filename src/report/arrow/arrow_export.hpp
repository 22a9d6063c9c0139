#pragma once
// Tables as Arrow IPC: a file with a footer where there is a file, the stream form on standard output. No
// dictionaries, no compression. Columns carry their unit and help as metadata.

#include "report/arrow/ipc_message.hpp"
#include "report/output.hpp"
#include "report/tables.hpp"

namespace trikal::report {

class ArrowExport final : public TableWriter {
 public:
  explicit ArrowExport(TableOutput& output) : output_(output) {}

  Status begin(const log::TableInfo& table) override;
  Status add(const log::TableInfo& table, const Chunk& chunk) override;
  Status end(const log::TableInfo& table) override;
  Status finish() override { return {}; }

 private:
  void put(std::string_view bytes);
  void put_metadata(std::string_view metadata);
  void put_buffer(std::string_view bytes);

  TableOutput& output_;
  Sink* out_ = nullptr;
  std::int64_t written_ = 0;  // bytes of this table so far
  std::vector<arrow::BlockExtent> blocks_;
};

}  // namespace trikal::report
