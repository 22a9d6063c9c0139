#include "gather/mount_text.hpp"

#include <fstream>
#include <iterator>

#include "base/mount_table.hpp"

namespace trikal::gather {

std::string mount_text() {
  std::ifstream file("/proc/self/mounts");
  const std::string table{std::istreambuf_iterator<char>(file), {}};
  std::string text;
  for_each_mount(table, [&text](std::string_view type, std::string_view path) {
    const std::string line = "\n" + std::string(type) + "\t" + std::string(path);
    if ((text + "\n").find(line + "\n") == std::string::npos) text += line;  // mounted over itself
  });
  return text;
}

}  // namespace trikal::gather
