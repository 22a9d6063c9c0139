// H5LT: a dataset is made, written and closed, or opened, read and closed, in one call.

#include "predict/models/hdf5.hpp"

namespace trikal::predict {
namespace {

// The type that the name of a function ends with: H5LTmake_dataset_int.
std::optional<Hdf5Type> type_in_name(std::string_view name) {
  struct Word3 {
    std::string_view end, type;
  };
  constexpr Word3 kTypes[] = {{"_uchar", "NATIVE_UCHAR"}, {"_ushort", "NATIVE_USHORT"},   {"_uint", "NATIVE_UINT"},
                              {"_ulong", "NATIVE_ULONG"}, {"_char", "NATIVE_SCHAR"},      {"_short", "NATIVE_SHORT"},
                              {"_int", "NATIVE_INT"},     {"_long_long", "NATIVE_LLONG"}, {"_long", "NATIVE_LONG"},
                              {"_float", "NATIVE_FLOAT"}, {"_double", "NATIVE_DOUBLE"},   {"_string", "C_S1"}};
  for (const Word3& one : kTypes)
    if (name.ends_with(one.end)) return hdf5_type_named(one.type);
  return std::nullopt;
}

void made_and_written(Machine& machine, Call& call, const Hdf5NewDataset& wanted, Value buffer) {
  const auto where = hdf5_where(machine, call, 0, std::size_t{1});
  const auto handle = where ? hdf5_create_dataset(machine, call, *where, wanted) : std::nullopt;
  if (!handle) return;
  const bool data = !buffer.known() || buffer.bits != 0;
  if (data && !hdf5_transfer(machine, call, {*handle, wanted.type, {}, {}, buffer, true})) hdf5_fails(call);
  hdf5_close_dataset(machine, call, *handle);
}

// (location, name, rank, extent, [type,] data)
void make_model(Machine& machine, Call& call) {
  auto type = type_in_name(call.name);
  const std::size_t buffer = type ? 4 : 5;
  if (!type) type = hdf5_type(machine, call, 4);
  if (!type) return;
  Hdf5NewDataset wanted{*type, {}, {}, {}};
  const Value rank = call.argument(2);
  wanted.space.cause = rank.cause;
  if (rank.known() && lowest(rank.bits, 32) <= kHdf5MostDimensions)
    wanted.space.cause = hdf5_sizes(machine, call.argument(3), lowest(rank.bits, 32), wanted.space.extent);
  wanted.space.most = wanted.space.extent;
  made_and_written(machine, call, wanted, call.argument(buffer));
}

void make_text_model(Machine& machine, Call& call) {
  std::string text;
  Hdf5NewDataset wanted{*hdf5_type_named("C_S1"), {}, {}, {}};
  if (text_argument(machine, call, 2, text)) wanted.type.bytes = text.size() + 1;
  else wanted.type.cause = machine.unknown(call.at, "the length of a text").cause;
  made_and_written(machine, call, wanted, call.argument(2));
}

// (location, name, [type,] data)
void read_model(Machine& machine, Call& call) {
  auto type = type_in_name(call.name);
  const std::size_t buffer = type ? 2 : 3;
  if (!type) type = hdf5_type(machine, call, 2);
  const auto where = type ? hdf5_where(machine, call, 0, std::size_t{1}) : std::nullopt;
  const auto handle = where ? hdf5_open_dataset(machine, call, *where, false) : std::nullopt;
  if (!handle) return;
  if (call.name.ends_with("_string")) type = machine.world.hdf5().at(*handle)->type;
  if (!hdf5_transfer(machine, call, {*handle, *type, {}, {}, call.argument(buffer), false})) hdf5_fails(call);
  hdf5_close_dataset(machine, call, *handle);
}

// Opens and closes it, and says what it found.
template <class Tell>
void ask(Machine& machine, Call& call, Tell tell) {
  const auto where = hdf5_where(machine, call, 0, std::size_t{1});
  const auto handle = where ? hdf5_open_dataset(machine, call, *where, false) : std::nullopt;
  if (!handle) return;
  const Hdf5Node node = *machine.world.change_hdf5().node(where->location);
  hdf5_close_dataset(machine, call, *handle);
  tell(node);
}

void rank_model(Machine& machine, Call& call) {
  ask(machine, call, [&](const Hdf5Node& node) {
    const bool known = node.space.cause == kKnown;
    if (call.argument(2).known())
      machine.memory.store(call.argument(2).bits, 4,
                           known ? Value::of(Word{node.space.extent.size()}) : Value::unknown(node.space.cause));
  });
}

// (location, name, extent, class, size)
void info_model(Machine& machine, Call& call) {
  ask(machine, call, [&](const Hdf5Node& node) {
    const Value extent = call.argument(2);
    if (node.space.cause == kKnown) hdf5_put_sizes(machine, extent, node.space.extent);
    else if (extent.known() && extent.bits != 0) machine.memory.forget(extent.bits, 8, node.space.cause);
    hdf5_put(machine, call.argument(3), 4, static_cast<Word>(node.type.kind));
    hdf5_put(machine, call.argument(4), 8, node.type.bytes);
  });
}

void find_model(Machine& machine, Call& call) {
  const auto where = hdf5_where(machine, call, 0, std::size_t{1});
  if (!where) return;
  const bool there = machine.world.change_hdf5().node(where->location) != nullptr;
  if (!there && !where->known) return call.returns(machine.unknown(call.at, "what lies in an HDF5 file"));
  call.returns(Value::of(Word{there}));
}

// The object that has the attribute is opened and closed: a dataset is counted.
const Hdf5Node* with_attribute(Machine& machine, Call& call) {
  const auto where = hdf5_where(machine, call, 0, std::size_t{1});
  const Hdf5Node* node = where ? machine.world.change_hdf5().node(where->location) : nullptr;
  if (where && node == nullptr && where->known) hdf5_fails(call);
  if (node == nullptr || node->kind != Hdf5Kind::kDataset) return node;
  const auto handle = hdf5_open_dataset(machine, call, *where, false);
  if (handle) hdf5_close_dataset(machine, call, *handle);
  return machine.world.change_hdf5().node(where->location);
}

// (location, object, name, data, count); of a text no count
void set_attribute_model(Machine& machine, Call& call) {
  const auto type = type_in_name(call.name);
  const Hdf5Node* node = type ? with_attribute(machine, call) : nullptr;
  if (node == nullptr) return;
  Hdf5Node made;
  made.kind = Hdf5Kind::kAttribute, made.type = *type;
  std::string value;
  if (call.name.ends_with("_string")) {
    if (text_argument(machine, call, 3, value)) value.push_back('\0');
    made.type.bytes = std::max<Word>(1, value.size());
  } else if (call.argument(4).known() && call.argument(4).bits < 4096) {
    made.space.extent = {call.argument(4).bits};
    value.resize(call.argument(4).bits * type->bytes);
    if (!call.argument(3).known() || !machine.memory.read(call.argument(3).bits, value.data(), value.size()))
      value.clear();
  }
  if (!value.empty()) made.value = std::make_shared<const std::string>(value);
  const auto where = hdf5_where(machine, call, 0, std::size_t{1});
  machine.world.change_hdf5().node(where->location)->attributes[hdf5_name(machine, call, 2)] = std::move(made);
}

// (location, object, name, [type,] data)
void get_attribute_model(Machine& machine, Call& call) {
  const auto type = type_in_name(call.name);
  const Value buffer = call.argument(type ? 3 : 4);
  const Hdf5Node* node = with_attribute(machine, call);
  if (!buffer.known()) return;
  const auto found =
      node != nullptr ? node->attributes.find(hdf5_name(machine, call, 2)) : decltype(node->attributes.end()){};
  const bool there = node != nullptr && found != node->attributes.end();
  if (node != nullptr && !there) return hdf5_fails(call);
  const bool told = there && found->second.value &&
                    (!type || type->bytes == found->second.type.bytes || found->second.type.kind == Hdf5Class::kString);
  if (told) return machine.memory.write(buffer.bits, found->second.value->data(), found->second.value->size());
  machine.memory.forget(buffer.bits, type ? type->bytes : 8,
                        machine.unknown(call.at, "an attribute in an HDF5 file").cause);
}

constexpr NamedModel kHdf5LiteModels[] = {
    {"H5LTmake_dataset", make_model},
    {"H5LTmake_dataset_char", make_model},
    {"H5LTmake_dataset_short", make_model},
    {"H5LTmake_dataset_int", make_model},
    {"H5LTmake_dataset_long", make_model},
    {"H5LTmake_dataset_float", make_model},
    {"H5LTmake_dataset_double", make_model},
    {"H5LTmake_dataset_string", make_text_model},
    {"H5LTread_dataset", read_model},
    {"H5LTread_dataset_char", read_model},
    {"H5LTread_dataset_short", read_model},
    {"H5LTread_dataset_int", read_model},
    {"H5LTread_dataset_long", read_model},
    {"H5LTread_dataset_float", read_model},
    {"H5LTread_dataset_double", read_model},
    {"H5LTread_dataset_string", read_model},
    {"H5LTget_dataset_ndims", rank_model},
    {"H5LTget_dataset_info", info_model},
    {"H5LTfind_dataset", find_model},
    {"H5LTset_attribute_string", set_attribute_model},
    {"H5LTset_attribute_char", set_attribute_model},
    {"H5LTset_attribute_uchar", set_attribute_model},
    {"H5LTset_attribute_short", set_attribute_model},
    {"H5LTset_attribute_ushort", set_attribute_model},
    {"H5LTset_attribute_int", set_attribute_model},
    {"H5LTset_attribute_uint", set_attribute_model},
    {"H5LTset_attribute_long", set_attribute_model},
    {"H5LTset_attribute_ulong", set_attribute_model},
    {"H5LTset_attribute_long_long", set_attribute_model},
    {"H5LTset_attribute_float", set_attribute_model},
    {"H5LTset_attribute_double", set_attribute_model},
    {"H5LTget_attribute", get_attribute_model},
    {"H5LTget_attribute_string", get_attribute_model},
    {"H5LTget_attribute_char", get_attribute_model},
    {"H5LTget_attribute_uchar", get_attribute_model},
    {"H5LTget_attribute_short", get_attribute_model},
    {"H5LTget_attribute_ushort", get_attribute_model},
    {"H5LTget_attribute_int", get_attribute_model},
    {"H5LTget_attribute_uint", get_attribute_model},
    {"H5LTget_attribute_long", get_attribute_model},
    {"H5LTget_attribute_ulong", get_attribute_model},
    {"H5LTget_attribute_long_long", get_attribute_model},
    {"H5LTget_attribute_float", get_attribute_model},
    {"H5LTget_attribute_double", get_attribute_model},
};

}  // namespace

std::span<const NamedModel> hdf5_lite_models() { return kHdf5LiteModels; }

}  // namespace trikal::predict
