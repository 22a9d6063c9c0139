#pragma once
// The store in one file, by SQLite.

#include <unordered_map>

#include "store/sqlite/event_chunk.hpp"
#include "store/sqlite/event_names.hpp"
#include "store/sqlite/event_scan.hpp"
#include "store/sqlite/sqlite_panels.hpp"
#include "store/sqlite/statement.hpp"
#include "store/store.hpp"

namespace trikal::storage {

class SqliteStore final : public Store {
 public:
  static Result<std::unique_ptr<Store>> open(const std::string& path, Mode mode);
  ~SqliteStore() override;

  Status ingest(const stream::Batch& batch) override;
  Result<std::vector<StoredSum>> stored_of(std::uint64_t process) override;
  Result<std::vector<stream::RingEntry>> rings_of(std::uint64_t process) override;
  Status keep_to(const Retention& retention) override;
  Panels& panels() override { return *panels_; }
  Status events(const EventQuery& query, const std::function<bool(const StoredEvent&)>& use) override;
  Result<std::vector<EventGroup>> event_sums(const EventQuery& query, const EventGrouping& grouping) override;
  std::optional<StoredProcess> process(std::uint64_t key) override;
  std::optional<std::string> file_name(std::uint64_t key) override;
  Status query(const std::string& text, const Answer& answer) override;
  [[nodiscard]] std::string message() const override { return message_; }

 private:
  struct Close {
    void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
  };
  struct Process {
    std::int64_t id = 0, run = 0, rank = -1;
  };
  // Of events that are not compressed yet.
  struct Pieces {
    std::size_t number = 0, events = 0;
  };

  SqliteStore(int lock, Mode mode) : lock_(lock), mode_(mode) {}
  [[nodiscard]] Status begin(const std::string& path);
  [[nodiscard]] bool execute(const char* sql);
  [[nodiscard]] Error failure(const char* what);
  // False: this one was taken before.
  [[nodiscard]] bool is_new(const stream::Batch& batch, bool& ok);
  [[nodiscard]] bool put_dictionary(const stream::Batch& batch);
  [[nodiscard]] bool put_process(const stream::ProcessEntry& entry);
  [[nodiscard]] bool put_rollups(const stream::Batch& batch);
  [[nodiscard]] bool put_system(const stream::Batch& batch);
  [[nodiscard]] bool put_findings(const stream::Batch& batch);
  [[nodiscard]] bool put_phases(const stream::Batch& batch);
  [[nodiscard]] bool put_events(const stream::Batch& batch);
  [[nodiscard]] bool put_event_list(const stream::EventList& list);
  [[nodiscard]] bool put_event_counts(const stream::Batch& batch);
  [[nodiscard]] bool put_chunks(const Process& process, const std::vector<stream::EventRecord>& events,
                                const std::vector<stream::EventDetails>& details, Packing packing);
  [[nodiscard]] bool put_sums(std::int64_t chunk, std::span<const stream::EventRecord> events);
  [[nodiscard]] Pieces& pieces_of(std::int64_t process);
  [[nodiscard]] bool compress_pieces(const Process& process);
  void compress_all();
  [[nodiscard]] std::uint64_t bytes_used();
  [[nodiscard]] bool forget_events(stream::Nanoseconds before);
  [[nodiscard]] bool forget_a_tenth(bool all_widths);
  [[nodiscard]] EventSelection selection_of(const EventQuery& query);
  [[nodiscard]] Error failure_of(const EventScan& scan);
  // Calls use() for each event of the selection, which `scan` is at then.
  [[nodiscard]] Status read_events(EventScan& scan, const EventSelection& selection, std::uint32_t columns,
                                   const std::function<void()>& use);
  [[nodiscard]] Status scan_events(const EventSelection& selection, const EventQuery& query, EventNames& names,
                                   const std::function<bool(const StoredEvent&)>& use);
  [[nodiscard]] std::int64_t row_of(const char* sql, std::uint64_t key);
  [[nodiscard]] std::int64_t run_of(std::uint64_t key);
  [[nodiscard]] Process process_of(std::uint64_t key, std::uint64_t run = 0);
  [[nodiscard]] std::int64_t file_of(std::uint64_t key);
  [[nodiscard]] std::int64_t metric_of(const std::string& host, const stream::SystemValue& value);
  [[nodiscard]] Statement& prepared(const char* sql);

  int lock_;
  Mode mode_;
  std::unique_ptr<sqlite3, Close> database_;
  std::unordered_map<const char*, Statement> statements_;  // by their text's address: all are literals
  // Numbers of the dictionaries that were looked up.
  std::unordered_map<std::uint64_t, std::int64_t> runs_, files_;
  std::unordered_map<std::uint64_t, Process> processes_;
  std::unordered_map<std::string, std::int64_t> metrics_;
  std::unordered_map<std::int64_t, Pieces> pieces_;  // by process
  std::string message_;
  std::optional<SqlitePanels> panels_;
};

// Whether a query wants an event by what no index knows.
[[nodiscard]] bool is_wanted(const EventQuery& query, const StoredEvent& event);

}  // namespace trikal::storage
