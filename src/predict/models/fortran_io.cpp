// Flang's I/O statements: a call begins one, others describe it and hand over its items, one ends it.

#include <algorithm>

#include "predict/models/fortran.hpp"
#include "predict/models/fortran_transfer.hpp"
#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

FortranStatement& begin(Machine& machine, Call& call, FortranVerb verb) {
  FortranStatement& statement = machine.world.statements.emplace_back();
  statement.verb = verb;
  call.returns(Value::of(Word{machine.world.statements.size()}));
  return statement;
}

void set_unit(FortranStatement& statement, Value unit) {
  statement.unit_known = unit.known();
  statement.unit = unit.known() ? static_cast<int>(with_sign(unit.bits, 32)) : -1;
}

template <FortranVerb Verb>
void begin_model(Machine& machine, Call& call) {
  set_unit(begin(machine, call, Verb), call.argument(0));
}
void begin_new_unit(Machine& machine, Call& call) { begin(machine, call, FortranVerb::kOpen).fresh_unit = true; }
void begin_length(Machine& machine, Call& call) { begin(machine, call, FortranVerb::kLength); }

template <FortranVerb Verb>
void begin_list(Machine& machine, Call& call) {
  FortranStatement& statement = begin(machine, call, Verb);
  set_unit(statement, call.argument(0));
  statement.list = statement.formatted = true;
}

void set_format(Machine& machine, FortranStatement& statement, Value text, Value length, Value descriptor) {
  statement.formatted = true;
  std::string format;
  if (text.known() && text.bits == 0) {
    const auto array = array_at(machine, descriptor);
    if (!array) return;
    format.resize(array->element * array->count());
    if (!machine.memory.read(array->base, format.data(), format.size())) return;
  } else if (!fortran_text(machine, text, length, format)) {
    return;
  }
  statement.format = parse_format(format);
}

template <FortranVerb Verb>
void begin_formatted(Machine& machine, Call& call) {
  FortranStatement& statement = begin(machine, call, Verb);
  set_unit(statement, call.argument(3));
  set_format(machine, statement, call.argument(0), call.argument(1), call.argument(2));
}

// A text variable, or an array of them, instead of a file.
void set_internal(Machine& machine, FortranStatement& statement, Value address, Value width, Word records) {
  statement.internal = statement.formatted = true;
  statement.address = address.known() ? address.bits : 0;
  statement.width = width.known() ? width.bits : 0;
  statement.records = records;
  if (statement.verb != FortranVerb::kRead) return;
  statement.known = fortran_text(machine, address, Value::of(statement.width * records), statement.text);
}
void set_internal_array(Machine& machine, FortranStatement& statement, Value descriptor) {
  const auto array = array_at(machine, descriptor);
  if (array) set_internal(machine, statement, Value::of(array->base), Value::of(array->element), array->count());
  else set_internal(machine, statement, Value::unknown(1), Value::of(Word{0}), 0);
}

template <FortranVerb Verb>
void begin_internal_list(Machine& machine, Call& call) {
  FortranStatement& statement = begin(machine, call, Verb);
  statement.list = true;
  set_internal(machine, statement, call.argument(0), call.argument(1), 1);
}
template <FortranVerb Verb>
void begin_internal_formatted(Machine& machine, Call& call) {
  FortranStatement& statement = begin(machine, call, Verb);
  set_internal(machine, statement, call.argument(0), call.argument(1), 1);
  set_format(machine, statement, call.argument(2), call.argument(3), call.argument(4));
}
template <FortranVerb Verb>
void begin_array_list(Machine& machine, Call& call) {
  FortranStatement& statement = begin(machine, call, Verb);
  statement.list = true;
  set_internal_array(machine, statement, call.argument(0));
}
template <FortranVerb Verb>
void begin_array_formatted(Machine& machine, Call& call) {
  FortranStatement& statement = begin(machine, call, Verb);
  set_internal_array(machine, statement, call.argument(0));
  set_format(machine, statement, call.argument(1), call.argument(2), call.argument(3));
}

void handlers_model(Machine& machine, Call& call) {
  FortranStatement* statement = statement_at(machine, call);
  if (statement == nullptr) return;
  for (std::size_t i = 1; i < call.arguments.size(); ++i)
    statement->handled = statement->handled || (call.arguments[i].bits & 1) != 0;
}

// SetFile, SetStatus ...: the word is part of the name.
void word_model(Machine& machine, Call& call) {
  constexpr std::size_t kPrefix = sizeof("_FortranAioSet") - 1;
  FortranStatement* statement = statement_at(machine, call);
  call.returns(Value::of(Word{1}));
  if (statement == nullptr) return;
  const std::string key = lower_case(std::string(call.name.substr(kPrefix)));
  std::string word;
  const bool told = fortran_text(machine, call.argument(1), call.argument(2), word);
  if (!told && key == "file") {
    const Value address = call.argument(1);
    const Cause cause = address.known() ? machine.memory.cause_at(address.bits) : address.cause;
    word = "<unknown: " + machine.causes[cause].what + ">";
  }
  if (key == "advance") statement->advance = lower_case(trimmed(word)) != "no";
  if (told || key == "file") statement->words[key] = word;
}

template <Word FortranStatement::* Field>
void number_model(Machine& machine, Call& call) {
  FortranStatement* statement = statement_at(machine, call);
  call.returns(Value::of(Word{1}));
  if (statement == nullptr) return;
  statement->*Field = call.argument(1).known() ? call.argument(1).bits : 1;
  if (call.argument(1).known()) return;
  if (FortranUnit* unit = unit_numbered(machine, statement->unit)) unit->guessed = true;
}

void new_unit_model(Machine& machine, Call& call) {
  FortranStatement* statement = statement_at(machine, call);
  call.returns(Value::of(Word{1}));
  if (statement == nullptr) return;
  if (!statement->started) open_unit(machine, call, *statement);
  const unsigned bytes = call.argument(2).known() && call.argument(2).bits == 8 ? 8 : 4;
  if (call.argument(1).known() && statement->status == 0)
    machine.memory.store(call.argument(1).bits, bytes,
                         Value::of(static_cast<Word>(static_cast<std::int64_t>(statement->unit))));
}

void end_model(Machine& machine, Call& call) {
  FortranStatement* statement = statement_at(machine, call);
  if (statement == nullptr) return;
  const bool moves = statement->verb == FortranVerb::kWrite || statement->verb == FortranVerb::kRead;
  if (!statement->unit_known && !statement->internal && !statement->words.contains("file"))
    machine.note("an I/O statement on a unit that is not known is left out");
  else if (moves) finish_transfer(machine, call, *statement);
  else run_other(machine, call, *statement);
  const int status = statement->status;
  const bool handled = statement->handled;
  machine.world.statements.resize(std::min<std::size_t>(machine.world.statements.size(), call.argument(0).bits - 1));
  call.returns(Value::of(lowest(static_cast<Word>(static_cast<std::int64_t>(status)), 32)));
  if (status == 0 || handled) return;
  machine.note("the program ends with status 2: an I/O statement fails (" + std::to_string(status) +
               ") and nobody asks");
  machine.leave(2);
}

using V = FortranVerb;
constexpr NamedModel kFortranIoModels[] = {
    {"_FortranAioBeginOpenUnit", begin_model<V::kOpen>},
    {"_FortranAioBeginOpenNewUnit", begin_new_unit},
    {"_FortranAioBeginClose", begin_model<V::kClose>},
    {"_FortranAioBeginFlush", begin_model<V::kFlush>},
    {"_FortranAioBeginRewind", begin_model<V::kRewind>},
    {"_FortranAioBeginBackspace", begin_model<V::kBackspace>},
    {"_FortranAioBeginEndfile", begin_model<V::kEndfile>},
    {"_FortranAioBeginWait", begin_model<V::kWait>},
    {"_FortranAioBeginWaitAll", begin_model<V::kWait>},
    {"_FortranAioBeginInquireUnit", begin_model<V::kInquire>},
    {"_FortranAioBeginInquireIoLength", begin_length},
    {"_FortranAioBeginUnformattedOutput", begin_model<V::kWrite>},
    {"_FortranAioBeginUnformattedInput", begin_model<V::kRead>},
    {"_FortranAioBeginExternalListOutput", begin_list<V::kWrite>},
    {"_FortranAioBeginExternalListInput", begin_list<V::kRead>},
    {"_FortranAioBeginExternalFormattedOutput", begin_formatted<V::kWrite>},
    {"_FortranAioBeginExternalFormattedInput", begin_formatted<V::kRead>},
    {"_FortranAioBeginInternalListOutput", begin_internal_list<V::kWrite>},
    {"_FortranAioBeginInternalListInput", begin_internal_list<V::kRead>},
    {"_FortranAioBeginInternalFormattedOutput", begin_internal_formatted<V::kWrite>},
    {"_FortranAioBeginInternalFormattedInput", begin_internal_formatted<V::kRead>},
    {"_FortranAioBeginInternalArrayListOutput", begin_array_list<V::kWrite>},
    {"_FortranAioBeginInternalArrayListInput", begin_array_list<V::kRead>},
    {"_FortranAioBeginInternalArrayFormattedOutput", begin_array_formatted<V::kWrite>},
    {"_FortranAioBeginInternalArrayFormattedInput", begin_array_formatted<V::kRead>},
    {"_FortranAioEnableHandlers", handlers_model},
    {"_FortranAioSetFile", word_model},
    {"_FortranAioSetStatus", word_model},
    {"_FortranAioSetForm", word_model},
    {"_FortranAioSetAccess", word_model},
    {"_FortranAioSetAction", word_model},
    {"_FortranAioSetPosition", word_model},
    {"_FortranAioSetAdvance", word_model},
    {"_FortranAioSetAsynchronous", word_model},
    {"_FortranAioSetBlank", word_model},
    {"_FortranAioSetCarriagecontrol", word_model},
    {"_FortranAioSetConvert", word_model},
    {"_FortranAioSetDecimal", word_model},
    {"_FortranAioSetDelim", word_model},
    {"_FortranAioSetEncoding", word_model},
    {"_FortranAioSetPad", word_model},
    {"_FortranAioSetRound", word_model},
    {"_FortranAioSetSign", word_model},
    {"_FortranAioSetRecl", number_model<&FortranStatement::record_length>},
    {"_FortranAioSetRec", number_model<&FortranStatement::record>},
    {"_FortranAioSetPos", number_model<&FortranStatement::position>},
    {"_FortranAioGetNewUnit", new_unit_model},
    {"_FortranAioEndIoStatement", end_model},
};

}  // namespace

FortranStatement* statement_at(Machine& machine, const Call& call) {
  const Value cookie = call.argument(0);
  if (!cookie.known() || cookie.bits == 0 || cookie.bits > machine.world.statements.size()) return nullptr;
  return &machine.world.statements[cookie.bits - 1];
}

std::span<const NamedModel> fortran_io_models() { return kFortranIoModels; }

}  // namespace trikal::predict
