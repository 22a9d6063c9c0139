#include "store/sqlite/event_table.hpp"

#include <cmath>
#include <cstring>
#include <memory>
#include <new>

#include "store/sqlite/event_names.hpp"
#include "store/sqlite/event_scan.hpp"

namespace trikal::storage {
namespace {

using stream::EventColumn;

// As kDeclaration names them. Those from kHighestRead on are the columns of details, in their order.
enum Column : int {
  kTime,
  kDuration,
  kRun,
  kRank,
  kPid,
  kProcess,
  kThread,
  kInterface,
  kOperation,
  kFile,
  kOffset,
  kLength,
  kSequence,
  kObject,
  kAddress,
  kBeginNs,
  kDurationNs,
  kDetails,
};
constexpr int kColumns = kDetails + static_cast<int>(stream::kEventColumns - stream::kPlainEventColumns);
constexpr const char* kDeclaration =
    "CREATE TABLE x (time REAL, duration REAL, run INTEGER, rank INTEGER, pid INTEGER, process INTEGER, thread "
    "INTEGER, interface TEXT, operation TEXT, file TEXT, offset INTEGER, length INTEGER, sequence INTEGER, object "
    "TEXT, address INTEGER, begin_ns INTEGER, duration_ns INTEGER, highest_read INTEGER, highest_written INTEGER, "
    "switches INTEGER, flushes INTEGER, selected INTEGER, dataset_elements INTEGER, point_selects INTEGER, "
    "regular_selects INTEGER, irregular_selects INTEGER, dimensions INTEGER, selection INTEGER)";

EventColumn detail_of(int column) {
  return static_cast<EventColumn>(static_cast<std::size_t>(column - kDetails) + stream::kPlainEventColumns);
}

// What a chunk must be decoded for.
std::uint32_t needed_for(int column) {
  switch (column) {
    case kDuration:
    case kDurationNs: return bit_of(EventColumn::kDuration);
    case kThread: return bit_of(EventColumn::kThread);
    case kInterface:
    case kOperation: return bit_of(EventColumn::kOperation);
    case kFile: return bit_of(EventColumn::kFile);
    case kOffset: return bit_of(EventColumn::kOffset);
    case kLength: return bit_of(EventColumn::kLength);
    case kSequence: return bit_of(EventColumn::kSequence);
    case kObject:
    case kAddress: return bit_of(EventColumn::kCallSite);
    default: return column >= kDetails ? bit_of(detail_of(column)) : 0;
  }
}

struct Cursor : sqlite3_vtab_cursor {
  explicit Cursor(sqlite3* database) : sqlite3_vtab_cursor{}, scan(database), names(database) {}
  EventScan scan;
  EventNames names;
  bool at_end = false;
};
struct Table : sqlite3_vtab {
  sqlite3* database = nullptr;
};

// How a condition of the query is used, as one character of the plan; 0: it is not.
char use_of(const sqlite3_index_info::sqlite3_index_constraint& condition) {
  const bool is_equal = condition.op == SQLITE_INDEX_CONSTRAINT_EQ;
  const bool is_from = condition.op == SQLITE_INDEX_CONSTRAINT_GE || condition.op == SQLITE_INDEX_CONSTRAINT_GT;
  const bool is_to = condition.op == SQLITE_INDEX_CONSTRAINT_LE || condition.op == SQLITE_INDEX_CONSTRAINT_LT;
  if (condition.usable == 0) return 0;
  switch (condition.iColumn) {
    case kRun: return is_equal ? 'r' : '\0';
    case kProcess: return is_equal ? 'p' : '\0';
    case kRank: return is_equal ? 'k' : '\0';
    case kTime: return is_equal ? 'e' : is_from ? 'a' : is_to ? 'b' : '\0';
    case kBeginNs: return is_equal ? 'E' : is_from ? 'A' : is_to ? 'B' : '\0';
    default: return 0;
  }
}

// What is chosen by them; SQLite checks all conditions again, so that bounds may be wider.
void choose(EventSelection& selection, char use, sqlite3_value* value) {
  const int type = sqlite3_value_type(value);
  if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) return;
  if (use == 'r' || use == 'p' || use == 'k') {
    if (type != SQLITE_INTEGER) return;
    (use == 'r' ? selection.run : use == 'p' ? selection.process : selection.rank) = sqlite3_value_int64(value);
    return;
  }
  // Seconds have no more digits than a double: half a microsecond today.
  constexpr std::int64_t kWider = 1000;
  constexpr double kMost = 9e18;
  const bool exact = type == SQLITE_INTEGER && (use == 'A' || use == 'B' || use == 'E');
  const double scaled = sqlite3_value_double(value) * (use >= 'a' ? 1e9 : 1);
  if (!exact && !(std::abs(scaled) < kMost)) return;
  const std::int64_t at = exact ? sqlite3_value_int64(value) : static_cast<std::int64_t>(scaled);
  const std::int64_t wider = exact ? 0 : kWider;
  if (use != 'b' && use != 'B') selection.from = std::max(selection.from, at - wider);
  if (use != 'a' && use != 'A') selection.to = std::min(selection.to, at + wider);
}

int connect(sqlite3* database, void*, int, const char* const*, sqlite3_vtab** out, char**) {
  const int declared = sqlite3_declare_vtab(database, kDeclaration);
  if (declared != SQLITE_OK) return declared;
  sqlite3_vtab_config(database, SQLITE_VTAB_INNOCUOUS);  // views may use it
  auto* table = new (std::nothrow) Table{};
  if (table == nullptr) return SQLITE_NOMEM;
  table->database = database;
  *out = table;
  return SQLITE_OK;
}

int disconnect(sqlite3_vtab* table) { return delete static_cast<Table*>(table), SQLITE_OK; }

int best_index(sqlite3_vtab*, sqlite3_index_info* info) {
  std::string plan;
  double rows = 1e7;
  for (int i = 0; i < info->nConstraint; ++i) {
    const char use = use_of(info->aConstraint[i]);
    if (use == 0) continue;
    plan += use;
    info->aConstraintUsage[i].argvIndex = static_cast<int>(plan.size());
    rows /= use == 'p' || use == 'e' || use == 'E' ? 100 : use == 'r' || use == 'k' ? 10 : 4;
  }
  info->idxNum = static_cast<int>(info->colUsed & 0x7fffffffU);
  info->idxStr = sqlite3_mprintf("%s", plan.c_str());
  info->needToFreeIdxStr = 1;
  info->estimatedCost = rows;
  info->estimatedRows = static_cast<sqlite3_int64>(rows);
  return info->idxStr == nullptr ? SQLITE_NOMEM : SQLITE_OK;
}

int open(sqlite3_vtab* table, sqlite3_vtab_cursor** out) {
  *out = new (std::nothrow) Cursor(static_cast<Table*>(table)->database);
  return *out == nullptr ? SQLITE_NOMEM : SQLITE_OK;
}

int close(sqlite3_vtab_cursor* cursor) { return delete static_cast<Cursor*>(cursor), SQLITE_OK; }

int next(sqlite3_vtab_cursor* base) {
  auto& cursor = *static_cast<Cursor*>(base);
  const int step = cursor.scan.next();
  cursor.at_end = step != SQLITE_ROW;
  if (step == SQLITE_ROW || step == SQLITE_DONE) return SQLITE_OK;
  if (!cursor.scan.damage().empty()) {
    sqlite3_free(base->pVtab->zErrMsg);
    base->pVtab->zErrMsg = sqlite3_mprintf("%s", cursor.scan.damage().c_str());
  }
  return step;
}

int filter(sqlite3_vtab_cursor* base, int used, const char* plan, int count, sqlite3_value** values) {
  auto& cursor = *static_cast<Cursor*>(base);
  EventSelection selection;
  for (int i = 0; i < count; ++i) choose(selection, plan[i], values[i]);
  std::uint32_t columns = 0;
  for (int column = 0; column < kColumns; ++column)
    if ((static_cast<unsigned>(used) >> column & 1) != 0) columns |= needed_for(column);
  const int begun = cursor.scan.begin(selection, columns);
  return begun == SQLITE_OK ? next(base) : begun;
}

int at_end(sqlite3_vtab_cursor* cursor) { return static_cast<Cursor*>(cursor)->at_end ? 1 : 0; }

// Texts stay where they are until the cursor is closed.
void answer(sqlite3_context* to, const std::string& text, bool is_known) {
  if (is_known) sqlite3_result_text(to, text.c_str(), static_cast<int>(text.size()), SQLITE_STATIC);
}

void answer_name(Cursor& cursor, sqlite3_context* to, int column) {
  const EventScan& scan = cursor.scan;
  if (column == kFile) {
    const EventNames::File& file = cursor.names.file(scan.value(EventColumn::kFile));
    return answer(to, file.name, file.is_known);
  }
  if (column == kObject || column == kAddress) {
    const auto site = as_unsigned(scan.value(EventColumn::kCallSite));
    if (site == 0) return;
    const std::uint64_t object = site >> stream::kObjectShift;
    if (column == kAddress) return sqlite3_result_int64(to, as_signed(site - (object << stream::kObjectShift)));
    const std::string& path = cursor.names.object(scan.process(), as_signed(object));
    return answer(to, path, !path.empty());
  }
  const auto& operation = cursor.names.operation(scan.process(), scan.value(EventColumn::kOperation));
  answer(to, column == kInterface ? operation.interface : operation.word, !operation.word.empty());
}

int column_of(sqlite3_vtab_cursor* base, sqlite3_context* to, int column) {
  auto& cursor = *static_cast<Cursor*>(base);
  const EventScan& scan = cursor.scan;
  const auto value = [&](EventColumn which) { sqlite3_result_int64(to, scan.value(which)); };
  const auto seconds = [&](EventColumn which) {
    sqlite3_result_double(to, static_cast<double>(scan.value(which)) / 1e9);
  };
  switch (column) {
    case kTime: seconds(EventColumn::kBegin); break;
    case kBeginNs: value(EventColumn::kBegin); break;
    case kDuration: seconds(EventColumn::kDuration); break;
    case kDurationNs: value(EventColumn::kDuration); break;
    case kRun: sqlite3_result_int64(to, scan.run()); break;
    case kRank: sqlite3_result_int64(to, scan.rank()); break;
    case kProcess: sqlite3_result_int64(to, scan.process()); break;
    case kPid: sqlite3_result_int64(to, cursor.names.process(scan.process()).pid); break;
    case kThread: value(EventColumn::kThread); break;
    case kOffset: value(EventColumn::kOffset); break;
    case kLength: value(EventColumn::kLength); break;
    case kSequence: value(EventColumn::kSequence); break;
    case kInterface:
    case kOperation:
    case kFile:
    case kObject:
    case kAddress: answer_name(cursor, to, column); break;
    default:
      if (column < kColumns && scan.has(detail_of(column))) value(detail_of(column));
  }
  return SQLITE_OK;
}

int row_id(sqlite3_vtab_cursor* base, sqlite3_int64* id) {
  const EventScan& scan = static_cast<Cursor*>(base)->scan;
  *id = scan.chunk() * static_cast<std::int64_t>(kMostInChunk) + static_cast<std::int64_t>(scan.row());
  return SQLITE_OK;
}

// Without xCreate it is there by its name alone, and nobody can make another.
sqlite3_module module_functions() {
  sqlite3_module module{};
  module.iVersion = 1;
  module.xConnect = connect, module.xDisconnect = disconnect, module.xBestIndex = best_index;
  module.xOpen = open, module.xClose = close, module.xFilter = filter, module.xNext = next, module.xEof = at_end;
  module.xColumn = column_of, module.xRowid = row_id;
  return module;
}

}  // namespace

bool add_event_table(sqlite3* database) {
  static const sqlite3_module module = module_functions();
  return sqlite3_create_module_v2(database, "event_rows", &module, nullptr, nullptr) == SQLITE_OK;
}

}  // namespace trikal::storage
