// H5T: of a type a prediction needs its size, and a program may ask for a few things more.

#include <algorithm>

#include "predict/models/hdf5.hpp"

namespace trikal::predict {
namespace {

constexpr Word kAnyLength = ~Word{0};  // H5T_VARIABLE
constexpr Word kPointer = 8, kSequence = 16;  // what a char* and an hvl_t take in memory

void made_type(Machine& machine, Call& call, Hdf5Type type) {
  Hdf5Object object;
  object.kind = Hdf5Kind::kType;
  object.type = std::move(type);
  hdf5_made(machine, call, std::move(object));
}

// Of a type, or of a dataset's.
void copy_model(Machine& machine, Call& call) {
  const Value handle = call.argument(0);
  const Hdf5Object* object = handle.known() ? machine.world.hdf5().at(handle.bits) : nullptr;
  if (!handle.known()) return call.returns(handle);
  const bool typed = object != nullptr && (object->kind == Hdf5Kind::kType || object->kind == Hdf5Kind::kDataset);
  if (!typed) return hdf5_fails(call);
  made_type(machine, call, object->type);
}

void create_model(Machine& machine, Call& call) {
  if (!call.argument(0).known()) return call.returns(call.argument(0));
  Hdf5Type type;
  type.kind = static_cast<Hdf5Class>(lowest(call.argument(0).bits, 32));
  type.bytes = call.argument(1).bits, type.cause = call.argument(1).cause;
  if (type.kind == Hdf5Class::kString && type.bytes == kAnyLength) type.bytes = kPointer, type.variable = true;
  if (type.cause == kKnown && type.bytes == 0) return hdf5_fails(call);
  made_type(machine, call, std::move(type));
}

void set_size_model(Machine& machine, Call& call) {
  Hdf5Object* object = hdf5_change(machine, call, 0, Hdf5Kind::kType);
  if (object == nullptr) return;
  if (object->fixed) return hdf5_fails(call);
  object->type.bytes = call.argument(1).bits, object->type.cause = call.argument(1).cause;
  if (object->type.cause != kKnown) return;
  if (object->type.bytes == 0) return hdf5_fails(call);
  object->type.variable = object->type.bytes == kAnyLength;
  if (object->type.variable) object->type.bytes = kPointer;
}

void get_size_model(Machine& machine, Call& call) {
  const Hdf5Object* object = hdf5_object(machine, call, 0, Hdf5Kind::kType);
  if (object == nullptr) return;
  call.returns(object->type.cause == kKnown ? Value::of(object->type.bytes) : Value::unknown(object->type.cause));
}
void get_class_model(Machine& machine, Call& call) {
  if (const Hdf5Object* object = hdf5_object(machine, call, 0, Hdf5Kind::kType))
    call.returns(Value::of(static_cast<Word>(object->type.kind)));
}
void get_sign_model(Machine& machine, Call& call) {
  if (const Hdf5Object* object = hdf5_object(machine, call, 0, Hdf5Kind::kType))
    call.returns(Value::of(Word{object->type.has_sign}));
}
void variable_model(Machine& machine, Call& call) {
  if (const Hdf5Object* object = hdf5_object(machine, call, 0, Hdf5Kind::kType))
    call.returns(Value::of(Word{object->type.variable}));
}
void members_model(Machine& machine, Call& call) {
  if (const Hdf5Object* object = hdf5_object(machine, call, 0, Hdf5Kind::kType))
    call.returns(Value::of(Word{object->type.members.size()}));
}
void member_offset_model(Machine& machine, Call& call) {
  const Hdf5Object* object = hdf5_object(machine, call, 0, Hdf5Kind::kType);
  if (object == nullptr || !call.argument(1).known()) return;
  const Word which = lowest(call.argument(1).bits, 32);
  call.returns(Value::of(which < object->type.members.size() ? object->type.members[which].second : 0));
}

void insert_model(Machine& machine, Call& call) {
  const std::optional<Hdf5Type> member = hdf5_type(machine, call, 3);
  Hdf5Object* object = member ? hdf5_change(machine, call, 0, Hdf5Kind::kType) : nullptr;
  if (object == nullptr) return;
  Hdf5Type& type = object->type;
  if (type.kind != Hdf5Class::kCompound || object->fixed) return hdf5_fails(call);
  const Value offset = call.argument(2);
  if (offset.known() && type.cause == kKnown && member->cause == kKnown && offset.bits + member->bytes > type.bytes)
    return hdf5_fails(call);
  const std::string name = hdf5_name(machine, call, 1);
  if (std::ranges::any_of(type.members, [&](const auto& one) { return one.first == name; })) return hdf5_fails(call);
  type.members.emplace_back(name, offset.bits);
  type.packed += member->bytes;
}

void pack_model(Machine& machine, Call& call) {
  Hdf5Object* object = hdf5_change(machine, call, 0, Hdf5Kind::kType);
  if (object != nullptr && object->type.kind == Hdf5Class::kCompound && object->type.packed > 0)
    object->type.bytes = object->type.packed;
}

// H5Tarray_create2(base, rank, dims); the older one has a fourth argument.
void array_model(Machine& machine, Call& call) {
  const std::optional<Hdf5Type> base = hdf5_type(machine, call, 0);
  if (!base) return;
  const Value rank = call.argument(1);
  if (!rank.known()) return call.returns(rank);
  const Word dimensions = lowest(rank.bits, 32);
  if (dimensions == 0 || dimensions > kHdf5MostDimensions || !call.argument(2).known()) return hdf5_fails(call);
  std::vector<Word> extent;
  Hdf5Type type;
  type.kind = Hdf5Class::kArray, type.bytes = base->bytes;
  type.cause = hdf5_sizes(machine, call.argument(2), dimensions, extent);
  if (base->cause != kKnown) type.cause = base->cause;
  for (const Word one : extent) type.bytes *= one;
  made_type(machine, call, std::move(type));
}

void sequence_model(Machine& machine, Call& call) {
  if (!hdf5_type(machine, call, 0)) return;
  Hdf5Type type;
  type.kind = Hdf5Class::kVariable, type.bytes = kSequence;
  made_type(machine, call, std::move(type));
}
void enum_model(Machine& machine, Call& call) {
  std::optional<Hdf5Type> type = hdf5_type(machine, call, 0);
  if (!type) return;
  type->kind = Hdf5Class::kEnum;
  made_type(machine, call, std::move(*type));
}
void same_model(Machine& machine, Call& call) {
  const std::optional<Hdf5Type> one = hdf5_type(machine, call, 0);
  const std::optional<Hdf5Type> other = one ? hdf5_type(machine, call, 1) : std::nullopt;
  if (!other) return;
  if (one->cause != kKnown || other->cause != kKnown) return call.returns(machine.unknown(call.at, "a type of HDF5"));
  const bool same = one->bytes == other->bytes && one->kind == other->kind && one->variable == other->variable &&
                    one->has_sign == other->has_sign && one->members == other->members;
  call.returns(Value::of(Word{same}));
}

// It lies in the file from now on.
void commit_model(Machine& machine, Call& call) {
  const auto where = hdf5_where(machine, call, 0, std::size_t{1});
  const std::optional<Hdf5Type> type = where ? hdf5_type(machine, call, 2) : std::nullopt;
  if (!type) return;
  const Hdf5List link = call.arguments.size() > 3 ? hdf5_list(machine, call, 3) : Hdf5List{};
  if (!where->writable || !hdf5_parents(machine, *where, link)) return hdf5_fails(call);
  if (machine.world.change_hdf5().node(where->location) != nullptr) return hdf5_fails(call);
  Hdf5Node& node = machine.world.change_hdf5().nodes[where->location];
  node.kind = Hdf5Kind::kType, node.type = *type;
}
void open_model(Machine& machine, Call& call) {
  const auto where = hdf5_where(machine, call, 0, std::size_t{1});
  if (!where) return;
  const Hdf5Node* node = machine.world.change_hdf5().node(where->location);
  if (node != nullptr && node->kind == Hdf5Kind::kType) return made_type(machine, call, node->type);
  if (where->known) return hdf5_fails(call);
  call.returns(machine.unknown(call.at, "a type in an HDF5 file"));
}

constexpr NamedModel kHdf5TypesModels[] = {
    {"H5Tcopy", copy_model},
    {"H5Tget_native_type", copy_model},
    {"H5Tcreate", create_model},
    {"H5Tset_size", set_size_model},
    {"H5Tget_size", get_size_model},
    {"H5Tget_class", get_class_model},
    {"H5Tget_sign", get_sign_model},
    {"H5Tis_variable_str", variable_model},
    {"H5Tget_nmembers", members_model},
    {"H5Tget_member_offset", member_offset_model},
    {"H5Tinsert", insert_model},
    {"H5Tpack", pack_model},
    {"H5Tarray_create1", array_model},
    {"H5Tarray_create2", array_model},
    {"H5Tvlen_create", sequence_model},
    {"H5Tenum_create", enum_model},
    {"H5Tenum_insert", succeeds},
    {"H5Tequal", same_model},
    {"H5Tcommit1", commit_model},
    {"H5Tcommit2", commit_model},
    {"H5Topen1", open_model},
    {"H5Topen2", open_model},
    {"H5Tlock", succeeds},
};

struct Native {
  std::string_view name;
  Word bytes;
  Hdf5Class kind = Hdf5Class::kInteger;
};
constexpr Native kNatives[] = {
    {"SCHAR", 1},
    {"UCHAR", 1},
    {"SHORT", 2},
    {"USHORT", 2},
    {"INT", 4},
    {"UINT", 4},
    {"LONG", 8},
    {"ULONG", 8},
    {"LLONG", 8},
    {"ULLONG", 8},
    {"HADDR", 8},
    {"HSIZE", 8},
    {"HSSIZE", 8},
    {"HERR", 4},
    {"HBOOL", 1},
    {"FLOAT", 4, Hdf5Class::kReal},
    {"DOUBLE", 8, Hdf5Class::kReal},
    {"LDOUBLE", 16, Hdf5Class::kReal},
    {"OPAQUE", 1, Hdf5Class::kOpaque},
    {"B8", 1, Hdf5Class::kBits},
    {"B16", 2, Hdf5Class::kBits},
    {"B32", 4, Hdf5Class::kBits},
    {"B64", 8, Hdf5Class::kBits},
    {"INT_FAST8", 1},
    {"INT_FAST16", 8},
    {"INT_FAST32", 8},
    {"INT_FAST64", 8},
    {"UINT_FAST8", 1},
    {"UINT_FAST16", 8},
    {"UINT_FAST32", 8},
    {"UINT_FAST64", 8},
};

}  // namespace

std::optional<Hdf5Type> hdf5_type_named(std::string_view name) {
  Hdf5Type type;
  if (name == "C_S1" || name == "FORTRAN_S1") return type.bytes = 1, type.kind = Hdf5Class::kString, type;
  if (name.starts_with("STD_REF_"))
    return type.bytes = name == "STD_REF_OBJ"       ? 8
                        : name == "STD_REF_DSETREG" ? 12
                                                    : 64,
           type.kind = Hdf5Class::kReference, type;
  if (name.starts_with("NATIVE_")) {
    const std::string_view plain = name.substr(7);
    type.has_sign = !plain.starts_with("U") && plain != "HADDR" && plain != "HSIZE" && plain != "HBOOL";
    for (const Native& one : kNatives)
      if (one.name == plain) return type.bytes = one.bytes, type.kind = one.kind, type;
  }
  // STD_I32LE, IEEE_F64BE, UNIX_D32LE, NATIVE_UINT_LEAST16: the bits are in the name.
  const std::size_t digits = name.find_first_of("123468", name.find('_') + 1);
  if (digits == std::string_view::npos || digits == 0) return std::nullopt;
  for (std::size_t i = digits; i < name.size() && name[i] >= '0' && name[i] <= '9'; ++i)
    type.bytes = 10 * type.bytes + static_cast<Word>(name[i] - '0');
  type.bytes /= 8;
  const char kind = name[digits - 1];
  if (kind == 'F') type.kind = Hdf5Class::kReal;
  if (kind == 'B') type.kind = Hdf5Class::kBits;
  if (kind == 'D') type.kind = Hdf5Class::kTime;
  if (kind == 'U') type.has_sign = false;
  return type;
}

void hdf5_external(Machine& machine, std::string_view name, Word address) {
  if (!name.starts_with("H5") || !name.ends_with("_g")) return;
  const std::string_view plain = name.substr(0, name.size() - 2);
  Hdf5Object object;
  object.fixed = true;
  object.kind = Hdf5Kind::kList;
  if (plain.starts_with("H5T_")) {
    const std::optional<Hdf5Type> type = hdf5_type_named(plain.substr(4));
    if (!type) return;
    object.kind = Hdf5Kind::kType, object.type = *type;
  }
  machine.memory.store(address, 8, Value::of(machine.world.change_hdf5().add(std::move(object))));
}

std::span<const NamedModel> hdf5_type_models() { return kHdf5TypesModels; }

}  // namespace trikal::predict
