// The buffer between a Fortran unit and its file, as libgfortran keeps it: one for both directions, written out when half of
// it is full at the end of a record, passed by when half of it would be needed at once.

#include <llvm/IR/InstrTypes.h>

#include <algorithm>

#include "predict/models/fortran_transfer.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

constexpr std::size_t kKept = 1 << 17;

// Where the system stands is not where the program does.
void seek_to(Machine& machine, const Call& call, Opened& one, Word location) {
  Event same{Happened::kCompare, one.position == location};
  same.predicate = llvm::CmpInst::ICMP_EQ;
  same.id = call.at.id, same.a = one.position, same.b = location;
  machine.event(same);
  if (one.position == location) return;
  machine.access(call, {Operation::kSeek, one.file});
  one.position = location;
}

void write_now(Machine& machine, const Call& call, FortranUnit& unit, Word bytes, const std::string* text) {
  Opened* one = machine.world.at(unit.descriptor);
  if (one == nullptr || bytes == 0) return;
  move_bytes(machine, call,
             {Operation::kWrite, one->file, one->position, bytes, !unit.guessed, text, unit.extrapolated});
  one->position += bytes;
}

Word read_now(Machine& machine, const Call& call, FortranUnit& unit, Word bytes) {
  Opened* one = machine.world.at(unit.descriptor);
  if (one == nullptr) return 0;
  const Word got = readable(machine, call, machine.world.files[one->file], one->position, bytes);
  move_bytes(machine, call, {Operation::kRead, one->file, one->position, got, !unit.guessed});
  one->position += got;
  return got;
}

// How what waits begins, as far as that is known.
void keep(FortranUnit& unit, Word offset, Word bytes, const std::string* text) {
  if (offset > unit.text.size()) return;
  if (text == nullptr || text->size() != bytes || offset + bytes > kKept) return unit.text.resize(offset);
  unit.text.resize(std::max<std::size_t>(unit.text.size(), offset + bytes));
  unit.text.replace(offset, bytes, *text);
}

}  // namespace

std::uint32_t file_of(Machine& machine, const FortranUnit& unit) {
  const Opened* one = machine.world.at(unit.descriptor);
  return one == nullptr ? kNoFile : one->file;
}

void unit_flush(Machine& machine, const Call& call, FortranUnit& unit) {
  unit.active = 0;
  Opened* one = machine.world.at(unit.descriptor);
  if (unit.dirty == 0 || one == nullptr) return;
  seek_to(machine, call, *one, unit.begin);
  write_now(machine, call, unit, unit.dirty, unit.text.empty() ? nullptr : &unit.text);
  unit.dirty = 0, unit.extrapolated = false, unit.text.clear();
}

void unit_write(Machine& machine, const Call& call, FortranUnit& unit, Word bytes, const std::string* text) {
  Opened* one = machine.world.at(unit.descriptor);
  if (bytes == 0 || one == nullptr) return;
  unit.last = &call.at, unit.context = call.frame.context;
  if (unit.raw) return write_now(machine, call, unit, bytes, text);
  if (unit.dirty == 0) unit.begin = unit.position, unit.text.clear();
  machine.compare(call, bytes + 1, unit.capacity / 2);
  machine.compare(call, unit.position + bytes, unit.begin + unit.capacity);
  const bool fits = (unit.dirty > 0 || bytes < unit.capacity / 2) &&
                    unit.position + bytes <= unit.begin + unit.capacity && unit.begin <= unit.position &&
                    unit.begin + unit.dirty >= unit.position;
  if (fits) {
    keep(unit, unit.position - unit.begin, bytes, text);
    unit.dirty = std::max(unit.dirty, unit.position - unit.begin + bytes);
  } else {
    unit_flush(machine, call, unit);
    if (bytes <= unit.capacity / 2) {
      unit.begin = unit.position, unit.dirty = bytes;
      keep(unit, 0, bytes, text);
    } else {
      seek_to(machine, call, *one, unit.position);
      write_now(machine, call, unit, bytes, text);
    }
  }
  unit.position += bytes;
  unit.length = std::max(unit.length, unit.position);
}

Word unit_read(Machine& machine, const Call& call, FortranUnit& unit, Word bytes) {
  Opened* one = machine.world.at(unit.descriptor);
  if (one == nullptr) return 0;
  if (unit.raw) return read_now(machine, call, unit, bytes);
  if (unit.active == 0) unit.begin = unit.position;
  machine.compare(call, unit.position + bytes, unit.begin + unit.active);
  if (unit.position + bytes <= unit.begin + unit.active && unit.begin <= unit.position)
    return unit.position += bytes, bytes;
  Word had = 0;
  if (unit.position >= unit.begin && unit.begin + unit.active >= unit.position)
    had = unit.begin + unit.active - unit.position;
  const Word wanted = bytes - had;
  seek_to(machine, call, *one, unit.position + had);
  unit.begin = unit.position + had;
  machine.compare(call, wanted, unit.capacity / 2);
  Word got = 0;
  if (wanted <= unit.capacity / 2) {
    unit.active = read_now(machine, call, unit, unit.capacity);
    got = std::min(unit.active, wanted);
  } else {
    got = read_now(machine, call, unit, wanted);
    unit.active = 0;
  }
  unit.position += had + got;
  return had + got;
}

void unit_record_done(Machine& machine, const Call& call, FortranUnit& unit) {
  if (unit.raw) return;
  machine.compare(call, unit.dirty + 1, unit.capacity / 2);
  if (unit.dirty >= unit.capacity / 2) unit_flush(machine, call, unit);
}

void unit_truncate(Machine& machine, const Call& call, FortranUnit& unit) {
  Opened* one = machine.world.at(unit.descriptor);
  if (unit.raw || one == nullptr) return;
  unit_flush(machine, call, unit);
  File& file = machine.world.files[one->file];
  file.size = unit.length = unit.position;
  forget_records_from(file, unit.position);
  if (file.content && file.content->size() > file.size)
    file.content = std::make_shared<const std::string>(file.content->substr(0, file.size));
  machine.access(call, {Operation::kTruncate, one->file});
}

void unit_direction(Machine& machine, const Call& call, FortranUnit& unit, bool writing) {
  if (unit.writing == writing) return;
  unit.position -= unit.ahead;
  unit.ahead = 0;
  if (!unit.raw) unit_flush(machine, call, unit);
  unit.writing = writing;
  unit.text.clear();
}

void unit_close(Machine& machine, const Call& call, int number, bool remove) {
  FortranUnit* unit = unit_numbered(machine, number);
  if (unit == nullptr) return;
  const std::string newline = "\n";
  if (unit->open_record && unit->formatted) unit_write(machine, call, *unit, 1, &newline);
  const Opened* one = machine.world.at(unit->descriptor);
  if (one != nullptr) {
    const std::uint32_t file = one->file;
    if (!unit->raw) unit_flush(machine, call, *unit);
    if (remove && !unit->scratch) machine.access(call, {Operation::kRemove, file});
    if (remove) machine.world.files[file].exists = machine.world.files[file].original = false;
    if (unit->descriptor > 2) {
      machine.access(call, {Operation::kClose, file});
      machine.world.close(unit->descriptor);
    }
  }
  machine.world.units.erase(number);
}

FortranUnit* unit_numbered(Machine& machine, int number) {
  const auto found = machine.world.units.find(number);
  if (found != machine.world.units.end()) return &found->second;
  if (number != 0 && number != 5 && number != 6) return nullptr;
  FortranUnit unit;  // connected before the program begins
  unit.descriptor = number == 5 ? 0 : number == 6 ? 1 : 2;
  unit.raw = true;
  unit.reads = number == 5, unit.writes = number != 5;
  unit.end = FortranEnd::kAt;
  return &machine.world.units.emplace(number, unit).first->second;
}

void fortran_end(Machine& machine) {
  std::vector<int> numbers;
  for (const auto& [number, unit] : machine.world.units) numbers.push_back(number);
  for (const int number : numbers) {
    const FortranUnit& unit = machine.world.units.at(number);
    if (unit.last == nullptr || unit.raw) continue;
    Frame frame;
    frame.context = unit.context;
    const Call call{*unit.last, frame, {}, {}};
    unit_close(machine, call, number, unit.scratch);
  }
}

}  // namespace trikal::predict
