// H5S: extents and selections.

#include "predict/models/hdf5.hpp"

namespace trikal::predict {
namespace {

using Kind = Hdf5Selection::Kind;
constexpr Word kUnlimited = ~Word{0};

void made_space(Machine& machine, Call& call, Hdf5Space space) {
  Hdf5Object object;
  object.kind = Hdf5Kind::kSpace;
  object.space = std::move(space);
  hdf5_made(machine, call, std::move(object));
}

void create_model(Machine& machine, Call& call) {
  enum : Word { kScalar, kSimple, kNull };
  if (!call.argument(0).known()) return call.returns(call.argument(0));
  Hdf5Space space;
  space.empty = lowest(call.argument(0).bits, 32) != kScalar;
  made_space(machine, call, std::move(space));
}

// Rank, extent and largest extent from the arguments; false: the call fails.
bool read_extent(Machine& machine, const Call& call, std::size_t first, Hdf5Space& space) {
  const Value rank = call.argument(first);
  if (!rank.known()) return space.cause = rank.cause, true;
  const std::int64_t dimensions = with_sign(rank.bits, 32);
  if (dimensions < 0 || static_cast<std::size_t>(dimensions) > kHdf5MostDimensions) return false;
  const auto count = static_cast<std::size_t>(dimensions);
  if (call.argument(first + 1).known() && call.argument(first + 1).bits == 0 && count > 0) return false;
  space.cause = hdf5_sizes(machine, call.argument(first + 1), count, space.extent);
  space.extent.resize(count);
  space.most = space.extent;
  const Value most = call.argument(first + 2);
  if (most.known() && most.bits == 0) return true;
  if (const Cause why = hdf5_sizes(machine, most, count, space.most); why != kKnown) {
    space.most.assign(count, kUnlimited);
    return true;
  }
  for (std::size_t d = 0; d < count && space.cause == kKnown; ++d)
    if (space.most[d] < space.extent[d]) return false;
  return true;
}

void create_simple_model(Machine& machine, Call& call) {
  Hdf5Space space;
  if (!read_extent(machine, call, 0, space)) return hdf5_fails(call);
  made_space(machine, call, std::move(space));
}
void set_extent_model(Machine& machine, Call& call) {
  Hdf5Space space;
  Hdf5Object* object = hdf5_change(machine, call, 0, Hdf5Kind::kSpace);
  if (object == nullptr) return;
  if (!read_extent(machine, call, 1, space)) return hdf5_fails(call);
  object->space = std::move(space);
}
void copy_model(Machine& machine, Call& call) {
  const Hdf5Object* object = hdf5_object(machine, call, 0, Hdf5Kind::kSpace);
  if (object != nullptr) made_space(machine, call, Hdf5Space(object->space));
}
void copy_extent_model(Machine& machine, Call& call) {
  const Hdf5Object* from = hdf5_object(machine, call, 1, Hdf5Kind::kSpace);
  if (from == nullptr) return;
  Hdf5Space space = from->space;
  space.selection = {};
  if (Hdf5Object* object = hdf5_change(machine, call, 0, Hdf5Kind::kSpace)) object->space = std::move(space);
}

// Start, stride, count and block; stride and block may be left out.
Hdf5Selection blocks_of(Machine& machine, const Call& call, std::size_t rank, bool& bad) {
  Hdf5Selection blocks;
  blocks.kind = Kind::kBlocks;
  const auto take = [&](std::size_t index, std::vector<Word>& out, bool optional) {
    const Value from = call.argument(index);
    if (optional && from.known() && from.bits == 0) return out.assign(rank, 1);
    const Cause why = hdf5_sizes(machine, from, rank, out);
    out.resize(rank, 1);
    if (why != kKnown) blocks.cause = why;
  };
  take(2, blocks.start, false), take(3, blocks.stride, true), take(4, blocks.count, false), take(5, blocks.block, true);
  if (blocks.cause != kKnown) return blocks;
  bool none = false;
  for (std::size_t d = 0; d < rank; ++d) {
    bad = bad || blocks.stride[d] == 0 || (blocks.count[d] > 1 && blocks.stride[d] < blocks.block[d]);
    none = none || blocks.count[d] == 0 || blocks.block[d] == 0;
  }
  if (none) blocks = {}, blocks.kind = Kind::kNothing;
  return blocks;
}

void select_blocks_model(Machine& machine, Call& call) {
  Hdf5Object* object = hdf5_change(machine, call, 0, Hdf5Kind::kSpace);
  if (object == nullptr) return;
  Hdf5Space& space = object->space;
  const bool pointers = call.argument(2).known() && call.argument(4).known();
  if (space.extent.empty() || (pointers && (call.argument(2).bits == 0 || call.argument(4).bits == 0)))
    return hdf5_fails(call);
  bool bad = false;
  const Hdf5Selection blocks = blocks_of(machine, call, space.extent.size(), bad);
  const Value how = call.argument(1);
  if (bad || (how.known() && lowest(how.bits, 32) > 5)) return hdf5_fails(call);
  if (blocks.cause != kKnown || !how.known()) {
    space.selection = blocks;
    if (!how.known()) space.selection.cause = how.cause;
    return;
  }
  select_blocks(space, lowest(how.bits, 32), blocks);
  if (space.selection.cause == ~Cause{0})
    space.selection.cause = machine.unknown(call.at, "a selection of very many blocks").cause;
}

// H5Sselect_elements(space, operation, count, coordinates)
void select_points_model(Machine& machine, Call& call) {
  enum : Word { kSet = 0, kAppend = 6, kPrepend = 7 };
  Hdf5Object* object = hdf5_change(machine, call, 0, Hdf5Kind::kSpace);
  if (object == nullptr) return;
  const Value how = call.argument(1), count = call.argument(2);
  if (object->space.extent.empty()) return hdf5_fails(call);
  const Word operation = lowest(how.bits, 32);
  if (how.known() && operation != kSet && operation != kAppend && operation != kPrepend) return hdf5_fails(call);
  if (count.known() && count.bits == 0) return hdf5_fails(call);
  Hdf5Selection& selection = object->space.selection;
  const bool more = operation != kSet && selection.kind == Kind::kPoints;
  const Word before = more ? selection.points : 0;
  const Cause cause = more ? selection.cause : kKnown;
  selection = {};
  selection.kind = Kind::kPoints;
  selection.points = before + count.bits;
  selection.cause = !count.known() ? count.cause : !how.known() ? how.cause : cause;
}

template <Kind What>
void select_model(Machine& machine, Call& call) {
  if (Hdf5Object* object = hdf5_change(machine, call, 0, Hdf5Kind::kSpace)) {
    object->space.selection = {};
    object->space.selection.kind = What;
  }
}

void kind_model(Machine& machine, Call& call) {
  const Hdf5Object* object = hdf5_object(machine, call, 0, Hdf5Kind::kSpace);
  constexpr Word kTold[] = {3, 0, 1, 2};  // H5S_sel_type: none, points, hyperslabs, all
  if (object != nullptr) call.returns(Value::of(kTold[static_cast<std::size_t>(object->space.selection.kind)]));
}
void extent_kind_model(Machine& machine, Call& call) {
  if (const Hdf5Object* object = hdf5_object(machine, call, 0, Hdf5Kind::kSpace))
    call.returns(Value::of(Word{object->space.empty ? 2U : object->space.extent.empty() ? 0U : 1U}));
}
void selected_model(Machine& machine, Call& call) {
  const Hdf5Object* object = hdf5_object(machine, call, 0, Hdf5Kind::kSpace);
  if (object == nullptr) return;
  const Cause why = object->space.why();
  call.returns(why == kKnown ? Value::of(object->space.selected()) : Value::unknown(why));
}
void valid_model(Machine& machine, Call& call) {
  const Hdf5Object* object = hdf5_object(machine, call, 0, Hdf5Kind::kSpace);
  if (object == nullptr) return;
  const Cause why = object->space.why();
  call.returns(why == kKnown ? Value::of(Word{object->space.valid()}) : Value::unknown(why));
}
void rank_model(Machine& machine, Call& call) {
  const Hdf5Object* object = hdf5_object(machine, call, 0, Hdf5Kind::kSpace);
  if (object == nullptr) return;
  const bool known = object->space.cause == kKnown || !object->space.extent.empty();
  call.returns(known ? Value::of(Word{object->space.extent.size()}) : Value::unknown(object->space.cause));
}
void elements_model(Machine& machine, Call& call) {
  const Hdf5Object* object = hdf5_object(machine, call, 0, Hdf5Kind::kSpace);
  if (object == nullptr) return;
  const Hdf5Space& space = object->space;
  call.returns(space.cause == kKnown ? Value::of(space.elements()) : Value::unknown(space.cause));
}
void extent_model(Machine& machine, Call& call) {
  const Hdf5Object* object = hdf5_object(machine, call, 0, Hdf5Kind::kSpace);
  if (object == nullptr) return;
  const Hdf5Space space = object->space;
  if (space.cause != kKnown) {
    for (const std::size_t index : {std::size_t{1}, std::size_t{2}})
      if (call.argument(index).known() && call.argument(index).bits != 0)
        machine.memory.forget(call.argument(index).bits, 8 * std::max<std::size_t>(1, space.extent.size()),
                              space.cause);
    return call.returns(space.extent.empty() ? Value::unknown(space.cause) : Value::of(Word{space.extent.size()}));
  }
  hdf5_put_sizes(machine, call.argument(1), space.extent);
  hdf5_put_sizes(machine, call.argument(2), space.most);
  call.returns(Value::of(Word{space.extent.size()}));
}
void bounds_model(Machine& machine, Call& call) {
  const Hdf5Object* object = hdf5_object(machine, call, 0, Hdf5Kind::kSpace);
  if (object == nullptr) return;
  if (object->space.why() != kKnown) return call.returns(Value::unknown(object->space.why()));
  Hdf5Box box = object->space.bounds();
  for (Word& one : box.high) --one;  // the last one itself
  hdf5_put_sizes(machine, call.argument(1), box.low);
  hdf5_put_sizes(machine, call.argument(2), box.high);
}
void regular_model(Machine& machine, Call& call) {
  if (const Hdf5Object* object = hdf5_object(machine, call, 0, Hdf5Kind::kSpace))
    call.returns(Value::of(Word{object->space.selection.kind == Kind::kBlocks && object->space.selection.regular}));
}
void blocks_model(Machine& machine, Call& call) {
  const Hdf5Object* object = hdf5_object(machine, call, 0, Hdf5Kind::kSpace);
  if (object == nullptr) return;
  const Hdf5Selection& selection = object->space.selection;
  if (selection.kind != Kind::kBlocks) return hdf5_fails(call);
  if (selection.cause != kKnown) return call.returns(Value::unknown(selection.cause));
  Word count = selection.regular ? 1 : selection.boxes.size();
  for (const Word one : selection.count) count *= one;
  call.returns(Value::of(count));
}

constexpr NamedModel kHdf5SpacesModels[] = {
    {"H5Screate", create_model},
    {"H5Screate_simple", create_simple_model},
    {"H5Sset_extent_simple", set_extent_model},
    {"H5Sset_extent_none", succeeds},
    {"H5Scopy", copy_model},
    {"H5Sextent_copy", copy_extent_model},
    {"H5Sselect_hyperslab", select_blocks_model},
    {"H5Sselect_elements", select_points_model},
    {"H5Sselect_all", select_model<Kind::kAll>},
    {"H5Sselect_none", select_model<Kind::kNothing>},
    {"H5Sselect_valid", valid_model},
    {"H5Soffset_simple", succeeds},
    {"H5Sis_simple", [](Machine&, Call& call) { call.returns(Value::of(Word{1})); }},
    {"H5Sis_regular_hyperslab", regular_model},
    {"H5Sget_select_type", kind_model},
    {"H5Sget_select_npoints", selected_model},
    {"H5Sget_select_elem_npoints", selected_model},
    {"H5Sget_select_hyper_nblocks", blocks_model},
    {"H5Sget_select_bounds", bounds_model},
    {"H5Sget_simple_extent_type", extent_kind_model},
    {"H5Sget_simple_extent_ndims", rank_model},
    {"H5Sget_simple_extent_npoints", elements_model},
    {"H5Sget_simple_extent_dims", extent_model},
};

}  // namespace

std::span<const NamedModel> hdf5_space_models() { return kHdf5SpacesModels; }

}  // namespace trikal::predict
