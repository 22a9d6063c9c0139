#pragma once
// Files that export makes. Nothing that exists is replaced unless the user says so, and nothing half-written stays.

#include <memory>
#include <string>

#include "base/result.hpp"
#include "report/sink.hpp"

namespace trikal::report {

enum class Replace : bool { kNo, kYes };

class OutputFile {
 public:
  // kNo: the file must not exist. kYes: written beside it and renamed to it by keep().
  static Result<std::unique_ptr<OutputFile>> create(const std::string& path, Replace replace);
  ~OutputFile();  // without keep() it leaves nothing behind
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }
  // What is being written now; not yet the name it will have.
  [[nodiscard]] const std::string& working_path() const { return working_path_; }
  [[nodiscard]] Status keep();

 private:
  OutputFile(std::string path, std::string working_path, int descriptor)
      : path_(std::move(path)), working_path_(std::move(working_path)), descriptor_(descriptor) {}
  std::string path_, working_path_;
  int descriptor_;
  bool kept_ = false;
};

// Where the tables of an export go, one after the other.
class TableOutput {
 public:
  virtual ~TableOutput() = default;
  virtual Result<Sink*> open(const std::string& table) = 0;
  virtual Status close() = 0;
  // Whether the output is a stream that nobody can position in.
  [[nodiscard]] virtual bool is_stream() const { return false; }
};

// One file a table, DIRECTORY/TABLE.EXTENSION. The directory is made if need be; one that has files in it is
// refused without Replace::kYes.
[[nodiscard]] Result<std::unique_ptr<TableOutput>> open_directory(const std::string& path, std::string extension,
                                                                  Replace replace);
// A single table.
[[nodiscard]] Result<std::unique_ptr<TableOutput>> open_single_file(const std::string& path, Replace replace);
[[nodiscard]] std::unique_ptr<TableOutput> open_standard_output();
// Either: "-" is standard output.
[[nodiscard]] Result<std::unique_ptr<TableOutput>> open_file_or_standard_output(const std::string& path,
                                                                                Replace replace);

}  // namespace trikal::report
