#pragma once
// What pages ask, of a store in SQLite.

#include <sqlite3.h>

#include "store/store.hpp"

namespace trikal::storage {

class SqlitePanels final : public Panels {
 public:
  // The connection stays its owner's.
  explicit SqlitePanels(sqlite3* database) : database_(database) {}

  Result<Table> runs() override;
  Result<Table> sums(const PanelQuery& query, std::int64_t* width) override;
  Result<Table> processes(std::int64_t run) override;
  Result<Table> system(const SystemQuery& query, std::int64_t* width) override;
  Result<Table> findings(std::int64_t run) override;
  Result<Table> drops(std::int64_t run) override;
  Result<Table> phases(std::int64_t run) override;
  std::optional<double> newest() override;
  Result<Table> event_counts(std::int64_t run) override;
  std::optional<std::uint64_t> run_key(std::int64_t run) override;
  std::optional<std::uint64_t> process_key(std::int64_t process) override;
  std::int64_t version() override;

 private:
  [[nodiscard]] Result<Table> ask(const std::string& sql, const std::vector<Value>& values, std::size_t most = 0);
  [[nodiscard]] std::optional<std::uint64_t> key_of(const std::string& sql, std::int64_t number);
  // The first and last second there is something of.
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> span(const PanelQuery& query);

  sqlite3* database_;
};

}  // namespace trikal::storage
