// Tables as streams of the Arrow C Stream Interface.

#include <algorithm>
#include <cerrno>

#include "capi/arrow_c.hpp"
#include "capi/handle.hpp"

namespace {

using namespace trikal;
using capi::guarded;
using capi::hand_out;
using capi::OpenLog;
using capi::tell;

struct TableState {
  std::shared_ptr<OpenLog> log;
  log::TableInfo table;
  log::TableOptions options;
  std::unique_ptr<log::TableStream> rows;  // goes before the log it reads
  trikal_error error{};
};

TableState& state_of(ArrowArrayStream* stream) { return *static_cast<TableState*>(stream->private_data); }

// The interface speaks in numbers of errno.
int errno_of(const trikal_error& error) {
  if (error.code == TRIKAL_OK) return 0;
  if (error.code == TRIKAL_MEMORY) return ENOMEM;
  return error.system_errno != 0 ? error.system_errno : EIO;
}

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) noexcept {
  TableState& state = state_of(stream);
  state.error = {};
  guarded<int>(&state.error, 0, [&] { return capi::export_schema(state.table, out), 0; });
  return errno_of(state.error);
}

// The end is an array without a release callback.
int get_next(ArrowArrayStream* stream, ArrowArray* out) noexcept {
  TableState& state = state_of(stream);
  state.error = {};
  *out = {};
  guarded<int>(&state.error, 0, [&] {
    auto chunk = std::make_shared<Chunk>();
    auto more = state.rows->next(*chunk);
    if (!more) tell(&state.error, more.error());
    else if (*more) capi::export_chunk(chunk, out);
    return 0;
  });
  return errno_of(state.error);
}

const char* get_last_error(ArrowArrayStream* stream) noexcept {
  const TableState& state = state_of(stream);
  return state.error.code != TRIKAL_OK ? state.error.text : nullptr;
}

void release_stream(ArrowArrayStream* stream) noexcept {
  guarded<int>(nullptr, 0, [&] { return delete &state_of(stream), 0; });
  stream->release = nullptr;
  stream->private_data = nullptr;
}

const log::TableInfo* find_table(const std::vector<log::TableInfo>& tables, std::string_view name) {
  const auto at = std::ranges::find(tables, name, &log::TableInfo::name);
  return at != tables.end() ? &*at : nullptr;
}

int open_stream(trikal_log& log, std::string_view name, uint64_t flags, uint64_t rows, ArrowArrayStream* stream,
                trikal_error* error) {
  auto state = std::make_unique<TableState>();
  state->log = log.open;
  if ((flags & TRIKAL_NO_NAMES) != 0) state->options.names = log::NameColumns::kNone;
  if (rows != 0) state->options.rows = static_cast<std::size_t>(rows);
  const std::lock_guard lock(log.open->mutex);
  log::Reader& reader = *log.open->reader;
  const auto tables = log::tables_of(reader, state->options);
  const log::TableInfo* table = find_table(tables, name);
  if (table == nullptr) return tell(error, TRIKAL_MISSING, "the log has no table of this name"), -1;
  state->table = *table;
  // All names are read while the lock is held, so that streams on several threads do not meet there.
  if (const Status loaded = capi::load_names(*log.open); !loaded) return tell(error, loaded.error()), -1;
  auto opened = log::open_table(reader, state->table, state->options);
  if (!opened) return tell(error, opened.error()), -1;
  state->rows = std::move(*opened);
  *stream = {get_schema, get_next, get_last_error, release_stream, state.get()};
  static_cast<void>(state.release());  // the stream owns it now
  return 0;
}

}  // namespace

extern "C" {

size_t trikal_table_count(const trikal_log* log) { return log != nullptr ? log->open->tables.size() : 0; }

int trikal_get_table(const trikal_log* log, size_t index, trikal_table* table, size_t size) {
  if (index >= trikal_table_count(log)) return -1;
  const log::TableInfo& info = log->open->tables[index];
  // A module's name is a literal, and ends with a NUL.
  const char* module = info.module != nullptr ? info.module->schema->name.data() : "";
  return hand_out({info.name.c_str(), module, info.help.c_str()}, table, size);
}

int trikal_open_table(trikal_log* log, const char* table, uint64_t flags, uint64_t rows,
                      struct ArrowArrayStream* stream, trikal_error* error) {
  return guarded<int>(error, -1, [&] {
    if (log == nullptr || table == nullptr || stream == nullptr) {
      return tell(error, TRIKAL_USAGE, "no log, no table, or nowhere to put the stream"), -1;
    }
    return open_stream(*log, table, flags, rows, stream, error);
  });
}

}  // extern "C"
