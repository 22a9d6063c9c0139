#include "store/sqlite/event_names.hpp"

#include "stream/wire/event_columns.hpp"

namespace trikal::storage {
namespace {

// The statement, made when it is first needed, and whether it found the one row.
template <class... Values>
bool find(sqlite3* database, Statement& statement, const char* sql, const Values&... values) {
  if (!statement) statement = Statement(database, sql);
  return statement.with(values...).step() == SQLITE_ROW;
}

}  // namespace

const EventNames::Process& EventNames::process(std::int64_t id) {
  const auto [entry, is_new] = processes_.try_emplace(id);
  if (!is_new) return entry->second;
  constexpr const char* kSql =
      "SELECT process.key, run.key, pid, process.host, process.command FROM process LEFT JOIN run ON run.id = "
      "process.run WHERE process.id = ?";
  if (find(database_, find_process_, kSql, id))
    entry->second = {find_process_.id(0), find_process_.id(1), find_process_.number(2), find_process_.text(3),
                     find_process_.text(4)};
  find_process_.reset();
  return entry->second;
}

const EventNames::File& EventNames::file(std::int64_t id) {
  const auto [entry, is_new] = files_.try_emplace(id);
  if (!is_new) return entry->second;
  if (find(database_, find_file_, "SELECT key, name, name IS NOT NULL FROM file WHERE id = ?", id))
    entry->second = {find_file_.id(0), find_file_.text(1), find_file_.number(2) != 0};
  find_file_.reset();
  return entry->second;
}

const EventNames::Operation& EventNames::operation(std::int64_t process, std::int64_t number) {
  // Those that all know are the same for every process.
  const stream::EventOperationName known = stream::event_operation_name(static_cast<std::uint32_t>(number));
  const auto [entry, is_new] = operations_.try_emplace({known.word.empty() ? process : 0, number});
  if (!is_new) return entry->second;
  if (!known.word.empty()) return entry->second = {std::string(known.interface), std::string(known.word)};
  constexpr const char* kSql = "SELECT interface, word FROM event_operation WHERE process = ? AND number = ?";
  if (find(database_, find_operation_, kSql, process, number))
    entry->second = {find_operation_.text(0), find_operation_.text(1)};
  find_operation_.reset();
  return entry->second;
}

const std::string& EventNames::object(std::int64_t process, std::int64_t number) {
  const auto [entry, is_new] = objects_.try_emplace({process, number});
  if (!is_new) return entry->second;
  constexpr const char* kSql = "SELECT path FROM event_object WHERE process = ? AND number = ?";
  if (find(database_, find_object_, kSql, process, number)) entry->second = find_object_.text(0);
  find_object_.reset();
  return entry->second;
}

}  // namespace trikal::storage
