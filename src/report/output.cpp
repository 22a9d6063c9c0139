#include "report/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

namespace trikal::report {
namespace {

constexpr const char* kExists = "already there (--force replaces it)";

Error failed(const char* what) { return {.code = ErrorCode::kSystem, .sys_errno = errno, .what = what}; }

// A sink into a file that stays only if all of it could be written.
class FileSink {
 public:
  explicit FileSink(std::unique_ptr<OutputFile> file) : file_(std::move(file)), sink_(file_->descriptor()) {}
  Sink& sink() { return sink_; }
  Status close() {
    const Status written = sink_.flush();
    return written.ok() ? file_->keep() : written;
  }

 private:
  std::unique_ptr<OutputFile> file_;
  DescriptorSink sink_;
};

class DirectoryOutput final : public TableOutput {
 public:
  DirectoryOutput(std::filesystem::path path, std::string extension, Replace replace)
      : path_(std::move(path)), extension_(std::move(extension)), replace_(replace) {}

  Result<Sink*> open(const std::string& table) override {
    auto file = OutputFile::create((path_ / (table + "." + extension_)).string(), replace_);
    if (!file) return file.error();
    file_ = std::make_unique<FileSink>(std::move(*file));
    return &file_->sink();
  }

  Status close() override {
    const Status closed = file_->close();
    file_.reset();
    return closed;
  }

 private:
  std::filesystem::path path_;
  std::string extension_;
  Replace replace_;
  std::unique_ptr<FileSink> file_;
};

class SingleOutput final : public TableOutput {
 public:
  explicit SingleOutput(std::unique_ptr<OutputFile> file) : file_(std::move(file)) {}
  Result<Sink*> open(const std::string& /*table*/) override { return &file_.sink(); }
  Status close() override { return file_.close(); }

 private:
  FileSink file_;
};

class StandardOutput final : public TableOutput {
 public:
  Result<Sink*> open(const std::string& /*table*/) override { return &sink_; }
  Status close() override { return sink_.flush(); }
  [[nodiscard]] bool is_stream() const override { return true; }

 private:
  DescriptorSink sink_{STDOUT_FILENO};
};

}  // namespace

Result<std::unique_ptr<OutputFile>> OutputFile::create(const std::string& path, Replace replace) {
  std::string working = path;
  struct stat there{};
  if (::stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode)) {
    // A device or a pipe takes what it is given and is never removed or replaced; a directory refuses by itself.
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) return failed("cannot write");
    std::unique_ptr<OutputFile> file(new OutputFile(path, std::move(working), descriptor));
    file->kept_ = true;
    return file;
  }
  if (replace == Replace::kYes) working += ".part" + std::to_string(::getpid());
  const int descriptor = ::open(working.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) return failed(errno == EEXIST ? kExists : "cannot create");
  return std::unique_ptr<OutputFile>(new OutputFile(path, std::move(working), descriptor));
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!kept_) ::unlink(working_path_.c_str());
}

Status OutputFile::keep() {
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (::close(descriptor) != 0) return failed("cannot write");
  if (working_path_ != path_ && ::rename(working_path_.c_str(), path_.c_str()) != 0) return failed("cannot replace");
  kept_ = true;
  return {};
}

Result<std::unique_ptr<TableOutput>> open_directory(const std::string& path, std::string extension, Replace replace) {
  std::error_code error;
  const std::filesystem::path directory(path);
  std::filesystem::create_directories(directory, error);
  const bool empty = !error && std::filesystem::is_empty(directory, error);
  if (error) return Error{.code = ErrorCode::kSystem, .sys_errno = error.value(), .what = "cannot use as a directory"};
  if (!empty && replace == Replace::kNo) {
    return Error{.code = ErrorCode::kSystem, .sys_errno = ENOTEMPTY, .what = kExists};
  }
  return std::unique_ptr<TableOutput>(std::make_unique<DirectoryOutput>(directory, std::move(extension), replace));
}

Result<std::unique_ptr<TableOutput>> open_single_file(const std::string& path, Replace replace) {
  auto file = OutputFile::create(path, replace);
  if (!file) return file.error();
  return std::unique_ptr<TableOutput>(std::make_unique<SingleOutput>(std::move(*file)));
}

std::unique_ptr<TableOutput> open_standard_output() { return std::make_unique<StandardOutput>(); }

Result<std::unique_ptr<TableOutput>> open_file_or_standard_output(const std::string& path, Replace replace) {
  if (path == "-") return open_standard_output();
  return open_single_file(path, replace);
}

}  // namespace trikal::report
