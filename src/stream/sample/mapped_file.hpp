#pragma once
// A crash map that is mapped to be read while its process writes to it. What a process wrote last can be read from here
// also when the file has been removed. Its contents and its length are not trusted: all reading is guarded.

#include <sys/types.h>

#include <string>

#include "base/bytes.hpp"
#include "base/result.hpp"
#include "log/crash/layout.hpp"

namespace trikal::stream {

class MappedFile {
 public:
  // Refuses what is no regular file of this user's own.
  static Result<MappedFile> open(const std::string& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&&) = delete;

  // Whether the path still leads to this file; maps what it has grown by.
  [[nodiscard]] bool is_there();
  [[nodiscard]] std::size_t size() const { return size_; }
  // False: these bytes are not, or no longer, in the file.
  [[nodiscard]] bool copy(std::byte* into, std::size_t at, std::size_t bytes) const;
  template <class T>
  [[nodiscard]] bool copy(T& into, std::size_t at) const {
    return copy(reinterpret_cast<std::byte*>(&into), at, sizeof into);
  }
  // For reading that is guarded.
  [[nodiscard]] const std::byte* data() const { return data_; }

 private:
  MappedFile(std::string path, const std::byte* data, std::size_t size, dev_t device, ino_t inode)
      : path_(std::move(path)), data_(data), size_(size), device_(device), inode_(inode) {}

  std::string path_;
  const std::byte* data_;
  std::size_t size_;
  dev_t device_;
  ino_t inode_;
};

}  // namespace trikal::stream
