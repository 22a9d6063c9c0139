// Communicators, datatypes and parcels: what calls of MPI have in common.

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <cmath>

#include "predict/models/libc.hpp"
#include "predict/models/mpi.hpp"

namespace trikal::predict {
namespace {

constexpr Word kWorld = 0x7461696d, kSelf = 0x7461696c;  // what Open MPI's objects hold here
constexpr Word kMostBytes = Word{1} << 24;               // of a message that is followed

bool has_global(const llvm::Module& module, std::string_view beginning) {
  return std::ranges::any_of(module.globals(), [&](const llvm::GlobalVariable& one) {
    return one.getName().starts_with(llvm::StringRef(beginning.data(), beginning.size()));
  });
}

const llvm::Module& module_of(Machine& machine) { return *machine.stack.frames.back()->code->ir->getParent(); }

Communicator everybody(const Machine& machine) {
  Communicator all;
  all.id = 1, all.mine = machine.setting.rank;
  for (int rank = 0; rank < machine.setting.ranks; ++rank) all.ranks.push_back(rank);
  return all;
}

}  // namespace

MpiState& mpi_of(Machine& machine) {
  if (machine.mpi) return *machine.mpi;
  machine.mpi = std::make_shared<MpiState>();
  const llvm::Module& module = module_of(machine);
  machine.mpi->open_mpi = has_global(module, "ompi_") || has_global(module, "mpi_fortran_");
  machine.mpi->communicators[kWorld] = everybody(machine);
  Communicator self;
  self.id = Word{1} << 32 | static_cast<Word>(machine.setting.rank), self.ranks = {machine.setting.rank};
  machine.mpi->communicators[kSelf] = self;
  return *machine.mpi;
}

Communicator* communicator_at(Machine& machine, Value handle) {
  if (!handle.known()) return nullptr;
  MpiState& mpi = mpi_of(machine);
  if (const auto found = mpi.communicators.find(handle.bits); found != mpi.communicators.end()) return &found->second;
  Word what = 0;
  if (lowest(handle.bits, 32) == 0x44000000) what = kWorld;
  else if (lowest(handle.bits, 32) == 0x44000001) what = kSelf;
  else what = machine.memory.load(handle.bits, 8).bits;
  return what == kWorld || what == kSelf ? &mpi.communicators[what] : nullptr;
}

bool alone(Machine& machine, Value communicator) {
  const Communicator* one = communicator_at(machine, communicator);
  return one != nullptr && one->ranks.size() == 1 && machine.setting.ranks > 1;
}

void put_number(Machine& machine, Value where, Word value) {
  if (where.known() && where.bits > 1) machine.memory.store(where.bits, 4, Value::of(value));
}

bool followed(Machine& machine, const Communicator* communicator) {
  if (communicator != nullptr && communicator->ranks.size() == 1 && machine.setting.meeting != nullptr) return true;
  if (machine.setting.meeting == nullptr) return false;
  if (communicator == nullptr || machine.forks.depth() > 0) return machine.setting.meeting->inexact = true, false;
  return true;
}

TypeLayout layout_of(Machine& machine, Value type) {
  if (!type.known()) return {{}, 1, false};
  const MpiState& mpi = mpi_of(machine);
  if (const auto found = mpi.layouts.find(type.bits); found != mpi.layouts.end()) return found->second;
  const Word bytes = type_bytes(machine, type);
  return {{{0, bytes}}, bytes, true};
}

Parcel pack(Machine& machine, Value address, Value count, Value type) {
  Parcel parcel;
  const TypeLayout layout = layout_of(machine, type);
  if (!address.known() || !count.known() || !layout.known) {
    parcel.unknown = "a message of which not all is known";
    parcel.bytes = count.known() ? count.bits * type_bytes(machine, type) : 0;
    return parcel;
  }
  parcel.bytes = count.bits * type_bytes(machine, type);
  if (parcel.bytes > kMostBytes) {
    parcel.unknown = "a message of more than 16 MiB";
    return parcel;
  }
  for (Word i = 0; i < count.bits; ++i) {
    for (const auto& [offset, bytes] : layout.pieces) {
      const Word from = address.bits + i * layout.extent + static_cast<Word>(offset);
      for (Word at = 0; at < bytes; at += 8) {
        const auto here = static_cast<unsigned>(std::min<Word>(8, bytes - at));
        const Value word = machine.memory.load(from + at, here);
        if (!word.known()) parcel.unknown = machine.causes[word.cause].what;
        if (word.doubt != 0) parcel.doubt = machine.causes[machine.doubts.cause_of(word.doubt)].what;
        for (unsigned k = 0; k < here; ++k) parcel.data.push_back(static_cast<std::uint8_t>(word.bits >> (8 * k)));
      }
    }
  }
  for (const Value& one : {address, count, type})
    if (one.doubt != 0) parcel.doubt = machine.causes[machine.doubts.cause_of(one.doubt)].what;
  if (const Doubt now = machine.doubts.now(); now != 0)
    parcel.doubt = machine.causes[machine.doubts.cause_of(now)].what;
  return parcel;
}

void unpack(Machine& machine, const Call& call, Value address, Word count, Value type, const Parcel& parcel) {
  if (!address.known()) return machine.executor.store_somewhere(address);
  const TypeLayout layout = layout_of(machine, type);
  const Word bytes = std::min(parcel.bytes, count * type_bytes(machine, type));
  if (!parcel.unknown.empty() || !layout.known) {
    const Cause cause = machine.unknown(call.at, "a message: " + parcel.unknown).cause;
    if (bytes > 0) machine.memory.forget(address.bits, std::max(bytes, count * layout.extent), cause);
    return;
  }
  if (!parcel.doubt.empty()) machine.assume(call, parcel.doubt);
  Word taken = 0;
  for (Word i = 0; i < count && taken < bytes; ++i) {
    for (const auto& [offset, size] : layout.pieces) {
      const Word here = std::min(size, bytes - taken);
      if (here == 0) break;
      machine.memory.write(address.bits + i * layout.extent + static_cast<Word>(offset), parcel.data.data() + taken,
                           here);
      taken += here;
    }
  }
}

void assume_there(Machine& machine, const Call& call, Value address, Word count, Value type) {
  Parcel mine = pack(machine, address, Value::of(count), type);
  if (mine.doubt.empty()) mine.doubt = "a message of a rank that is not followed";
  unpack(machine, call, address, count, type, mine);
}

void put_status(Machine& machine, Value where, int source, int tag, Word bytes) {
  if (!where.known() || where.bits <= 1) return;
  const bool open = mpi_of(machine).open_mpi;
  const Word numbers = where.bits + (open ? 0 : 8);
  const auto put = [&](Word at, std::int64_t value) {
    machine.memory.store(at, 4, Value::of(lowest(static_cast<Word>(value), 32)));
  };
  put(numbers, source), put(numbers + 4, tag), put(numbers + 8, 0);
  if (open) machine.memory.store(where.bits + 16, 8, Value::of(bytes));
  else machine.memory.store(where.bits, 8, Value::of(bytes));
}

std::optional<Word> bytes_in_status(Machine& machine, Value where) {
  if (!where.known() || where.bits <= 1) return std::nullopt;
  const Value bytes = machine.memory.load(where.bits + (mpi_of(machine).open_mpi ? 16 : 0), 8);
  return bytes.known() ? std::optional(bytes.bits) : std::nullopt;
}

bool shares_buffer(Machine& machine, Value address) {
  if (!address.known()) return false;
  if (address.bits == 1 || address.bits == ~Word{0}) return true;
  const llvm::Module& module = module_of(machine);
  for (const auto& [name, offset] : {std::pair("mpi_fortran_in_place_", 0), std::pair("mpipriv1_", 4)})
    if (const llvm::GlobalVariable* one = module.getNamedGlobal(name))
      if (address.bits == machine.decoder.address_of(*one) + static_cast<Word>(offset)) return true;
  return false;
}

void publish(Machine& machine) {
  Meeting& meeting = *machine.setting.meeting;
  for (const File& file : machine.world.files)
    if (!file.standard && !file.original && file.exists && !file.name.starts_with("<")) {
      SharedFile& shared = meeting.files[file.name];
      if (!shared.exists || file.size >= shared.size) shared.content = file.content;
      shared.size = std::max(shared.size, file.size), shared.exists = true;
    }
  for (const auto& [location, node] : machine.world.hdf5().nodes)
    meeting.left[machine.world.files[location.first].name][location.second] = node;
  for (const auto& [file, content] : machine.world.netcdf().left)
    meeting.left_netcdf[machine.world.files[file].name] = content;
}

namespace {

void take_over(Machine& machine) {
  const Meeting& meeting = *machine.setting.meeting;
  for (const auto& [name, shared] : meeting.files) {
    File& file = machine.world.files[machine.world.file_named(name)];
    if (file.exists && file.size >= shared.size) continue;
    file.exists = true, file.size = shared.size, file.content = shared.content, file.original = false;
    file.size_known = true;
  }
  machine.setting.left = meeting.left, machine.setting.left_netcdf = meeting.left_netcdf;
}

}  // namespace

void wait_for_others(Machine& machine, Call& call, const std::function<bool()>& ready) {
  Meeting& meeting = *machine.setting.meeting;
  without_pattern(machine, call,
                  ++mpi_of(machine).next_handle);  // what others send may change: no iteration is skipped
  publish(machine);
  if (meeting.wait(machine.setting.rank, ready, std::string(call.name) + " at " + machine.where(call)))
    return take_over(machine);
  for (const std::string& one : meeting.deadlock())
    machine.note((meeting.inexact ? "messages do not match where loops were guessed: " : "deadlock: ") + one);
  machine.complete = false;
  machine.leave(1);
}

std::shared_ptr<Meeting::Together> meet(Machine& machine, Call& call, Communicator& communicator, Contribution mine) {
  if (!followed(machine, &communicator)) return nullptr;
  Meeting& meeting = *machine.setting.meeting;
  const std::pair key(communicator.id, communicator.calls++);
  std::shared_ptr<Meeting::Together>& there = meeting.together[key];
  if (!there) there = std::make_shared<Meeting::Together>();
  std::shared_ptr<Meeting::Together> all = there;
  mine.call = call.name;
  all->all[communicator.mine] = std::move(mine);
  wait_for_others(machine, call, [&] { return all->all.size() == communicator.ranks.size(); });
  for (const auto& [rank, one] : all->all)
    if (one.call != call.name)
      machine.stop(call, "ranks call " + std::string(call.name) + " and " + one.call + " together");
  if (++all->taken == all->all.size()) meeting.together.erase(key);
  return all;
}

}  // namespace trikal::predict
