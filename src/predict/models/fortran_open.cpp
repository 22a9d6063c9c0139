// OPEN, CLOSE, INQUIRE and the statements that move in a file.

#include <cerrno>
#include <cstdlib>

#include "predict/models/fortran_transfer.hpp"
#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

constexpr int kBadUnit = 5001, kBadOption = 5002;  // IOSTAT as libgfortran numbers it, near enough to be "not zero"

std::string word_of(const FortranStatement& statement, const char* name) {
  const auto found = statement.words.find(name);
  return found == statement.words.end() ? "" : lower_case(trimmed(found->second));
}

Word buffer_capacity(Machine& machine, bool formatted) {
  const std::string name = formatted ? "GFORTRAN_FORMATTED_BUFFER_SIZE=" : "GFORTRAN_UNFORMATTED_BUFFER_SIZE=";
  for (const std::string& one : machine.setting.environment)
    if (one.starts_with(name)) return std::strtoull(one.c_str() + name.size(), nullptr, 10);
  return formatted ? 8192 : 131072;
}

// The unit as the statement describes it; its file is not looked at.
FortranUnit described(Machine& machine, const FortranStatement& statement) {
  FortranUnit unit;
  const std::string access = word_of(statement, "access"), form = word_of(statement, "form"),
                    action = word_of(statement, "action");
  if (access == "direct") unit.access = FortranAccess::kDirect;
  if (access == "stream") unit.access = FortranAccess::kStream;
  unit.formatted = form.empty() ? unit.access == FortranAccess::kSequential : form == "formatted";
  unit.reads = action != "write", unit.writes = action != "read";
  unit.record = statement.record_length;
  unit.capacity = buffer_capacity(machine, unit.formatted);
  unit.scratch = word_of(statement, "status") == "scratch";
  return unit;
}

std::string file_name(const Machine& machine, const FortranStatement& statement) {
  const auto named = statement.words.find("file");
  if (named == statement.words.end())
    return machine.world.full_name(word_of(statement, "status") == "scratch"
                                       ? "/tmp/gfortrantmp000000"
                                       : "fort." + std::to_string(statement.unit));
  return named->second.starts_with("<unknown") ? named->second : machine.world.full_name(trimmed(named->second));
}

// Why the file cannot be opened; 0: it can.
int refusal(Machine& machine, const FortranUnit& unit, const std::string& status, const std::string& name) {
  const bool folder = folder_exists(machine, name);
  const File& file = machine.world.files[machine.world.file_named(name)];
  if (name.starts_with("<unknown")) return 0;
  if (file.exists) return status == "new" ? EEXIST : file.directory ? EISDIR : 0;
  return status == "old" || !folder || (status != "replace" && !unit.writes) ? ENOENT : 0;
}

int free_number(const Machine& machine) {
  int number = -10;
  while (machine.world.units.contains(number)) --number;
  return number;
}

}  // namespace

void fail_statement(FortranStatement& statement, int status) {
  if (statement.status == 0) statement.status = status;
}

void open_unit(Machine& machine, Call& call, FortranStatement& statement) {
  statement.started = true;
  if (statement.fresh_unit) statement.unit = free_number(machine);
  FortranUnit unit = described(machine, statement);
  const std::string status = word_of(statement, "status"), name = file_name(machine, statement);
  if (const FortranUnit* before = unit_numbered(machine, statement.unit)) {
    const std::uint32_t file = file_of(machine, *before);
    if (!statement.words.contains("file") && !unit.scratch) return;
    if (file != kNoFile && machine.world.files[file].name == name && status != "replace") return;
    unit_close(machine, call, statement.unit, before->scratch);
  }
  if (const int why = refusal(machine, unit, status, name); why != 0) return fail_statement(statement, why);
  const std::uint32_t number = machine.world.file_named(name);
  File& file = machine.world.files[number];
  if (!file.exists || status == "replace" || unit.scratch) {
    replace(machine, call, file);
    file.records.reset();
    file.size_known = !name.starts_with("<unknown") || status == "replace";
  }
  file.exists = true;
  unit.descriptor = machine.world.open(number);
  machine.access(call, {Operation::kOpen, number});
  machine.access(call, {Operation::kStat, number});
  unit.length = file.size;
  if (word_of(statement, "position") == "append") unit.position = unit.length, unit.end = FortranEnd::kAt;
  if (unit.length == 0 && file.size_known) unit.end = FortranEnd::kAt;
  machine.world.units[statement.unit] = std::move(unit);
}

namespace {

// Back to the line before this one.
void backspace_line(Machine& machine, const Call& call, FortranUnit& unit) {
  constexpr Word kChunk = 4096;
  Word base = unit.position - 1;
  do {
    const Word bytes = std::min(base, kChunk);
    base -= bytes;
    unit.position = base;
    if (unit_read(machine, call, unit, bytes) != bytes) return;
    std::string text;
    const std::uint32_t file = file_of(machine, unit);
    if (file == kNoFile || !bytes_of_file(machine.world.files[file], base, bytes, text)) {
      unit.guessed = true;
      break;
    }
    if (const std::size_t end = text.rfind('\n'); end != std::string::npos) {
      base += end + 1;
      break;
    }
  } while (base != 0);
  unit.position = base;
}

void backspace_record(Machine& machine, const Call& call, FortranUnit& unit) {
  constexpr Word kMarker = 4;
  const auto head = record_before(machine, unit);
  unit.position -= std::min(unit.position, kMarker);
  if (unit_read(machine, call, unit, kMarker) != kMarker) return;
  unit.guessed = unit.guessed || !head;
  if (head) unit.position = *head;
}

void backspace(Machine& machine, const Call& call, FortranUnit& unit) {
  unit.position -= unit.ahead, unit.ahead = 0;
  if (unit.end == FortranEnd::kAfter) {
    unit.end = FortranEnd::kAt;
    return unit_flush(machine, call, unit);
  }
  if (unit.position == 0) return;
  if (unit.writing) {
    const std::string newline = "\n";
    if (unit.open_record) unit_write(machine, call, unit, 1, &newline);
    unit.open_record = false;
    unit_truncate(machine, call, unit);
    unit.writing = false;
  }
  unit.text.clear();
  if (unit.formatted) backspace_line(machine, call, unit);
  else backspace_record(machine, call, unit);
  unit.end = FortranEnd::kNot;
}

void finish_line(Machine& machine, const Call& call, FortranUnit& unit) {
  const std::string newline = "\n";
  if (unit.open_record && unit.formatted) unit_write(machine, call, unit, 1, &newline);
  unit.open_record = false;
}

void rewind(Machine& machine, const Call& call, FortranUnit& unit) {
  finish_line(machine, call, unit);
  unit.position = unit.ahead = 0;
  if (!unit.writing) unit.text.clear();
  unit.end = unit.length == 0 ? FortranEnd::kAt : FortranEnd::kNot;
}

void end_file(Machine& machine, const Call& call, FortranUnit& unit) {
  finish_line(machine, call, unit);
  unit.position -= unit.ahead, unit.ahead = 0;
  unit_truncate(machine, call, unit);
  unit.end = FortranEnd::kAfter;
}

}  // namespace

void run_other(Machine& machine, Call& call, FortranStatement& statement) {
  if (statement.verb == FortranVerb::kOpen) {
    if (!statement.started) open_unit(machine, call, statement);
    return;
  }
  if (statement.verb == FortranVerb::kClose) {
    const FortranUnit* unit = unit_numbered(machine, statement.unit);
    const std::string status = word_of(statement, "status");
    return unit_close(machine, call, statement.unit,
                      status == "delete" || (unit != nullptr && unit->scratch && status != "keep"));
  }
  FortranUnit* unit = unit_numbered(machine, statement.unit);
  const bool moves = statement.verb == FortranVerb::kFlush || statement.verb == FortranVerb::kBackspace;
  if (unit == nullptr) return moves ? fail_statement(statement, kBadUnit) : void();
  if (unit->access == FortranAccess::kDirect && statement.verb != FortranVerb::kFlush &&
      statement.verb != FortranVerb::kWait && statement.verb != FortranVerb::kInquire)
    return fail_statement(statement, kBadOption);
  switch (statement.verb) {
    case FortranVerb::kFlush:
      if (!unit->raw) unit_flush(machine, call, *unit);
      break;
    case FortranVerb::kRewind: rewind(machine, call, *unit); break;
    case FortranVerb::kBackspace: backspace(machine, call, *unit); break;
    case FortranVerb::kEndfile: end_file(machine, call, *unit); break;
    default: break;
  }
}

namespace {

constexpr Word hash(std::string_view word) {  // as flang names the specifiers of INQUIRE
  Word all = 1;
  for (const char c : word) all = 26 * all + static_cast<Word>(c - 'a');
  return all;
}

FortranUnit* unit_with(Machine& machine, std::uint32_t file, int* number) {
  for (auto& [key, unit] : machine.world.units)
    if (file_of(machine, unit) == file) return *number = key, &unit;
  return nullptr;
}

void inquire_file_model(Machine& machine, Call& call) {
  FortranStatement& statement = machine.world.statements.emplace_back();
  statement.verb = FortranVerb::kInquire;
  std::string name;
  statement.unit_known = fortran_text(machine, call.argument(0), call.argument(1), name);
  statement.words["file"] =
      statement.unit_known ? machine.world.full_name(trimmed(name)) : "<unknown: the file of an INQUIRE>";
  const std::uint32_t file = machine.world.file_named(statement.words["file"]);
  if (machine.world.files[file].exists) machine.access(call, {Operation::kStat, file});
  if (unit_with(machine, file, &statement.unit) == nullptr) statement.unit = -1;
  statement.address = file;
  call.returns(Value::of(Word{machine.world.statements.size()}));
}

struct Inquired {
  FortranStatement* statement = nullptr;
  FortranUnit* unit = nullptr;
  std::uint32_t file = kNoFile;
};
Inquired inquired(Machine& machine, const Call& call) {
  Inquired out;
  out.statement = statement_at(machine, call);
  if (out.statement == nullptr) return out;
  out.unit = out.statement->words.contains("file") && out.statement->unit == -1
                 ? nullptr
                 : unit_numbered(machine, out.statement->unit);
  if (out.statement->words.contains("file")) out.file = static_cast<std::uint32_t>(out.statement->address);
  else if (out.unit != nullptr) out.file = file_of(machine, *out.unit);
  return out;
}

void inquire_logical_model(Machine& machine, Call& call) {
  const Inquired asked = inquired(machine, call);
  call.returns(Value::of(Word{1}));
  const Value what = call.argument(1), where = call.argument(2);
  if (asked.statement == nullptr || !where.known()) return;
  Value answer = machine.unknown(call.at, "what INQUIRE says");
  if (what.known() && what.bits == hash("opened")) answer = Value::of(Word{asked.unit != nullptr});
  const bool named = asked.statement->words.contains("file");
  if (what.known() && what.bits == hash("exist") && !named) answer = Value::of(Word{1});
  if (what.known() && what.bits == hash("exist") && named && asked.statement->unit_known)
    answer = Value::of(Word{machine.world.files[asked.file].exists});
  if (what.known() && what.bits == hash("named") && asked.file != kNoFile) answer = Value::of(Word{1});
  machine.memory.store(where.bits, 1, answer);
}

void inquire_number_model(Machine& machine, Call& call) {
  const Inquired asked = inquired(machine, call);
  call.returns(Value::of(Word{1}));
  const Value what = call.argument(1), where = call.argument(2), kind = call.argument(3);
  if (asked.statement == nullptr || !where.known()) return;
  Value answer = machine.unknown(call.at, "what INQUIRE says");
  const Word key = what.known() ? what.bits : 0;
  if (key == hash("size") && asked.file != kNoFile) {
    const File& file = machine.world.files[asked.file];
    if (asked.unit != nullptr && !asked.unit->raw) unit_flush(machine, call, *asked.unit);
    else if (asked.unit == nullptr && file.exists) machine.access(call, {Operation::kStat, asked.file});
    if (file.size_known) answer = Value::of(file.exists ? file.size : ~Word{0});
  } else if (key == hash("number")) {
    answer =
        Value::of(static_cast<Word>(static_cast<std::int64_t>(asked.unit != nullptr ? asked.statement->unit : -1)));
  } else if (key == hash("pos") && asked.unit != nullptr) {
    answer = Value::of(asked.unit->position - asked.unit->ahead + 1);
  } else if (key == hash("recl") && asked.unit != nullptr && asked.unit->record != 0) {
    answer = Value::of(asked.unit->record);
  } else if (key == hash("nextrec") && asked.unit != nullptr && asked.unit->record != 0) {
    answer = Value::of((asked.unit->position + asked.unit->record - 1) / asked.unit->record + 1);
  }
  const unsigned bytes = kind.known() && kind.bits > 0 && kind.bits <= 8 ? static_cast<unsigned>(kind.bits) : 8;
  machine.memory.store(where.bits, bytes, answer);
}

void inquire_text_model(Machine& machine, Call& call) {
  const Inquired asked = inquired(machine, call);
  call.returns(Value::of(Word{1}));
  const Value what = call.argument(1), where = call.argument(2), width = call.argument(3);
  if (asked.statement == nullptr || !where.known() || !width.known()) return;
  const Word key = what.known() ? what.bits : 0;
  const auto say = [&](const std::string& text) { put_text(machine, call, where.bits, width.bits, text); };
  const FortranUnit* unit = asked.unit;
  if (unit != nullptr && key == hash("form")) return say(unit->formatted ? "FORMATTED" : "UNFORMATTED");
  if (unit != nullptr && key == hash("access"))
    return say(unit->access == FortranAccess::kDirect   ? "DIRECT"
               : unit->access == FortranAccess::kStream ? "STREAM"
                                                        : "SEQUENTIAL");
  if (unit != nullptr && key == hash("action"))
    return say(!unit->writes ? "READ" : !unit->reads ? "WRITE" : "READWRITE");
  machine.memory.forget(where.bits, width.bits, machine.unknown(call.at, "what INQUIRE says").cause);
}

constexpr NamedModel kFortranOpenModels[] = {
    {"_FortranAioBeginInquireFile", inquire_file_model},
    {"_FortranAioInquireLogical", inquire_logical_model},
    {"_FortranAioInquireInteger64", inquire_number_model},
    {"_FortranAioInquireCharacter", inquire_text_model},
};

}  // namespace

std::span<const NamedModel> fortran_file_models() { return kFortranOpenModels; }

}  // namespace trikal::predict
