#include "store/sqlite/sqlite_store.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

#include "store/sqlite/column_value.hpp"
#include "store/sqlite/event_table.hpp"
#include "store/sqlite/schema.hpp"

namespace trikal::storage {
namespace {

constexpr int kBusyMilliseconds = 5000;
constexpr std::string_view kScheme = "sqlite:";

// A query of a person reads this store and nothing else.
int allow_reading(void*, int action, const char*, const char*, const char*, const char*) {
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_FUNCTION:
    case SQLITE_RECURSIVE: return SQLITE_OK;
    default: return SQLITE_DENY;
  }
}

// Of the one who writes. SQLite's own locks are of another kind, so this does not keep anybody from reading.
int lock_file(const std::string& path, Error& error) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) {
    error = {.code = ErrorCode::kSystem, .sys_errno = errno, .what = "cannot open the store for writing"};
  } else if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
    error = {.code = ErrorCode::kUsage, .what = "another trikal is writing to this store"};
    ::close(file);
    return -1;
  }
  return file;
}

}  // namespace

std::string Store::url_of(const std::string& name) {
  return name.starts_with(kScheme) ? name : std::string(kScheme) + name;
}

Result<std::unique_ptr<Store>> Store::open(const std::string& url, Mode mode) {
  if (!url.starts_with(kScheme) || url.size() == kScheme.size())
    return Error{.code = ErrorCode::kUsage, .what = "a store is named as sqlite:FILE"};
  return SqliteStore::open(url.substr(kScheme.size()), mode);
}

Result<std::unique_ptr<Store>> SqliteStore::open(const std::string& path, Mode mode) {
  Error error;
  const int lock = mode == Mode::kWrite ? lock_file(path, error) : -1;
  if (mode == Mode::kWrite && lock < 0) return error;
  std::unique_ptr<SqliteStore> store(new SqliteStore(lock, mode));
  if (const Status begun = store->begin(path); !begun) return begun.error();
  return std::unique_ptr<Store>(std::move(store));
}

Status SqliteStore::begin(const std::string& path) {
  sqlite3* database = nullptr;
  const int flags = mode_ == Mode::kWrite ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY;
  const int opened = sqlite3_open_v2(path.c_str(), &database, flags, nullptr);
  database_.reset(database);
  if (opened != SQLITE_OK || !add_event_table(database)) return failure("cannot open the store");
  panels_.emplace(database);
  sqlite3_busy_timeout(database, kBusyMilliseconds);
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  if (mode_ == Mode::kRead) {
    const Status checked = check_schema(database);
    sqlite3_set_authorizer(database, allow_reading, nullptr);
    return checked;
  }
  // Readers do not wait for the writer, nor it for them. What was committed last may be lost when the machine fails, the
  // store itself not.
  if (!execute("PRAGMA journal_mode = WAL") || !execute("PRAGMA synchronous = NORMAL")) {
    const Status what = prepare_schema(database);  // says more of what it is not
    return what ? Status(failure("cannot write to the store")) : what;
  }
  return prepare_schema(database);
}

SqliteStore::~SqliteStore() {
  if (database_ != nullptr && mode_ == Mode::kWrite) compress_all();
  statements_.clear();
  // One file again, which can be read from where nothing can be written.
  if (database_ != nullptr && mode_ == Mode::kWrite) (void)execute("PRAGMA journal_mode = DELETE");
  database_.reset();
  if (lock_ >= 0) ::close(lock_);  // after SQLite: closing any descriptor of a file gives up all locks it has
}

bool SqliteStore::execute(const char* sql) {
  return sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr) == SQLITE_OK;
}

Error SqliteStore::failure(const char* what) {
  message_ = sqlite3_errmsg(database_.get());
  const int cause = sqlite3_errcode(database_.get()) == SQLITE_FULL ? ENOSPC : sqlite3_system_errno(database_.get());
  return {.code = ErrorCode::kSystem, .sys_errno = cause, .what = what};
}

Statement& SqliteStore::prepared(const char* sql) {
  Statement& statement = statements_[sql];
  if (!statement) statement = Statement(database_.get(), sql);
  return statement;
}

Status SqliteStore::query(const std::string& text, const Answer& answer) {
  sqlite3_stmt* made = nullptr;
  const char* rest = nullptr;
  const int result = sqlite3_prepare_v2(database_.get(), text.c_str(), static_cast<int>(text.size()), &made, &rest);
  const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement(made, sqlite3_finalize);
  if (result == SQLITE_AUTH)
    return message_ = "only what reads the store is allowed",
           Error{.code = ErrorCode::kUsage, .what = "the query was refused"};
  if (result != SQLITE_OK)
    return message_ = sqlite3_errmsg(database_.get()),
           Error{.code = ErrorCode::kUsage, .what = "the query makes no sense"};
  if (made == nullptr)
    return message_ = "it is empty", Error{.code = ErrorCode::kUsage, .what = "the query makes no sense"};
  if (std::string_view(rest).find_first_not_of(" \t\r\n;") != std::string_view::npos)
    return message_ = "it is more than one statement",
           Error{.code = ErrorCode::kUsage, .what = "the query was refused"};
  if (sqlite3_stmt_readonly(made) == 0)
    return message_ = "only what reads the store is allowed",
           Error{.code = ErrorCode::kUsage, .what = "the query was refused"};
  std::vector<std::string> columns;
  for (int i = 0; i < sqlite3_column_count(made); ++i) columns.emplace_back(sqlite3_column_name(made, i));
  answer.columns(columns);
  Row row(columns.size());
  int step = 0;
  while ((step = sqlite3_step(made)) == SQLITE_ROW) {
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = value_of(made, static_cast<int>(i));
    if (!answer.row(row)) return {};
  }
  if (step == SQLITE_DONE) return {};
  Error error = failure("the query failed");
  if ((step & 0xff) == SQLITE_CORRUPT) error = {.code = ErrorCode::kDamaged, .what = "the store is damaged"};
  return error;
}

}  // namespace trikal::storage
