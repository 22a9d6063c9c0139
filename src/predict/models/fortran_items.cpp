// Items of flang's I/O statements: scalars by value, arrays and derived types by descriptor.

#include "predict/models/fortran_transfer.hpp"
#include "predict/models/libc.hpp"
#include "predict/models/list.hpp"

namespace trikal::predict {
namespace {

constexpr Word kMostItems = 1 << 22;  // of one array, by a format

void one_item(Machine& machine, Call& call, FortranStatement& statement, const FortranItem& item) {
  (void)start_transfer(machine, call, statement);
  if (statement.status != 0) return;
  if (statement.verb == FortranVerb::kWrite) return put_item(machine, call, statement, item);
  if (statement.list) return get_by_list(machine, call, statement, item);
  if (statement.format) return get_by_format(machine, call, statement, &item);
  forget_item(machine, call, item, "what a format reads that is not known");
}

// Items of a statement come one call after the other, in a loop of the program's as well: those that meet another position in the
// format are not alike, and counts of repetitions end.
class InFormat {
 public:
  InFormat(Machine& machine, const Call& call, const FortranStatement& statement)
      : machine_(machine), call_(call), statement_(statement) {
    if (!statement_.format || !machine_.loops.recording()) return;
    const FortranCursor& cursor = statement_.cursor;
    const auto text = [](auto number) { return std::to_string(number) + " "; };
    std::string position = text(cursor.at) + text(cursor.scale) + text(int{cursor.used}) + text(int{cursor.stopped});
    std::string counts = text(cursor.left);
    for (const auto& [begin, left] : cursor.groups) position += text(begin), counts += text(left);
    Event here{Happened::kRound};
    here.id = call_.at.id, here.a = digest(position), here.b = digest(position + counts);
    machine_.event(here);
  }
  InFormat(const InFormat&) = delete;
  InFormat& operator=(const InFormat&) = delete;
  ~InFormat() {
    if (!statement_.format) return;
    machine_.compare(call_, 1, statement_.cursor.left);
    for (const auto& [begin, left] : statement_.cursor.groups) machine_.compare(call_, 1, left);
  }

 private:
  Machine& machine_;
  const Call& call_;
  const FortranStatement& statement_;
};

void finish_item(Machine& machine, Call& call, FortranStatement& statement, const FortranItem& item) {
  if (statement.formatted) {
    const InFormat here(machine, call, statement);
    one_item(machine, call, statement, item);
  }
  call.returns(Value::of(Word{statement.status == 0}));
}

FortranItem element_of(Machine& machine, FortranKind kind, Word address, Word bytes) {
  FortranItem item;
  item.kind = kind;
  item.address = address;
  item.bytes = item.kind == FortranKind::kComplex ? bytes / 2 : bytes;
  if (item.kind == FortranKind::kText || item.bytes > 8) return item;
  item.value = machine.memory.load(item.address, static_cast<unsigned>(item.bytes));
  item.value.data = true;  // what is there decides how long its text is
  if (item.kind == FortranKind::kComplex)
    item.second = machine.memory.load(item.address + item.bytes, static_cast<unsigned>(item.bytes));
  return item;
}

// Column by column, as libgfortran does it, also where columns lie side by side.
void unformatted_array(Machine& machine, Call& call, FortranStatement& statement, const FortranArray& array) {
  const Word all = array.count();
  const bool side_by_side = array.dimensions.empty() || array.dimensions[0].extent == 1 ||
                            array.dimensions[0].stride == static_cast<std::int64_t>(array.element);
  const Word run = array.dimensions.empty() ? 1 : side_by_side ? static_cast<Word>(array.dimensions[0].extent) : 1;
  if (all == 0) return transfer_block(machine, call, statement, array.base, 0);
  if (array.contiguous() && all / run > kMostItems) {
    statement.sized = false;
    return transfer_block(machine, call, statement, array.base, all * array.element);
  }
  for (Word i = 0; i < all && i < kMostItems * run && statement.status == 0; i += run)
    transfer_block(machine, call, statement, array.address(i), run * array.element);
}

// A value of a derived type: all its components.
void derived_model(Machine& machine, Call& call) {
  FortranStatement* statement = statement_at(machine, call);
  const auto array = array_at(machine, call.argument(1));
  call.returns(Value::of(Word{1}));
  std::vector<FortranPart> parts;
  if (statement == nullptr) return;
  if (!array || !parts_of_type(machine, call.argument(1), *array, parts)) {
    if (FortranUnit* unit = start_transfer(machine, call, *statement)) unit->guessed = true;
    statement->sized = false;
    return machine.note("a derived type of an I/O statement is not known");
  }
  const InFormat here(machine, call, *statement);
  for (const FortranPart& part : parts) {
    if (statement->verb == FortranVerb::kLength) statement->length += part.count * part.bytes;
    else if (!statement->formatted) transfer_block(machine, call, *statement, part.address, part.count * part.bytes);
    for (Word i = 0; statement->formatted && i < part.count && statement->status == 0; ++i)
      one_item(machine, call, *statement, element_of(machine, part.kind, part.address + i * part.bytes, part.bytes));
  }
  call.returns(Value::of(Word{statement->status == 0}));
}

void descriptor_model(Machine& machine, Call& call) {
  FortranStatement* statement = statement_at(machine, call);
  call.returns(Value::of(Word{1}));
  if (statement == nullptr) return;
  const auto array = array_at(machine, call.argument(1));
  if (!array) {
    if (FortranUnit* unit = start_transfer(machine, call, *statement)) unit->guessed = true;
    statement->sized = false;
    return machine.note("an array of an I/O statement is not known");
  }
  if (kind_of(array->type) == FortranKind::kOther) return derived_model(machine, call);
  if (statement->verb == FortranVerb::kLength) {
    statement->length += array->count() * array->element;
    return;
  }
  if (!statement->formatted) {
    unformatted_array(machine, call, *statement, *array);
  } else {
    const InFormat here(machine, call, *statement);
    const Word all = array->count();
    for (Word i = 0; i < all && i < kMostItems && statement->status == 0; ++i)
      one_item(machine, call, *statement, element_of(machine, kind_of(array->type), array->address(i), array->element));
    if (all > kMostItems) statement->sized = false;
  }
  call.returns(Value::of(Word{statement->status == 0}));
}

template <FortranKind Kind, Word Bytes>
void put_model(Machine& machine, Call& call) {
  FortranStatement* statement = statement_at(machine, call);
  if (statement == nullptr) return call.returns(Value::of(Word{1}));
  FortranItem item;
  item.kind = Kind, item.bytes = Bytes;
  item.value = call.argument(1), item.second = call.argument(2);
  if (Kind == FortranKind::kText) {
    item.bytes = call.argument(2).known() ? call.argument(2).bits : machine.setting.line_bytes;
    item.address = call.argument(1).known() ? call.argument(1).bits : 0;
    item.value = call.argument(2);  // its length
    statement->sized = statement->sized && call.argument(2).known();
  }
  finish_item(machine, call, *statement, item);
}

template <FortranKind Kind, Word Bytes>
void get_model(Machine& machine, Call& call) {
  FortranStatement* statement = statement_at(machine, call);
  call.returns(Value::of(Word{1}));
  if (statement == nullptr || !call.argument(1).known()) return;
  FortranItem item;
  item.kind = Kind, item.bytes = Bytes;
  item.address = call.argument(1).bits;
  if (Kind == FortranKind::kText) item.bytes = call.argument(2).known() ? call.argument(2).bits : 1;
  if (Kind == FortranKind::kInteger) item.bytes = call.argument(2).known() ? call.argument(2).bits : 4;
  finish_item(machine, call, *statement, item);
}

void get_namelist_model(Machine& machine, Call& call) {
  FortranStatement* statement = statement_at(machine, call);
  call.returns(Value::of(Word{1}));
  if (statement == nullptr) return;
  (void)start_transfer(machine, call, *statement);
  if (statement->status == 0) get_namelist(machine, call, *statement, call.argument(1));
  call.returns(Value::of(Word{statement->status == 0}));
}

void put_namelist_model(Machine& machine, Call& call) {
  call.returns(Value::of(Word{1}));
  FortranStatement* statement = statement_at(machine, call);
  if (statement == nullptr) return;
  (void)start_transfer(machine, call, *statement);
  statement->sized = false;
  machine.note("the text of a namelist that is written is assumed");
  add_text(*statement, std::string(machine.setting.line_bytes, '?'), false);
}

void length_model(Machine& machine, Call& call) {
  const FortranStatement* statement = statement_at(machine, call);
  call.returns(Value::of(statement == nullptr ? Word{0} : statement->length));
}
void size_model(Machine& machine, Call& call) {
  const FortranStatement* statement = statement_at(machine, call);
  call.returns(Value::of(statement == nullptr ? Word{0} : Word{statement->line_at}));
}
void message_model(Machine& machine, Call& call) {
  const FortranStatement* statement = statement_at(machine, call);
  if (statement == nullptr || statement->status == 0 || !call.argument(1).known() || !call.argument(2).known()) return;
  machine.memory.forget(call.argument(1).bits, call.argument(2).bits, machine.unknown(call.at, "a message").cause);
}

using K = FortranKind;
constexpr NamedModel kFortranItemsModels[] = {
    {"_FortranAioOutputDescriptor", descriptor_model},
    {"_FortranAioInputDescriptor", descriptor_model},
    {"_FortranAioOutputDerivedType", derived_model},
    {"_FortranAioInputDerivedType", derived_model},
    {"_FortranAioOutputInteger8", put_model<K::kInteger, 1>},
    {"_FortranAioOutputInteger16", put_model<K::kInteger, 2>},
    {"_FortranAioOutputInteger32", put_model<K::kInteger, 4>},
    {"_FortranAioOutputInteger64", put_model<K::kInteger, 8>},
    {"_FortranAioOutputReal32", put_model<K::kReal, 4>},
    {"_FortranAioOutputReal64", put_model<K::kReal, 8>},
    {"_FortranAioOutputComplex32", put_model<K::kComplex, 4>},
    {"_FortranAioOutputComplex64", put_model<K::kComplex, 8>},
    {"_FortranAioOutputLogical", put_model<K::kLogical, 4>},
    {"_FortranAioOutputAscii", put_model<K::kText, 0>},
    {"_FortranAioOutputCharacter", put_model<K::kText, 0>},
    {"_FortranAioInputInteger", get_model<K::kInteger, 4>},
    {"_FortranAioInputReal32", get_model<K::kReal, 4>},
    {"_FortranAioInputReal64", get_model<K::kReal, 8>},
    {"_FortranAioInputComplex32", get_model<K::kComplex, 4>},
    {"_FortranAioInputComplex64", get_model<K::kComplex, 8>},
    {"_FortranAioInputLogical", get_model<K::kLogical, 1>},
    {"_FortranAioInputAscii", get_model<K::kText, 1>},
    {"_FortranAioInputCharacter", get_model<K::kText, 1>},
    {"_FortranAioInputNamelist", get_namelist_model},
    {"_FortranAioOutputNamelist", put_namelist_model},
    {"_FortranAioGetIoLength", length_model},
    {"_FortranAioGetSize", size_model},
    {"_FortranAioGetIoMsg", message_model},
};

}  // namespace

std::span<const NamedModel> fortran_item_models() { return kFortranItemsModels; }

}  // namespace trikal::predict
