// H5Dread and H5Dwrite: what is selected, and how many bytes of the dataset that is.

#include <algorithm>

#include "predict/models/hdf5.hpp"

namespace trikal::predict {
namespace {

using analyze::PredictedSelection;
using Kind = Hdf5Selection::Kind;
constexpr std::size_t kRecordDimensions = 5;

// Bytes of the dataset before the first element that is selected.
Word first_byte(const Hdf5Space& space, Word element) {
  Word at = 0;
  const Hdf5Box box = space.bounds();
  for (std::size_t d = 0; d < space.extent.size(); ++d) at = at * space.extent[d] + box.low[d];
  return at * element;
}

// Elements that lie together in a dataset that is not in chunks.
Word run_of(const Hdf5Space& space) {
  const Hdf5Selection& selection = space.selection;
  if (selection.kind == Kind::kAll) return space.elements();
  if (selection.kind != Kind::kBlocks || !selection.regular) return 1;
  Word run = 1;
  for (std::size_t d = space.extent.size(); d-- > 0;) {
    const bool one = selection.count[d] == 1 || selection.stride[d] == selection.block[d];
    const Word length = one ? selection.count[d] * selection.block[d] : selection.block[d];
    run *= length;
    if (length != space.extent[d]) break;
  }
  return std::max<Word>(1, run);
}

// What HDF5 moves one by one: chunks as if the selection began with one, or runs of elements.
Word pieces_of(const Hdf5Space& space, const Hdf5List& list) {
  const Hdf5Selection& selection = space.selection;
  if (selection.kind == Kind::kPoints) return selection.points;
  if (selection.kind == Kind::kBlocks && !selection.regular) return selection.boxes.size();
  if (list.chunk.size() != space.extent.size() || list.chunk.empty()) return space.selected() / run_of(space);
  Word pieces = 1;
  const Hdf5Box box = space.bounds();
  for (std::size_t d = 0; d < space.extent.size(); ++d)
    pieces *= (box.high[d] - box.low[d] + list.chunk[d] - 1) / list.chunk[d];
  return std::min(pieces, space.selected());
}

PredictedSelection described(const Hdf5Space& space, const Hdf5List& list, bool whole, bool collective) {
  PredictedSelection out;
  out.kind = PredictedSelection::Kind::kWhole;
  out.collective = collective;
  if (space.why() != kKnown) return out;
  out.pieces = pieces_of(space, list);
  const Hdf5Selection& selection = space.selection;
  if (whole) return out;
  if (selection.kind == Kind::kPoints) out.kind = PredictedSelection::Kind::kPoints;
  if (selection.kind != Kind::kBlocks) return out;
  out.kind = selection.regular ? PredictedSelection::Kind::kRegular : PredictedSelection::Kind::kIrregular;
  const std::size_t rank = selection.start.size();
  const std::size_t first = rank > kRecordDimensions ? rank - kRecordDimensions : 0;
  for (std::size_t i = 0; i < kRecordDimensions && selection.regular; ++i) {
    const std::size_t from = first + kRecordDimensions - 1 - i;
    if (from >= rank) continue;
    out.length[i] = static_cast<std::int64_t>(selection.count[from] * selection.block[from]);
    out.stride[i] = static_cast<std::int64_t>(selection.stride[from]);
  }
  return out;
}

// Whether HDF5 refuses: elements selected outside of a space, or not as many in memory as in the file. The iteration of a loop
// in which that comes out otherwise is not skipped.
bool refused(Machine& machine, const Call& call, const Hdf5Space& space) {
  if (space.why() != kKnown) return false;
  const Hdf5Box box = space.bounds();
  for (std::size_t d = 0; d < space.extent.size(); ++d) machine.compare(call, box.high[d], space.extent[d]);
  return !space.valid();
}

struct Sizes {
  Word elements = 0;
  Cause cause = kKnown;
  bool refused = false;
};
Sizes sizes_of(Machine& machine, const Call& call, const Hdf5Space& space, const std::optional<Hdf5Space>& memory) {
  Sizes sizes{space.selected(), space.why(), refused(machine, call, space)};
  if (!memory) return sizes;
  if (sizes.cause != kKnown && memory->why() == kKnown) sizes.elements = memory->selected();
  sizes.refused = sizes.refused || refused(machine, call, *memory);
  if (sizes.cause == kKnown && memory->why() == kKnown)
    sizes.refused = sizes.refused || memory->selected() != sizes.elements;
  return sizes;
}

void forget_buffer(Machine& machine, const Call& call, const Hdf5Transfer& transfer, Word elements,
                   const std::string& name) {
  if (!transfer.buffer.known() || transfer.buffer.bits == 0) return;
  const bool spread = transfer.memory && transfer.memory->cause == kKnown && !transfer.memory->extent.empty();
  const Word all = spread ? transfer.memory->elements() : elements;
  machine.memory.forget(transfer.buffer.bits, all * std::max<Word>(1, transfer.memory_type.bytes),
                        machine.unknown(call.at, "data read from " + name).cause);
}

}  // namespace

bool hdf5_transfer(Machine& machine, const Call& call, const Hdf5Transfer& transfer) {
  const Hdf5Object dataset = *machine.world.hdf5().at(transfer.dataset);
  const Hdf5Node* node = machine.world.change_hdf5().node({dataset.file, dataset.path});
  if (node == nullptr || (transfer.writes && !dataset.writable)) return false;
  const Hdf5Space space = transfer.file ? *transfer.file : node->space;
  const Sizes sizes = sizes_of(machine, call, space, transfer.memory);
  if (sizes.refused) return false;
  const Word element = dataset.type.bytes, bytes = sizes.elements * element;
  const bool known = sizes.cause == kKnown && dataset.type.cause == kKnown;
  Transfer moved{transfer.writes ? Operation::kHdf5Write : Operation::kHdf5Read, node->file,
                 known ? first_byte(space, element) : 0, bytes, known};
  moved.selection =
      machine.ledger.number_of(described(space, node->list, !transfer.file.has_value(), transfer.collective));
  // Data is followed where it lies together, here and there, and need not be converted.
  const bool plain = known && transfer.memory_type.cause == kKnown && transfer.memory_type.bytes == element &&
                     !dataset.type.variable && dataset.type.kind != Hdf5Class::kVariable &&
                     run_of(space) == sizes.elements &&
                     (!transfer.memory || run_of(*transfer.memory) == transfer.memory->elements());
  std::string data;
  const bool told = transfer.writes && plain && written_data(machine, transfer.buffer, bytes, data);
  if (told) moved.data = &data;
  move_bytes(machine, call, moved);
  if (transfer.writes) return true;
  const File& file = machine.world.files[moved.file];
  std::string content;
  if (plain && transfer.buffer.known() && bytes_of_file(file, moved.offset, bytes, content))
    machine.memory.write(transfer.buffer.bits, content.data(), content.size());
  else forget_buffer(machine, call, transfer, sizes.elements, file.name);
  return true;
}

}  // namespace trikal::predict
