#pragma once
// Goes through the events of a store: chooses chunks by run, process, rank and time, and decodes the columns that are wanted.

#include <array>
#include <optional>
#include <string>

#include "store/sqlite/event_chunk.hpp"
#include "store/sqlite/statement.hpp"

namespace trikal::storage {

// Numbers are those of rows of the store.
struct EventSelection {
  std::optional<std::int64_t> run, process, rank, chunk;
  std::int64_t from = INT64_MIN, to = INT64_MAX;  // of when calls began; both included
  bool longest_first = false;  // of chunks; else those that begin first
  bool as_stored = false;  // of chunks: as they came
};

// What chunks are chosen by, as SQL. Each choice has an index that answers it (schema.cpp).
[[nodiscard]] std::string chunk_conditions(const EventSelection& selection);

class EventScan {
 public:
  explicit EventScan(sqlite3* database) : database_(database) {}

  // `columns`: a bit for each that value() will be asked for. SQLITE_OK or an error.
  [[nodiscard]] int begin(const EventSelection& selection, std::uint32_t columns);
  // SQLITE_ROW, SQLITE_DONE or an error. Before the first event, too.
  [[nodiscard]] int next();

  [[nodiscard]] std::int64_t value(stream::EventColumn column) const {
    return values_[static_cast<std::size_t>(column)][row_];
  }
  [[nodiscard]] bool has(stream::EventColumn column) const {
    return row_ < values_[static_cast<std::size_t>(column)].size();
  }
  [[nodiscard]] std::int64_t chunk() const { return chunk_; }
  [[nodiscard]] std::size_t row() const { return row_; }
  [[nodiscard]] std::int64_t run() const { return run_; }
  [[nodiscard]] std::int64_t process() const { return process_; }
  [[nodiscard]] std::int64_t rank() const { return rank_; }
  // Of the chunk: when its first event began, or how long its longest took.
  [[nodiscard]] std::int64_t bound() const { return bound_; }
  // Which chunk is damaged, and how; empty: none is.
  [[nodiscard]] const std::string& damage() const { return damage_; }

 private:
  [[nodiscard]] int next_chunk();
  [[nodiscard]] bool decode(Bytes data);

  sqlite3* database_;
  Statement chunks_;
  EventSelection selection_;
  std::uint32_t columns_ = 0;
  std::int64_t chunk_ = 0, run_ = 0, process_ = 0, rank_ = 0, bound_ = 0;
  std::size_t row_ = 0, count_ = 0;
  std::array<std::vector<std::int64_t>, stream::kEventColumns> values_;
  std::string damage_;
};

[[nodiscard]] constexpr std::uint32_t bit_of(stream::EventColumn column) { return 1U << static_cast<unsigned>(column); }

}  // namespace trikal::storage
