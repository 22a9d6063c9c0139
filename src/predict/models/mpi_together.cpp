// MPI's calls that all ranks of a communicator make together.

#include <algorithm>
#include <cstring>

#include "predict/models/mpi.hpp"

namespace trikal::predict {
namespace {

using Together = std::shared_ptr<Meeting::Together>;
Value number(Word value) { return Value::of(value); }
int number_of(Value value) { return static_cast<int>(with_sign(value.bits, 32)); }

// The numbers of an array of ints, one for each rank.
std::vector<Word> numbers_at(Machine& machine, Value where, std::size_t count) {
  std::vector<Word> all(count, 0);
  for (std::size_t i = 0; i < count && where.known(); ++i) all[i] = machine.memory.load(where.bits + 4 * i, 4).bits;
  return all;
}

Value at_offset(Machine& machine, Value address, Word elements, Value type) {
  if (address.known()) address.bits += elements * layout_of(machine, type).extent;
  return address;
}

const Contribution* of(const Together& all, int rank) {
  const auto found = all->all.find(rank);
  return found == all->all.end() ? nullptr : &found->second;
}

void barrier_model(Machine& machine, Call& call) {
  if (Communicator* const communicator = communicator_at(machine, call.argument(0)))
    (void)meet(machine, call, *communicator, {});
}

void broadcast_model(Machine& machine, Call& call) {
  const Value address = call.argument(0), count = call.argument(1), type = call.argument(2), root = call.argument(3);
  Communicator* const communicator = communicator_at(machine, call.argument(4));
  const bool known = communicator != nullptr && root.known();
  const bool own = known && number_of(root) == communicator->mine;
  Together all;
  if (known) {
    Contribution mine;
    if (own) mine.parcel = pack(machine, address, count, type);
    all = meet(machine, call, *communicator, std::move(mine));
  }
  if (own) return;
  const Contribution* from = all ? of(all, number_of(root)) : nullptr;
  if (from != nullptr && count.known()) unpack(machine, call, address, count.bits, type, from->parcel);
  else assume_there(machine, call, address, count.known() ? count.bits : 0, type);
}

// Element by element, from the first rank to the last of `ranks`.
Parcel reduced(Machine& machine, const Together& all, int first, int last, Value operation, Value type,
               std::size_t skip = 0) {
  Parcel out;
  const Word bytes = type_bytes(machine, type);
  for (int rank = first; rank <= last; ++rank) {
    const Parcel& one = of(all, rank)->parcel;
    if (!one.unknown.empty()) out.unknown = one.unknown;
    if (!one.doubt.empty()) out.doubt = one.doubt;
    if (rank == first) out.data = one.data, out.bytes = one.bytes;
    if (rank == first || !out.unknown.empty()) continue;
    if (bytes == 0 || bytes > 8 || one.data.size() != out.data.size()) out.unknown = "a reduction that is not followed";
    for (std::size_t at = skip; out.unknown.empty() && at + bytes <= out.data.size(); at += bytes) {
      Word a = 0, b = 0;
      std::memcpy(&a, out.data.data() + at, bytes);
      std::memcpy(&b, one.data.data() + at, bytes);
      const std::optional<Word> both = combined(machine, operation, type, a, b);
      if (both) std::memcpy(out.data.data() + at, &*both, bytes);
      else out.unknown = "a reduction that is not followed";
    }
  }
  return out;
}

struct Reducing {
  Value from, to, count, type, operation;
};
Together bring(Machine& machine, Call& call, const Reducing& what, Communicator* communicator) {
  if (communicator == nullptr) return nullptr;
  Contribution mine;
  mine.parcel = pack(machine, shares_buffer(machine, what.from) ? what.to : what.from, what.count, what.type);
  return meet(machine, call, *communicator, std::move(mine));
}

// Of ranks that are not followed: as if each had what this one has, and in doubt.
void assume_reduced(Machine& machine, Call& call, const Reducing& what) {
  if (!what.count.known()) return machine.forget_behind(call, what.to, "a reduction that is not followed");
  if (!shares_buffer(machine, what.from) && what.from.known() && what.to.known())
    machine.memory.copy(what.to.bits, what.from.bits, what.count.bits * type_bytes(machine, what.type));
  assume_there(machine, call, what.to, what.count.bits, what.type);
}

void reduce_model(Machine& machine, Call& call) {
  const Reducing what{call.argument(0), call.argument(1), call.argument(2), call.argument(3), call.argument(4)};
  const Value root = call.argument(5);
  Communicator* const communicator = communicator_at(machine, call.argument(6));
  const Together all = bring(machine, call, what, communicator);
  if (!all || !root.known()) return assume_reduced(machine, call, what);
  if (communicator->mine != number_of(root) || !what.count.known()) return;
  unpack(machine, call, what.to, what.count.bits, what.type,
         reduced(machine, all, 0, static_cast<int>(communicator->ranks.size()) - 1, what.operation, what.type));
}

void all_reduce_model(Machine& machine, Call& call) {
  const Reducing what{call.argument(0), call.argument(1), call.argument(2), call.argument(3), call.argument(4)};
  Communicator* const communicator = communicator_at(machine, call.argument(5));
  const Together all = bring(machine, call, what, communicator);
  if (!all || !what.count.known()) return assume_reduced(machine, call, what);
  int last = static_cast<int>(communicator->ranks.size()) - 1;
  if (call.name == "MPI_Scan") last = communicator->mine;
  if (call.name == "MPI_Exscan") last = communicator->mine - 1;
  if (last >= 0)
    unpack(machine, call, what.to, what.count.bits, what.type,
           reduced(machine, all, 0, last, what.operation, what.type));
}

// Where what one rank gives goes in the buffer of who gets it.
struct Positions {
  std::vector<Word> counts, offsets;
};
Positions positions(Machine& machine, Value counts, Value offsets, std::size_t ranks, bool listed) {
  if (listed) return {numbers_at(machine, counts, ranks), numbers_at(machine, offsets, ranks)};
  Positions out;
  for (std::size_t i = 0; i < ranks; ++i) out.counts.push_back(counts.bits), out.offsets.push_back(i * counts.bits);
  return out;
}

void forget_received(Machine& machine, const Call& call, Value to) {
  if (!to.known()) return machine.executor.store_somewhere(to);
  machine.forget_behind(call, to, "a message of a rank that is not followed");
}

// Gather, Gatherv, Allgather, Allgatherv: from each rank to one, or to all.
void gather_model(Machine& machine, Call& call) {
  const bool listed = call.name.ends_with("v"), everybody = call.name.find("Allgather") != std::string_view::npos;
  const std::size_t next = listed ? 6 : 5;
  const Value from = call.argument(0), to = call.argument(3), type = call.argument(next);
  Communicator* const communicator = communicator_at(machine, call.argument(next + (everybody ? 1 : 2)));
  const Value root = everybody ? number(0) : call.argument(next + 1);
  Together all;
  if (communicator != nullptr && root.known()) {
    const bool gets = everybody || communicator->mine == number_of(root);
    const std::size_t ranks = communicator->ranks.size(), mine = static_cast<std::size_t>(communicator->mine);
    const Positions at = gets ? positions(machine, call.argument(4), call.argument(5), ranks, listed) : Positions{};
    Contribution own;
    if (gets && shares_buffer(machine, from))
      own.parcel = pack(machine, at_offset(machine, to, at.offsets[mine], type), number(at.counts[mine]), type);
    else own.parcel = pack(machine, from, call.argument(1), call.argument(2));
    all = meet(machine, call, *communicator, std::move(own));
    if (all && !gets) return;
    for (std::size_t rank = 0; all && rank < ranks; ++rank)
      unpack(machine, call, at_offset(machine, to, at.offsets[rank], type), at.counts[rank], type,
             of(all, static_cast<int>(rank))->parcel);
  }
  if (!all) forget_received(machine, call, to);
}

// Scatter, Scatterv: from one rank to each.
void scatter_model(Machine& machine, Call& call) {
  const bool listed = call.name.ends_with("v");
  const std::size_t shift = listed ? 1 : 0;
  const Value from = call.argument(0), type = call.argument(2 + shift), to = call.argument(3 + shift);
  const Value count = call.argument(4 + shift), to_type = call.argument(5 + shift), root = call.argument(6 + shift);
  Communicator* const communicator = communicator_at(machine, call.argument(7 + shift));
  Together all;
  if (communicator != nullptr && root.known()) {
    Contribution own;
    const std::size_t ranks = communicator->ranks.size();
    if (communicator->mine == number_of(root)) {
      const Positions at = positions(machine, call.argument(1), call.argument(2), ranks, listed);
      for (std::size_t rank = 0; rank < ranks; ++rank)
        own.parts.push_back(
            pack(machine, at_offset(machine, from, at.offsets[rank], type), number(at.counts[rank]), type));
    }
    all = meet(machine, call, *communicator, std::move(own));
  }
  if (!all) return forget_received(machine, call, to);
  const Contribution* giver = of(all, number_of(root));
  if (giver != nullptr && !shares_buffer(machine, to) && count.known() && !giver->parts.empty())
    unpack(machine, call, to, count.bits, to_type, giver->parts[static_cast<std::size_t>(communicator->mine)]);
}

// Alltoall, Alltoallv: from each to each.
void exchange_model(Machine& machine, Call& call) {
  const bool listed = call.name.ends_with("v");
  const Value from = call.argument(0), type = call.argument(listed ? 3 : 2), to = call.argument(listed ? 4 : 3);
  const Value to_type = call.argument(listed ? 7 : 5);
  Communicator* const communicator = communicator_at(machine, call.argument(listed ? 8 : 6));
  Together all;
  if (communicator != nullptr && !shares_buffer(machine, from)) {
    const std::size_t ranks = communicator->ranks.size();
    const Positions giving = positions(machine, call.argument(1), call.argument(2), ranks, listed);
    Contribution own;
    for (std::size_t rank = 0; rank < ranks; ++rank)
      own.parts.push_back(
          pack(machine, at_offset(machine, from, giving.offsets[rank], type), number(giving.counts[rank]), type));
    const Positions getting = positions(machine, call.argument(listed ? 5 : 4), call.argument(6), ranks, listed);
    all = meet(machine, call, *communicator, std::move(own));
    for (std::size_t rank = 0; all && rank < ranks; ++rank)
      unpack(machine, call, at_offset(machine, to, getting.offsets[rank], to_type), getting.counts[rank], to_type,
             of(all, static_cast<int>(rank))->parts[static_cast<std::size_t>(communicator->mine)]);
  }
  if (!all) forget_received(machine, call, to);
}

constexpr NamedModel kTogetherModels[] = {
    {"MPI_Barrier", barrier_model},      {"MPI_Bcast", broadcast_model},    {"MPI_Reduce", reduce_model},
    {"MPI_Allreduce", all_reduce_model}, {"MPI_Scan", all_reduce_model},    {"MPI_Exscan", all_reduce_model},
    {"MPI_Gather", gather_model},        {"MPI_Gatherv", gather_model},     {"MPI_Allgather", gather_model},
    {"MPI_Allgatherv", gather_model},    {"MPI_Scatter", scatter_model},    {"MPI_Scatterv", scatter_model},
    {"MPI_Alltoall", exchange_model},    {"MPI_Alltoallv", exchange_model},
};

}  // namespace

std::span<const NamedModel> mpi_together_models() { return kTogetherModels; }

}  // namespace trikal::predict
