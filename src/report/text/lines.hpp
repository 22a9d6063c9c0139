#pragma once
// One line a counter: module, rank, record id, counter, value, file, mount point, file system.

#include <string>
#include <vector>

#include "log/read/reader.hpp"
#include "report/sink.hpp"
#include "schema/form.hpp"

namespace trikal::report {

// Writes the records of one module. What is the same for all records is put together once.
class RecordLines {
 public:
  RecordLines(const ModuleFormat& format, const log::NameTable& names, const log::Job& job);

  // One record in its newest form, tail included.
  void write(Sink& out, Bytes record);

  // The same where the caller knows the name and the file system. What the module says of them goes first.
  struct FileLabels {
    std::string_view name;  // null: it has none
    std::string_view mount, type;
  };
  void write(Sink& out, Bytes record, const FileLabels& file);

 private:
  class RecordViewLines;

  [[nodiscard]] std::string_view nameless() const;
  void frame(Bytes record, const FileLabels& file);
  void write_counters(Sink& out, const std::byte* record) const;

  struct Column {
    std::string name;  // "\tPOSIX_OPENS\t"
    std::uint32_t at;  // byte in the record
    Kind kind;
  };

  const ModuleFormat& format_;
  const log::NameTable& names_;
  const log::Job& job_;
  std::vector<Column> columns_;
  std::size_t longest_name_ = 0;
  RecordViewState view_state_;
  std::string front_;  // "POSIX\t0\t123"
  std::string back_;   // "\t/file\t/\text4\n"
  std::string joint_;  // back of one line and front of the next
};

}  // namespace trikal::report
