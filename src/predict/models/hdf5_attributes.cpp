// H5A: attributes are not counted, by a run neither, but programs read back what they or others wrote there.

#include "predict/models/hdf5.hpp"

namespace trikal::predict {
namespace {

constexpr Word kKept = 4096;

void made_attribute(Machine& machine, Call& call, const Hdf5Where& where, const std::string& name) {
  Hdf5Object object;
  object.kind = Hdf5Kind::kAttribute;
  object.file = where.location.first, object.path = where.location.second, object.writable = where.writable;
  object.attribute = name;
  hdf5_made(machine, call, std::move(object));
}

// (location, name, type, space, ...), or (location, object, name, type, space, ...)
void create_model(Machine& machine, Call& call) {
  const bool named = call.name == "H5Acreate_by_name";
  const std::size_t at = named ? 2 : 1;
  const auto where = hdf5_where(machine, call, 0, named ? hdf5_name(machine, call, 1) : "");
  const auto type = where ? hdf5_type(machine, call, at + 1) : std::nullopt;
  const Hdf5Object* space = type ? hdf5_object(machine, call, at + 2, Hdf5Kind::kSpace) : nullptr;
  if (space == nullptr) return;
  Hdf5Node made;
  made.kind = Hdf5Kind::kAttribute, made.type = *type, made.space = space->space;
  const std::string name = hdf5_name(machine, call, at);
  Hdf5Node* node = machine.world.change_hdf5().node(where->location);
  if (!where->writable || (node != nullptr && node->attributes.contains(name))) return hdf5_fails(call);
  if (node != nullptr) node->attributes[name] = std::move(made);
  made_attribute(machine, call, *where, name);
}

// (location, name, ...), or (location, object, name, ...)
void open_model(Machine& machine, Call& call) {
  const bool named = call.name == "H5Aopen_by_name";
  const auto where = hdf5_where(machine, call, 0, named ? hdf5_name(machine, call, 1) : "");
  if (!where) return;
  const std::string name = hdf5_name(machine, call, named ? 2 : 1);
  const Hdf5Node* node = machine.world.change_hdf5().node(where->location);
  if (where->known && (node == nullptr || !node->attributes.contains(name))) return hdf5_fails(call);
  made_attribute(machine, call, *where, name);
}

void exists_model(Machine& machine, Call& call) {
  const bool named = call.name == "H5Aexists_by_name";
  const auto where = hdf5_where(machine, call, 0, named ? hdf5_name(machine, call, 1) : "");
  if (!where) return;
  const Hdf5Node* node = machine.world.change_hdf5().node(where->location);
  if (node == nullptr && !where->known) return call.returns(machine.unknown(call.at, "an attribute in an HDF5 file"));
  const bool there = node != nullptr && node->attributes.contains(hdf5_name(machine, call, named ? 2 : 1));
  if (!there && !where->known) return call.returns(machine.unknown(call.at, "an attribute in an HDF5 file"));
  call.returns(Value::of(Word{there}));
}

void delete_model(Machine& machine, Call& call) {
  const auto where = hdf5_where(machine, call, 0, "");
  Hdf5Node* node = where ? machine.world.change_hdf5().node(where->location) : nullptr;
  if (where && (node == nullptr || node->attributes.erase(hdf5_name(machine, call, 1)) == 0)) hdf5_fails(call);
}

void count_model(Machine& machine, Call& call) {
  const auto where = hdf5_where(machine, call, 0, "");
  if (!where) return;
  const Hdf5Node* node = machine.world.change_hdf5().node(where->location);
  if (node == nullptr) return call.returns(machine.unknown(call.at, "attributes in an HDF5 file"));
  call.returns(Value::of(Word{node->attributes.size()}));
}

Hdf5Node* attribute_of(Machine& machine, Call& call) {
  const Hdf5Object* object = hdf5_object(machine, call, 0, Hdf5Kind::kAttribute);
  Hdf5Node* node = object != nullptr ? machine.world.change_hdf5().node({object->file, object->path}) : nullptr;
  if (node == nullptr) return nullptr;
  const auto found = node->attributes.find(object->attribute);
  return found == node->attributes.end() ? nullptr : &found->second;
}

void write_model(Machine& machine, Call& call) {
  const auto type = hdf5_type(machine, call, 1);
  Hdf5Node* attribute = type ? attribute_of(machine, call) : nullptr;
  if (attribute == nullptr) return;
  const Word bytes = attribute->space.elements() * type->bytes;
  auto value = std::make_shared<std::string>(std::min(bytes, kKept), '\0');
  const bool told = attribute->space.cause == kKnown && bytes <= kKept && type->bytes == attribute->type.bytes &&
                    call.argument(2).known() && machine.memory.read(call.argument(2).bits, value->data(), bytes);
  attribute->value = told ? std::shared_ptr<const std::string>(std::move(value)) : nullptr;
}

void read_model(Machine& machine, Call& call) {
  const auto type = hdf5_type(machine, call, 1);
  const Hdf5Node* attribute = type ? attribute_of(machine, call) : nullptr;
  const Value buffer = call.argument(2);
  if (!type || !buffer.known()) return;
  if (attribute != nullptr && attribute->value && type->bytes == attribute->type.bytes)
    return machine.memory.write(buffer.bits, attribute->value->data(), attribute->value->size());
  const Word elements = attribute != nullptr && attribute->space.cause == kKnown ? attribute->space.elements() : 1;
  machine.memory.forget(buffer.bits, elements * std::max<Word>(1, type->bytes),
                        machine.unknown(call.at, "an attribute in an HDF5 file").cause);
}

void space_model(Machine& machine, Call& call) {
  const Hdf5Node* attribute = attribute_of(machine, call);
  Hdf5Object object;
  object.kind = Hdf5Kind::kSpace;
  if (attribute != nullptr) object.space = attribute->space;
  else object.space.cause = machine.unknown(call.at, "an attribute in an HDF5 file").cause;
  hdf5_made(machine, call, std::move(object));
}
void type_model(Machine& machine, Call& call) {
  const Hdf5Node* attribute = attribute_of(machine, call);
  Hdf5Object object;
  object.kind = Hdf5Kind::kType;
  if (attribute != nullptr) object.type = attribute->type;
  else object.type.cause = machine.unknown(call.at, "an attribute in an HDF5 file").cause;
  hdf5_made(machine, call, std::move(object));
}

constexpr NamedModel kHdf5AttributesModels[] = {
    {"H5Acreate1", create_model},      {"H5Acreate2", create_model},        {"H5Acreate_by_name", create_model},
    {"H5Aopen", open_model},           {"H5Aopen_name", open_model},        {"H5Aopen_by_name", open_model},
    {"H5Aexists", exists_model},       {"H5Aexists_by_name", exists_model}, {"H5Adelete", delete_model},
    {"H5Aget_num_attrs", count_model}, {"H5Awrite", write_model},           {"H5Aread", read_model},
    {"H5Aget_space", space_model},     {"H5Aget_type", type_model},
};

}  // namespace

std::span<const NamedModel> hdf5_attribute_models() { return kHdf5AttributesModels; }

}  // namespace trikal::predict
