// Text of a unit, character by character. The formatter takes 80 bytes at a time out of the buffer below.

#include "predict/models/fortran_transfer.hpp"
#include "predict/models/libc.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

constexpr Word kTaken = 80;

int next_internal(FortranStatement& statement) {
  if (!statement.known) return kNotKnown;
  const Word width = statement.width;
  if (statement.text_at >= statement.text.size() + statement.records) return kFileEnd;
  const std::size_t record = statement.text_at / (width + 1), column = statement.text_at % (width + 1);
  ++statement.text_at;
  return column == width ? '\n' : static_cast<unsigned char>(statement.text[record * width + column]);
}

// What the formatter has taken, as text.
bool taken(Machine& machine, FortranUnit& unit) {
  if (unit.text.size() >= unit.ahead && !unit.text.empty()) return true;
  const std::uint32_t file = file_of(machine, unit);
  return file != kNoFile && bytes_of_file(machine.world.files[file], unit.position - unit.ahead, unit.ahead, unit.text);
}

// A line that nobody can look at: as long as the program wrote it, or of the usual length.
void skip_unknown(Machine& machine, const Call& call, FortranStatement& statement) {
  FortranUnit* unit = unit_numbered(machine, statement.unit);
  const std::uint32_t file = unit == nullptr ? kNoFile : file_of(machine, *unit);
  if (file == kNoFile) return;
  const auto told = record_length(machine, *unit, unit->position - unit->ahead, 0);
  const Word length = told.value_or(machine.setting.line_bytes);
  Event chunk{Happened::kDivide};  // after so many lines the pieces fit again
  chunk.id = call.at.id, chunk.a = unit->position - unit->ahead, chunk.b = kTaken;
  machine.event(chunk);
  if (!told) {
    unit->guessed = true;
    not_read(machine, call, machine.world.files[file]);
    machine.note("lines of " + machine.world.files[file].name + " are assumed to be " + std::to_string(length) +
                 " bytes long");
  }
  while (true) {
    machine.compare(call, length, unit->ahead);
    if (length <= unit->ahead) break;
    const Word got = unit_read(machine, call, *unit, kTaken);
    unit->ahead += got;
    if (got > 0) continue;
    if (unit->ahead == 0) return hit_end(machine, statement);
    break;
  }
  unit->ahead -= std::min(unit->ahead, length);
}

}  // namespace

int next_character(Machine& machine, const Call& call, FortranStatement& statement) {
  if (statement.pushed != 0) return std::exchange(statement.pushed, 0);
  if (statement.internal) return next_internal(statement);
  FortranUnit* unit = unit_numbered(machine, statement.unit);
  if (unit == nullptr) return kFileEnd;
  machine.compare(call, 1, unit->ahead);
  if (unit->ahead == 0) {
    unit->text.clear();
    const Word got = unit_read(machine, call, *unit, kTaken);
    if (unit->raw) unit->position += got;
    if (got == 0) {
      if (statement.column == 0 || statement.made_an_end) return kFileEnd;
      statement.made_an_end = true;
      return '\n';
    }
    unit->ahead = got;
  }
  if (!taken(machine, *unit)) return kNotKnown;
  if (const std::uint32_t file = file_of(machine, *unit); statement.column == 0 && file != kNoFile)
    reads_on(machine, call, machine.world.files[file], unit->position - unit->ahead);
  const char c = unit->text[unit->text.size() - unit->ahead];
  --unit->ahead;
  statement.column = c == '\n' ? 0 : statement.column + 1;
  return static_cast<unsigned char>(c);
}

void skip_line(Machine& machine, const Call& call, FortranStatement& statement) {
  while (true) {
    const int c = next_character(machine, call, statement);
    if (c == '\n') return;
    if (c == kFileEnd) return hit_end(machine, statement);
    if (c == kNotKnown) return skip_unknown(machine, call, statement);
  }
}

bool load_line(Machine& machine, const Call& call, FortranStatement& statement) {
  statement.line.clear();
  statement.line_at = 0, statement.line_there = statement.line_known = true;
  FortranUnit* unit = statement.internal ? nullptr : unit_numbered(machine, statement.unit);
  if (unit != nullptr && unit->access == FortranAccess::kDirect) {
    const Word where = unit->position, got = unit_read(machine, call, *unit, unit->record);
    const std::uint32_t file = file_of(machine, *unit);
    statement.line_known = file != kNoFile && bytes_of_file(machine.world.files[file], where, got, statement.line);
    return true;
  }
  while (true) {
    const int c = next_character(machine, call, statement);
    if (c == '\n') {
      if (statement.made_an_end && unit != nullptr)
        (void)unit_read(machine, call, *unit, kTaken);  // it looks once more
      return true;
    }
    if (c == kFileEnd) return hit_end(machine, statement), false;
    if (c == kNotKnown) {
      statement.line_known = false;
      if (!statement.internal) skip_unknown(machine, call, statement);
      return statement.status == 0;
    }
    statement.line += static_cast<char>(c);
  }
}

void finish_line_read(Machine& machine, const Call& call, FortranStatement& statement, FortranUnit& unit) {
  if (unit.access == FortranAccess::kDirect) return;
  if (statement.list) {
    if (!statement.line_ended) skip_line(machine, call, statement);
    return;
  }
  if (statement.advance) {
    if (!statement.line_there) skip_line(machine, call, statement);
  } else if (statement.line_there && statement.line_known && statement.status == 0) {
    unit.ahead += statement.line.size() - std::min(statement.line_at, statement.line.size());
    if (!statement.made_an_end) ++unit.ahead;
    unit.text.clear();
  }
}

}  // namespace trikal::predict
