#pragma once
// What numbers in chunks of events stand for, looked up once for each reader.

#include <map>
#include <string>
#include <unordered_map>

#include "store/sqlite/statement.hpp"

namespace trikal::storage {

class EventNames {
 public:
  explicit EventNames(sqlite3* database) : database_(database) {}

  struct Process {
    std::uint64_t key = 0, run_key = 0;
    std::int64_t pid = 0;
    std::string host, command;
  };
  struct File {
    std::uint64_t key = 0;
    std::string name;
    bool is_known = false;
  };
  struct Operation {
    std::string interface, word;  // empty: not known
  };

  // What they answer stays where it is as long as this does.
  [[nodiscard]] const Process& process(std::int64_t id);
  [[nodiscard]] const File& file(std::int64_t id);
  [[nodiscard]] const Operation& operation(std::int64_t process, std::int64_t number);
  [[nodiscard]] const std::string& object(std::int64_t process, std::int64_t number);  // empty: not known

 private:
  using Numbered = std::pair<std::int64_t, std::int64_t>;
  sqlite3* database_;
  Statement find_process_, find_file_, find_operation_, find_object_;
  std::unordered_map<std::int64_t, Process> processes_;
  std::unordered_map<std::int64_t, File> files_;
  std::map<Numbered, Operation> operations_;
  std::map<Numbered, std::string> objects_;
};

}  // namespace trikal::storage
