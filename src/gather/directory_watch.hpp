#pragma once
// Tells which files of a few directories have been made, or are no longer mapped by anybody.

#include <functional>
#include <string>
#include <vector>

namespace trikal::gather {

class DirectoryWatch {
 public:
  DirectoryWatch();
  ~DirectoryWatch();
  DirectoryWatch(const DirectoryWatch&) = delete;
  DirectoryWatch& operator=(const DirectoryWatch&) = delete;

  // False: whoever wants to know has to look from time to time.
  bool add(const std::string& directory);
  // Readable when there is something to tell; -1: never.
  [[nodiscard]] int descriptor() const { return descriptor_; }

  struct Event {
    const std::string& directory;
    std::string_view name;
    bool closed = false;  // by the last that had it open for writing, or mapped
  };
  struct News {
    bool any = false;
    bool lost = false;  // there was more than could be told
  };
  News read(const std::function<void(const Event&)>& use);

 private:
  int descriptor_;
  std::vector<std::pair<int, std::string>> directories_;
};

}  // namespace trikal::gather
