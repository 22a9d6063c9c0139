#pragma once
// Where what was streamed is kept. One interface; an engine is chosen by URL ("sqlite:FILE"). Batches come in any order and
// more than once: each is taken once. Tables, views and versions: docs/formats/store.md.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "stream/wire/batch.hpp"

namespace trikal::storage {

using Value = std::variant<std::monostate, std::int64_t, double, std::string>;
using Row = std::vector<Value>;

struct Table {
  std::vector<std::string> columns;
  std::vector<Row> rows;
};

// What has been stored of a process: by file and module.
struct StoredSum {
  std::uint64_t file = 0;
  ModuleId module = 0;
  Operation operation = Operation::kRead;
  stream::Amount amount;
};

struct Retention {
  stream::Nanoseconds oldest = 0;  // rows that are older go; 0: none
  std::uint64_t bytes = 0;  // of the whole store; 0: any number
};

// Throughput of one slice of time.
struct Slice {
  stream::Nanoseconds time = 0;
  Operation operation = Operation::kRead;
  std::uint64_t calls = 0, bytes = 0;
  double seconds = 0;
};

// Rows of a list of the busiest.
struct Busy {
  std::string name;  // a file; or empty
  std::int64_t rank = -1, pid = 0;
  std::uint64_t calls = 0, bytes = 0;
  double seconds = 0;
};

class Store {
 public:
  enum class Mode : std::uint8_t { kWrite, kRead };
  // kWrite makes it when there is none, and refuses when somebody else writes to it.
  static Result<std::unique_ptr<Store>> open(const std::string& url, Mode mode);
  // The URL of a file that is named without one.
  [[nodiscard]] static std::string url_of(const std::string& name);

  virtual ~Store() = default;

  // Once for each (source, sequence); again changes nothing.
  virtual Status ingest(const stream::Batch& batch) = 0;
  // What was stored of a process, for whoever goes on with it.
  virtual Result<std::vector<StoredSum>> stored_of(std::uint64_t process) = 0;
  // What is too old or too much goes. Sums of runs stay.
  virtual Status keep_to(const Retention& retention) = 0;

  // For panels. Slices of `width` seconds: 1, 10 or 60.
  virtual Result<std::vector<Slice>> throughput(std::uint64_t run, int width, stream::Nanoseconds from,
                                                stream::Nanoseconds to) = 0;
  virtual Result<std::vector<Busy>> top_files(std::uint64_t run, std::size_t most) = 0;
  virtual Result<std::vector<Busy>> top_processes(std::uint64_t run, std::size_t most) = 0;

  // Any query that changes nothing. The rows are handed over one by one; `use` answers whether it wants more.
  struct Answer {
    std::function<void(const std::vector<std::string>& columns)> columns;
    std::function<bool(const Row& row)> row;
  };
  virtual Status query(const std::string& text, const Answer& answer) = 0;

  // What the engine said about the last error.
  [[nodiscard]] virtual std::string message() const = 0;
};

}  // namespace trikal::storage
