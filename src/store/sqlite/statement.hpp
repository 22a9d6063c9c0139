#pragma once
// A prepared statement of SQLite that is used over and over.

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/bytes.hpp"

namespace trikal::storage {

// SQLite's integers are signed: ids keep their 64 bits.
[[nodiscard]] inline std::int64_t as_signed(std::uint64_t value) { return static_cast<std::int64_t>(value); }
[[nodiscard]] inline std::uint64_t as_unsigned(std::int64_t value) { return static_cast<std::uint64_t>(value); }

class Statement {
 public:
  Statement() = default;
  Statement(sqlite3* database, std::string_view sql) {
    sqlite3_stmt* made = nullptr;
    sqlite3_prepare_v3(database, sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT, &made, nullptr);
    statement_.reset(made);
  }
  [[nodiscard]] explicit operator bool() const { return statement_ != nullptr; }

  // Parameters in order, from the first on. Texts must stay until the statement has run.
  template <class... Values>
  Statement& with(const Values&... values) {
    if (statement_ == nullptr) return *this;
    sqlite3_reset(statement_.get());
    int at = 0;
    (bind(++at, values), ...);
    return *this;
  }
  // SQLITE_ROW, SQLITE_DONE or an error.
  [[nodiscard]] int step() { return statement_ == nullptr ? SQLITE_ERROR : sqlite3_step(statement_.get()); }
  // To its end, for what answers nothing.
  [[nodiscard]] bool run() {
    const bool done = step() == SQLITE_DONE;
    reset();
    return done;
  }
  void reset() {
    if (statement_ != nullptr) sqlite3_reset(statement_.get());
  }
  [[nodiscard]] std::int64_t number(int column) const { return sqlite3_column_int64(statement_.get(), column); }
  [[nodiscard]] std::uint64_t id(int column) const { return as_unsigned(number(column)); }
  [[nodiscard]] double real(int column) const { return sqlite3_column_double(statement_.get(), column); }
  [[nodiscard]] std::string text(int column) const {
    const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
    return data == nullptr
               ? std::string()
               : std::string(data, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column)));
  }
  // Until the next step.
  [[nodiscard]] Bytes bytes(int column) const {
    const auto* data = static_cast<const std::byte*>(sqlite3_column_blob(statement_.get(), column));
    return {data, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
  }
  [[nodiscard]] sqlite3_stmt* get() const { return statement_.get(); }

 private:
  void bind(int at, std::int64_t value) { sqlite3_bind_int64(statement_.get(), at, value); }
  void bind(int at, int value) { sqlite3_bind_int64(statement_.get(), at, value); }
  void bind(int at, std::uint64_t value) { sqlite3_bind_int64(statement_.get(), at, as_signed(value)); }
  void bind(int at, double value) { sqlite3_bind_double(statement_.get(), at, value); }
  void bind(int at, std::string_view value) {
    sqlite3_bind_text(statement_.get(), at, value.data(), static_cast<int>(value.size()), SQLITE_STATIC);
  }

  void bind(int at, Bytes value) {
    sqlite3_bind_blob64(statement_.get(), at, value.data(), value.size(), SQLITE_STATIC);
  }

  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

}  // namespace trikal::storage
