// READ and WRITE: how records begin and end in a file, and what goes between.

#include <algorithm>
#include <cstring>

#include "predict/models/fortran.hpp"
#include "predict/models/fortran_transfer.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

constexpr Word kMarker = 4;
constexpr Word kLongest = 2147483639;  // bytes of a subrecord
constexpr int kBadAction = 5003, kNoRecord = 5002, kPastEnd = 5001, kShortRecord = 5016;

std::string marker(std::int64_t length) {
  const auto small = static_cast<std::int32_t>(length);
  std::string text(kMarker, '\0');
  std::memcpy(text.data(), &small, kMarker);
  return text;
}

void begin_record(Machine& machine, const Call& call, FortranStatement& statement, FortranUnit& unit) {
  if (unit.formatted || unit.access != FortranAccess::kSequential) return;
  statement.head = unit.position;
  if (statement.verb == FortranVerb::kWrite) {
    const std::string empty = marker(0);
    return unit_write(machine, call, unit, kMarker, &empty);
  }
  if (unit_read(machine, call, unit, kMarker) != kMarker) return hit_end(machine, statement);
  const auto length = record_length(machine, unit, statement.head, 2 * kMarker);
  statement.record_known = length.has_value();
  statement.left = length.value_or(0);
}

void position_unit(Machine& machine, FortranStatement& statement, FortranUnit& unit) {
  if (statement.position > 0 && unit.access == FortranAccess::kStream) {
    unit.ahead = 0;
    unit.position = statement.position - 1;
    if (statement.verb == FortranVerb::kRead) unit.end = FortranEnd::kNot, unit.text.clear();
  }
  if (unit.access != FortranAccess::kDirect) return;
  unit.ahead = 0;
  const Word offset = (std::max<Word>(statement.record, 1) - 1) * unit.record;
  const std::uint32_t file = file_of(machine, unit);
  if (statement.verb == FortranVerb::kRead && offset >= unit.length && file != kNoFile &&
      machine.world.files[file].size_known)
    return fail_statement(statement, kNoRecord);
  unit.position = offset;
  statement.left = unit.record;
  if (statement.verb == FortranVerb::kRead) unit.text.clear();
}

// A subrecord is full: its end, its beginning put right, and the next one's beginning.
void end_record(Machine& machine, const Call& call, FortranStatement& statement, FortranUnit& unit, bool goes_on) {
  const auto length = static_cast<std::int64_t>(statement.length);
  const std::string tail = marker(statement.column > 0 ? -length : length), head = marker(goes_on ? -length : length);
  const Word end = unit.position;
  unit.position = statement.head;
  unit_write(machine, call, unit, kMarker, &head);
  unit.position = end;
  unit_write(machine, call, unit, kMarker, &tail);
}

void write_bytes(Machine& machine, const Call& call, FortranStatement& statement, FortranUnit& unit, Word bytes,
                 const std::string* data) {
  if (unit.access != FortranAccess::kSequential) {
    statement.length += bytes;
    return unit_write(machine, call, unit, bytes, data);
  }
  while (statement.length + bytes > kLongest) {
    const Word here = kLongest - statement.length;
    unit_write(machine, call, unit, here, nullptr);
    statement.length += here, bytes -= here, data = nullptr;
    end_record(machine, call, statement, unit, true);
    statement.head = unit.position, statement.length = 0, ++statement.column;
    const std::string empty = marker(0);
    unit_write(machine, call, unit, kMarker, &empty);
  }
  statement.length += bytes;
  unit_write(machine, call, unit, bytes, data);
}

Word read_bytes(Machine& machine, const Call& call, FortranStatement& statement, FortranUnit& unit, Word bytes) {
  Word asked = bytes;
  const bool records = unit.access != FortranAccess::kStream;
  if (records && statement.record_known) asked = std::min(asked, statement.left);
  const Word got = unit_read(machine, call, unit, asked);
  if (records && statement.record_known) statement.left -= std::min(statement.left, got);
  statement.length += got;
  if (got < asked) hit_end(machine, statement);
  else if (asked < bytes) fail_statement(statement, kShortRecord);
  return got;
}

void fill(Machine& machine, const Call& call, FortranUnit& unit, Word bytes, char with) {
  constexpr Word kPiece = 256;
  for (Word left = bytes; left > 0;) {
    const Word here = std::min(left, kPiece);
    const std::string text(here, with);
    unit_write(machine, call, unit, here, &text);
    left -= here;
  }
}

void finish_write(Machine& machine, const Call& call, FortranStatement& statement, FortranUnit& unit) {
  if (unit.formatted) {
    if (statement.advance) put_record_end(machine, call, statement);
    else {
      unit.guessed = unit.guessed || !statement.sized;
      unit_write(machine, call, unit, statement.length, statement.known ? &statement.text : nullptr);
    }
    unit.open_record = !statement.advance;
  } else if (unit.access == FortranAccess::kSequential) {
    const Word length = statement.length;
    end_record(machine, call, statement, unit, false);
    remember_record(machine, unit, statement.head, length);
    unit_record_done(machine, call, unit);
  } else if (unit.access == FortranAccess::kDirect) {
    if (statement.length < unit.record) fill(machine, call, unit, unit.record - statement.length, '\0');
    unit_record_done(machine, call, unit);
  }
  if (unit.access != FortranAccess::kSequential) return;
  if (unit.end == FortranEnd::kNot) unit_truncate(machine, call, unit);
  unit.end = FortranEnd::kAt;
}

void finish_read(Machine& machine, const Call& call, FortranStatement& statement, FortranUnit& unit) {
  if (statement.status != 0) return;
  if (unit.formatted) return finish_line_read(machine, call, statement, unit);
  if (unit.access == FortranAccess::kSequential) {
    if (!statement.record_known) unit.guessed = true;  // all of it was read, it is assumed
    unit.position += statement.record_known ? statement.left + kMarker : kMarker;
  }
}

}  // namespace

void hit_end(Machine& machine, FortranStatement& statement) {
  fail_statement(statement, -1);
  FortranUnit* unit = statement.internal ? nullptr : unit_numbered(machine, statement.unit);
  if (unit == nullptr) return;
  unit->end = unit->access == FortranAccess::kSequential ? FortranEnd::kAfter : FortranEnd::kAt;
}

FortranUnit* start_transfer(Machine& machine, Call& call, FortranStatement& statement) {
  if (statement.internal) return nullptr;
  FortranUnit* unit = unit_numbered(machine, statement.unit);
  if (statement.started) return unit;
  statement.started = true;
  if (!statement.unit_known) return nullptr;
  if (unit == nullptr) {
    FortranStatement open;
    open.unit = statement.unit;
    if (!statement.formatted) open.words["form"] = "unformatted";
    open_unit(machine, call, open);
    unit = unit_numbered(machine, statement.unit);
    if (unit == nullptr) return fail_statement(statement, open.status), nullptr;
  }
  const bool writes = statement.verb == FortranVerb::kWrite;
  if (writes ? !unit->writes : !unit->reads) return fail_statement(statement, kBadAction), unit;
  if (unit->formatted != statement.formatted) return fail_statement(statement, kBadAction), unit;
  if (!writes && unit->end == FortranEnd::kAfter && unit->access == FortranAccess::kSequential)
    return fail_statement(statement, kPastEnd), unit;
  if (!writes) unit->open_record = false;
  unit_direction(machine, call, *unit, writes);
  position_unit(machine, statement, *unit);
  if (statement.status == 0) begin_record(machine, call, statement, *unit);
  return unit;
}

void transfer_block(Machine& machine, Call& call, FortranStatement& statement, Word address, Word bytes) {
  FortranUnit* unit = start_transfer(machine, call, statement);
  if (unit == nullptr || statement.status != 0) return;
  if (statement.verb == FortranVerb::kWrite) {
    std::string data;
    const bool told = written_data(machine, Value::of(address), bytes, data);
    return write_bytes(machine, call, statement, *unit, bytes, told ? &data : nullptr);
  }
  const Word where = unit->position, got = read_bytes(machine, call, statement, *unit, bytes);
  const std::uint32_t file = file_of(machine, *unit);
  if (file != kNoFile) fill_from_file(machine, call, machine.world.files[file], where, Value::of(address), got);
}

void put_record_end(Machine& machine, const Call& call, FortranStatement& statement) {
  const bool told = statement.known && statement.text.size() == statement.length;
  if (statement.internal) {
    const Word address = statement.address + statement.record_now * statement.width;
    if (told) put_text(machine, call, address, statement.width, statement.text);
    else if (statement.address != 0)
      machine.memory.forget(address, statement.width, machine.unknown(call.at, "a text that was put together").cause);
    ++statement.record_now;
  } else if (FortranUnit* unit = unit_numbered(machine, statement.unit)) {
    unit->guessed = unit->guessed || !statement.sized;
    const bool direct = unit->access == FortranAccess::kDirect;
    if (!direct) statement.text += '\n', ++statement.length;
    if (!direct && !unit->raw) remember_record(machine, *unit, unit->position, statement.length);
    unit_write(machine, call, *unit, statement.length, told ? &statement.text : nullptr);
    if (direct && statement.length < unit->record) fill(machine, call, *unit, unit->record - statement.length, ' ');
    unit_record_done(machine, call, *unit);
  }
  statement.text.clear();
  statement.length = statement.column = 0;
  statement.known = true;
}

void finish_transfer(Machine& machine, Call& call, FortranStatement& statement) {
  FortranUnit* unit = start_transfer(machine, call, statement);
  if (statement.format && statement.status == 0) {
    if (statement.verb == FortranVerb::kWrite) put_by_format(machine, call, statement, nullptr);
    else get_by_format(machine, call, statement, nullptr);
  }
  if (statement.internal) {
    if (statement.verb == FortranVerb::kWrite) put_record_end(machine, call, statement);
    return;
  }
  if (unit == nullptr) return;
  if (statement.verb == FortranVerb::kRead) return finish_read(machine, call, statement, *unit);
  if (statement.status == 0) finish_write(machine, call, statement, *unit);
}

}  // namespace trikal::predict
