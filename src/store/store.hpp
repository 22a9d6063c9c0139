#pragma once
// Where what was streamed is kept. One interface; an engine is chosen by URL ("sqlite:FILE"). Batches come in any order and
// more than once: each is taken once. Tables, views and versions: docs/formats/store.md.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "store/event_sums.hpp"
#include "store/panels.hpp"
#include "stream/wire/batch.hpp"
#include "stream/wire/ring.hpp"

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

// Which events are asked for. What is not set chooses nothing.
struct EventQuery {
  std::optional<std::uint64_t> run, process;  // the numbers of batches
  std::optional<std::int64_t> rank;
  std::optional<std::uint32_t> thread;
  stream::Nanoseconds from = INT64_MIN, to = INT64_MAX;  // of when the call began; `to` excluded
  std::string file, interface, operation;  // whole names, as the view `events` has them; empty: any
  std::uint64_t most = 0;  // 0: all
  enum class Order : std::uint8_t { kTime, kDuration, kStored };
  // Of chunks: those that begin first, those with the longest event, or as they came: then a thread's are in their order.
  Order order = Order::kTime;
};

// An event with names for its numbers. Views are good until the function that was called with it returns.
struct StoredEvent {
  std::uint64_t run = 0, process = 0;  // the numbers of batches
  std::int64_t run_row = 0, process_row = 0;  // and those that the views of the store show
  std::int64_t pid = 0;
  std::int64_t rank = -1;  // of the process; -1: none is known
  std::int64_t own_rank = -1;  // as the process knew it at that time
  std::string_view host, command;  // of the process
  std::uint32_t thread = 0, sequence = 0;  // numbers of the thread in the process, and of the event in the thread
  stream::Nanoseconds time = 0;  // when the call began, since 1970
  stream::Nanoseconds duration = 0;
  std::string_view interface, operation;  // "POSIX", "write"
  std::uint32_t operation_number = 0;  // as the ring had it
  std::uint64_t file = 0;  // id of the record
  std::string_view file_name;  // empty: not known
  std::int64_t offset = -1;  // -1: none, or only the library knows it
  std::int64_t length = 0;  // bytes moved
  std::string_view object;  // program or library that made the call; empty: not asked for, or not known
  std::uint64_t address = 0;  // of the call in it
  const stream::EventDetails* details = nullptr;  // null: not asked for
  // No event from here on began earlier (with Order::kDuration: took longer).
  std::int64_t bound = INT64_MIN;
};

// What a process is. Texts are the bytes that it used.
struct StoredProcess {
  std::int64_t uid = -1, job = -1;  // -1: not known
  std::optional<stream::Nanoseconds> start;
  std::string host, program;  // empty: not known
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
  // How far the event rings of a process were read, likewise.
  virtual Result<std::vector<stream::RingEntry>> rings_of(std::uint64_t process) = 0;
  // What is too old or too much goes. Sums of runs and counts of events stay.
  virtual Status keep_to(const Retention& retention) = 0;

  // What pages ask.
  virtual Panels& panels() = 0;

  // Events, chunk by chunk: inside of one those of a thread in order, those of different threads not. `use` answers whether it
  // wants more. A chunk that cannot be read ends it; message() names the chunk.
  virtual Status events(const EventQuery& query, const std::function<bool(const StoredEvent&)>& use) = 0;

  // What the numbers of an event stand for; nothing: nobody has told.
  virtual std::optional<StoredProcess> process(std::uint64_t key) = 0;
  virtual std::optional<std::string> file_name(std::uint64_t key) = 0;

  // Sums of events in groups, in their order.
  virtual Result<std::vector<EventGroup>> event_sums(const EventQuery& query, const EventGrouping& grouping);

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
