// H5D: datasets are made, opened, asked, made larger and closed.

#include <algorithm>

#include "predict/models/hdf5.hpp"

namespace trikal::predict {
namespace {

constexpr Word kUnlimited = ~Word{0};

// What a log says of a dataset: as it was when it was opened last.
void describe(Machine& machine, std::uint32_t container, const Hdf5Node& node, bool deprecated) {
  analyze::PredictedDataset told;
  told.container = container;
  told.dimensions = static_cast<std::int64_t>(node.space.extent.size());
  told.elements = static_cast<std::int64_t>(node.space.elements());
  told.element_bytes = static_cast<std::int64_t>(node.type.bytes);
  told.deprecated = deprecated;
  const std::vector<Word>& chunk = node.list.chunk;
  if (node.list.layout == 2)
    for (std::size_t i = 0; i < std::min(chunk.size(), told.chunk.size()); ++i)
      told.chunk[i] = static_cast<std::int64_t>(chunk[chunk.size() - 1 - i]);
  machine.world.files[node.file].dataset = told;
}

Word made_handle(Machine& machine, const Hdf5Where& where, const Hdf5Node& node) {
  Hdf5Object object;
  object.kind = Hdf5Kind::kDataset;
  object.file = where.location.first, object.path = where.location.second;
  object.writable = where.writable;
  object.type = node.type;
  return machine.world.change_hdf5().add(std::move(object));
}

// Chunks of the wrong shape, or a dataset without them that may grow.
bool cannot_be(const Hdf5NewDataset& wanted) {
  const Hdf5Space& space = wanted.space;
  if (space.cause != kKnown) return false;
  if (wanted.creation.layout != 2)
    return std::ranges::any_of(space.most, [](Word one) { return one == kUnlimited; }) || space.most != space.extent;
  if (wanted.creation.chunk.size() != space.extent.size()) return true;
  for (std::size_t d = 0; d < space.extent.size(); ++d)
    if (space.extent[d] > 0 && space.most[d] != kUnlimited && wanted.creation.chunk[d] > space.most[d]) return true;
  return false;
}

std::optional<Hdf5Space> space_argument(Machine& machine, Call& call, std::size_t index, bool& bad) {
  const Value handle = call.argument(index);
  if (handle.known() && handle.bits == 0) return std::nullopt;  // H5S_ALL
  if (!handle.known()) {
    Hdf5Space unknown;
    unknown.cause = handle.cause;
    return unknown;
  }
  const Hdf5Object* object = hdf5_object(machine, call, index, Hdf5Kind::kSpace);
  bad = object == nullptr;
  return object != nullptr ? std::optional(object->space) : std::nullopt;
}

void create_with(Machine& machine, Call& call, std::size_t creation, std::size_t link, bool deprecated) {
  const auto where = hdf5_where(machine, call, 0, std::size_t{1});
  const auto type = where ? hdf5_type(machine, call, 2) : std::nullopt;
  bool bad = false;
  const auto space = type ? space_argument(machine, call, 3, bad) : std::nullopt;
  if (!type || bad) return;
  if (!space) return hdf5_fails(call);
  Hdf5NewDataset wanted{*type, *space, hdf5_list(machine, call, creation), {}, deprecated};
  if (link != 0) wanted.link = hdf5_list(machine, call, link);
  if (const auto handle = hdf5_create_dataset(machine, call, *where, wanted)) call.returns(Value::of(*handle));
}
void create_model(Machine& machine, Call& call) { create_with(machine, call, 5, 4, false); }
void old_create_model(Machine& machine, Call& call) { create_with(machine, call, 4, 0, true); }

// It has no name until it is linked: seen when something is moved.
void nameless_model(Machine& machine, Call& call) {
  machine.note("datasets without a name (H5Dcreate_anon) are not followed");
  call.returns(machine.unknown(call.at, "a dataset without a name"));
}

// What describes a dataset is read by every rank for itself, unless the list says that all do it together. How often and
// how much is HDF5's own: about once.
void read_description(Machine& machine, const Call& call, const Hdf5Where& where) {
  constexpr Word kHeader = 512;
  if (machine.setting.ranks < 2 || !machine.world.files[where.location.first].parallel) return;
  const Hdf5Node* node = machine.world.change_hdf5().node(where.location);
  const bool fresh = node != nullptr && node->kind == Hdf5Kind::kDataset && !machine.world.files[node->file].dataset;
  if (!fresh || hdf5_list(machine, call, 2).collective) return;
  machine.access(call, {Operation::kRead, where.location.first, 0, kHeader, false});
  machine.note("reads of HDF5's metadata by every rank are assumed: one of " + std::to_string(kHeader) +
               " bytes for each dataset that is opened");
}

template <bool Deprecated>
void open_model(Machine& machine, Call& call) {
  const auto where = hdf5_where(machine, call, 0, std::size_t{1});
  if (!where) return;
  read_description(machine, call, *where);
  if (const auto handle = hdf5_open_dataset(machine, call, *where, Deprecated)) call.returns(Value::of(*handle));
}

// Somebody writes, but not we know where: it is counted for a dataset whose name says why.
void unknown_transfer(Machine& machine, Call& call, bool writes) {
  const std::string name = "<unknown: " + machine.causes[call.argument(0).cause].what + ">";
  const std::uint32_t file = machine.world.file_named(name);
  machine.world.files[file].dataset.emplace();
  machine.access(call, {writes ? Operation::kHdf5Write : Operation::kHdf5Read, file, 0, 0, false});
  call.returns(call.argument(0));
}

template <bool Writes>
void transfer_model(Machine& machine, Call& call) {
  if (!call.argument(0).known()) return unknown_transfer(machine, call, Writes);
  if (hdf5_object(machine, call, 0, Hdf5Kind::kDataset) == nullptr) return;
  const auto type = hdf5_type(machine, call, 1);
  if (!type) return;
  bool bad = false;
  Hdf5Transfer transfer{call.argument(0).bits, *type, {}, {}, call.argument(5), Writes};
  transfer.memory = space_argument(machine, call, 2, bad);
  if (bad) return;
  transfer.file = space_argument(machine, call, 3, bad);
  if (bad) return;
  transfer.collective = hdf5_list(machine, call, 4).collective;
  if (!hdf5_transfer(machine, call, transfer)) hdf5_fails(call);
}

void close_model(Machine& machine, Call& call) {
  const Hdf5Object* dataset = hdf5_object(machine, call, 0, Hdf5Kind::kDataset);
  if (dataset != nullptr) hdf5_close_dataset(machine, call, call.argument(0).bits);
}

const Hdf5Node* node_of(Machine& machine, Call& call) {
  const Hdf5Object* dataset = hdf5_object(machine, call, 0, Hdf5Kind::kDataset);
  if (dataset == nullptr) return nullptr;
  const Hdf5Node* node = machine.world.change_hdf5().node({dataset->file, dataset->path});
  if (node == nullptr) hdf5_fails(call);
  return node;
}

void flush_model(Machine& machine, Call& call) {
  if (const Hdf5Node* node = node_of(machine, call)) machine.access(call, {Operation::kHdf5DatasetFlush, node->file});
}
void space_model(Machine& machine, Call& call) {
  const Hdf5Node* node = node_of(machine, call);
  if (node == nullptr) return;
  Hdf5Object object;
  object.kind = Hdf5Kind::kSpace, object.space = node->space;
  hdf5_made(machine, call, std::move(object));
}
void type_model(Machine& machine, Call& call) {
  const Hdf5Node* node = node_of(machine, call);
  if (node == nullptr) return;
  Hdf5Object object;
  object.kind = Hdf5Kind::kType, object.type = node->type;
  hdf5_made(machine, call, std::move(object));
}
void creation_model(Machine& machine, Call& call) {
  const Hdf5Node* node = node_of(machine, call);
  if (node == nullptr) return;
  Hdf5Object object;
  object.kind = Hdf5Kind::kList, object.list = node->list;
  hdf5_made(machine, call, std::move(object));
}
void access_list_model(Machine& machine, Call& call) {
  if (node_of(machine, call) == nullptr) return;
  Hdf5Object object;
  object.kind = Hdf5Kind::kList;
  hdf5_made(machine, call, std::move(object));
}
void storage_model(Machine& machine, Call& call) {
  const Hdf5Node* node = node_of(machine, call);
  if (node == nullptr) return;
  if (node->list.layout == 2 || node->space.cause != kKnown || node->type.cause != kKnown)
    return call.returns(machine.unknown(call.at, "what a dataset takes in the file"));
  call.returns(Value::of(node->space.elements() * node->type.bytes));
}

// H5Dset_extent; H5Dextend only makes it larger.
template <bool Larger>
void extent_model(Machine& machine, Call& call) {
  const Hdf5Object* dataset = hdf5_object(machine, call, 0, Hdf5Kind::kDataset);
  Hdf5Node* node = dataset != nullptr ? machine.world.change_hdf5().node({dataset->file, dataset->path}) : nullptr;
  if (node == nullptr) return;
  if (node->list.layout != 2 && node->space.cause == kKnown) return hdf5_fails(call);
  std::vector<Word> wanted;
  const std::size_t rank = node->space.extent.size();
  if (const Cause why = hdf5_sizes(machine, call.argument(1), rank, wanted); why != kKnown) {
    node->space.cause = why;
    return;
  }
  for (std::size_t d = 0; d < rank; ++d) {
    if (Larger) wanted[d] = std::max(wanted[d], node->space.extent[d]);
    if (node->space.most[d] != kUnlimited && wanted[d] > node->space.most[d]) return hdf5_fails(call);
  }
  node->space.extent = std::move(wanted);
}

// Chunks as they lie in the file: a run's log has no counter for them.
void raw_chunk_model(Machine& machine, Call&) {
  machine.note("chunks that are written or read as they are (H5Dwrite_chunk, H5Dread_chunk) are not counted");
}

constexpr NamedModel kHdf5DatasetsModels[] = {
    {"H5Dcreate1", old_create_model},
    {"H5Dcreate2", create_model},
    {"H5Dcreate_anon", nameless_model},
    {"H5Dopen1", open_model<true>},
    {"H5Dopen2", open_model<false>},
    {"H5Dread", transfer_model<false>},
    {"H5Dwrite", transfer_model<true>},
    {"H5Dflush", flush_model},
    {"H5Drefresh", succeeds},
    {"H5Dclose", close_model},
    {"H5Dget_space", space_model},
    {"H5Dget_type", type_model},
    {"H5Dget_create_plist", creation_model},
    {"H5Dget_access_plist", access_list_model},
    {"H5Dget_storage_size", storage_model},
    {"H5Dset_extent", extent_model<false>},
    {"H5Dextend", extent_model<true>},
    {"H5Dvlen_reclaim", succeeds},
    {"H5Treclaim", succeeds},
    {"H5Dwrite_chunk", raw_chunk_model},
    {"H5Dread_chunk", raw_chunk_model},
    {"H5DOwrite_chunk", raw_chunk_model},
    {"H5DOread_chunk", raw_chunk_model},
};

}  // namespace

std::optional<Word> hdf5_create_dataset(Machine& machine, Call& call, const Hdf5Where& where,
                                        const Hdf5NewDataset& wanted) {
  const bool there = machine.world.change_hdf5().node(where.location) != nullptr;
  if (!where.writable || there || cannot_be(wanted) || !hdf5_parents(machine, where, wanted.link)) {
    hdf5_fails(call);
    return std::nullopt;
  }
  Hdf5Node node;
  node.kind = Hdf5Kind::kDataset;
  node.type = wanted.type, node.space = wanted.space, node.list = wanted.creation;
  node.space.selection = {};
  const std::string container = machine.world.files[where.location.first].name;
  node.file = machine.world.file_named(container + ":" + where.location.second);
  File& file = machine.world.files[node.file];
  make_empty(file);
  file.exists = true;
  describe(machine, where.location.first, node, wanted.deprecated);
  machine.access(call, {Operation::kHdf5DatasetOpen, node.file});
  const Word handle = made_handle(machine, where, node);
  machine.world.change_hdf5().nodes[where.location] = std::move(node);
  return handle;
}

std::optional<Word> hdf5_open_dataset(Machine& machine, Call& call, const Hdf5Where& where, bool deprecated) {
  Hdf5Node* node = machine.world.change_hdf5().node(where.location);
  if ((node == nullptr && where.known) || (node != nullptr && node->kind != Hdf5Kind::kDataset)) {
    hdf5_fails(call);
    return std::nullopt;
  }
  const std::string name = machine.world.files[where.location.first].name + ":" + where.location.second;
  if (node == nullptr) {  // of a file that could not be read: it is there, whatever it looks like
    node = &machine.world.change_hdf5().nodes[where.location];
    node->kind = Hdf5Kind::kDataset;
    node->space.cause = node->type.cause = machine.unknown(call.at, "the shape of the dataset " + name).cause;
    node->file = machine.world.file_named(name);
    machine.world.files[node->file].exists = true;
  }
  describe(machine, where.location.first, *node, deprecated);
  machine.access(call, {Operation::kHdf5DatasetOpen, node->file});
  return made_handle(machine, where, *node);
}

void hdf5_close_dataset(Machine& machine, const Call& call, Word handle) {
  const Hdf5Object* dataset = machine.world.hdf5().at(handle);
  if (const Hdf5Node* node = machine.world.change_hdf5().node({dataset->file, dataset->path}))
    machine.access(call, {Operation::kHdf5DatasetClose, node->file});
  machine.world.change_hdf5().close(handle);
}

std::span<const NamedModel> hdf5_dataset_models() { return kHdf5DatasetsModels; }

}  // namespace trikal::predict
