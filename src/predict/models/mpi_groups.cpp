// MPI's communicators: who is in them, and grids of ranks. What all ranks make together has the same number for each.

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <cmath>

#include "predict/models/mpi.hpp"

namespace trikal::predict {
namespace {

constexpr std::int64_t kUndefined = -32766;
std::int64_t signed_of(Value value) { return with_sign(value.bits, 32); }

void rank_model(Machine& machine, Call& call) {
  if (const Communicator* one = communicator_at(machine, call.argument(0)))
    return put_number(machine, call.argument(1), static_cast<Word>(one->mine));
  machine.forget_behind(call, call.argument(1), "the rank in a communicator that is not followed");
}
void size_model(Machine& machine, Call& call) {
  if (const Communicator* one = communicator_at(machine, call.argument(0)))
    return put_number(machine, call.argument(1), static_cast<Word>(one->ranks.size()));
  machine.forget_behind(call, call.argument(1), "the size of a communicator that is not followed");
}

// A handle as wide as those of the MPI in question: numbers, or addresses of nothing.
void put_communicator(Machine& machine, const Call& call, Value where, Communicator made) {
  constexpr Word kNumbers = 0x84000000, kAddresses = Word{1} << 46;
  if (!where.known()) return machine.executor.store_somewhere(where);
  MpiState& mpi = mpi_of(machine);
  const bool number = call.argument(0).bits >> 32 == 0;
  const Word next = mpi.next_handle++ & 0xffffff, handle = number ? kNumbers + next : kAddresses + 64 * next;
  mpi.communicators[handle] = std::move(made);
  machine.memory.store(where.bits, number ? 4 : 8, Value::of(handle));
}
void put_no_communicator(Machine& machine, const Call& call, Value where) {
  const bool number = call.argument(0).bits >> 32 == 0;
  const llvm::Module& module = *machine.stack.frames.back()->code->ir->getParent();
  const llvm::GlobalVariable* null = module.getNamedGlobal("ompi_mpi_comm_null");
  const Word none = null != nullptr                       ? machine.decoder.address_of(*null)
                    : number && !mpi_of(machine).open_mpi ? 0x04000000
                                                          : 2;
  if (where.known()) machine.memory.store(where.bits, number ? 4 : 8, Value::of(none));
}

Word number_for(Machine& machine, std::vector<std::int64_t> made_of) {
  auto& all = machine.setting.meeting->communicators;
  const Word next = all.size() + 2;
  return all.try_emplace(std::move(made_of), next).first->second;
}

// All ranks say their color and key; those of one color become a communicator, in the order of their keys.
void split(Machine& machine, Call& call, std::int64_t color, std::int64_t key, Value where) {
  Communicator* const parent = communicator_at(machine, call.argument(0));
  std::shared_ptr<Meeting::Together> all;
  const Word before = parent != nullptr ? parent->calls : 0;
  if (parent != nullptr) {
    Contribution mine;
    mine.numbers = {color, key};
    all = meet(machine, call, *parent, std::move(mine));
  }
  if (!all) return machine.forget_behind(call, where, "a communicator that is not followed");
  if (color == kUndefined) return put_no_communicator(machine, call, where);
  std::vector<std::pair<std::int64_t, int>> order;
  for (const auto& [rank, one] : all->all)
    if (one.numbers[0] == color) order.emplace_back(one.numbers[1], rank);
  std::ranges::sort(order);
  Communicator made;
  made.id = number_for(machine, {static_cast<std::int64_t>(parent->id), static_cast<std::int64_t>(before), color});
  for (const auto& [its_key, rank] : order) {
    if (rank == parent->mine) made.mine = static_cast<int>(made.ranks.size());
    made.ranks.push_back(parent->ranks[static_cast<std::size_t>(rank)]);
  }
  put_communicator(machine, call, where, std::move(made));
}

void split_model(Machine& machine, Call& call) {
  const Value color = call.argument(1), key = call.argument(2), where = call.argument(3);
  if (color.known() && key.known() && color.doubt == 0)
    return split(machine, call, signed_of(color), signed_of(key), where);
  if (machine.setting.meeting != nullptr) machine.setting.meeting->inexact = true;
  machine.forget_behind(call, where, "a communicator that is not followed");
}
// All ranks share one machine, as far as a prediction knows.
void split_type_model(Machine& machine, Call& call) {
  machine.assume(call, "that all ranks run on one machine");
  split(machine, call, 0, call.argument(2).known() ? signed_of(call.argument(2)) : 0, call.argument(4));
}
void duplicate_model(Machine& machine, Call& call) { split(machine, call, 0, 0, call.arguments.back()); }

// --- Grids.

// Factors as even as they can be, the largest first, where nobody has said what they are.
void sides_model(Machine& machine, Call& call) {
  const Value nodes = call.argument(0), count = call.argument(1), where = call.argument(2);
  if (!nodes.known() || !count.known() || !where.known() || count.bits > 8)
    return machine.forget_behind(call, where, "the sides of a grid");
  std::vector<Word> sides, open;
  Word left = lowest(nodes.bits, 32);
  for (Word i = 0; i < count.bits; ++i) {
    sides.push_back(machine.memory.load(where.bits + 4 * i, 4).bits);
    if (sides.back() == 0) open.push_back(i);
    else left /= sides.back();
  }
  if (open.size() > 2)  // MPIs differ
    return machine.forget_behind(call, where, "the sides of a grid of more than two dimensions");
  if (open.size() == 1) sides[open[0]] = left;
  if (open.size() == 2) {
    auto shorter = static_cast<Word>(std::sqrt(static_cast<double>(left)));
    while (shorter > 1 && left % shorter != 0) --shorter;
    sides[open[0]] = left / shorter, sides[open[1]] = shorter;
  }
  for (Word i = 0; i < count.bits; ++i) machine.memory.store(where.bits + 4 * i, 4, Value::of(sides[i]));
}

std::vector<int> numbers_at(Machine& machine, Value where, Word count) {
  std::vector<int> all;
  for (Word i = 0; i < std::min<Word>(count, 8) && where.known(); ++i)
    all.push_back(static_cast<int>(with_sign(machine.memory.load(where.bits + 4 * i, 4).bits, 32)));
  return all;
}

void grid_model(Machine& machine, Call& call) {
  const Value count = call.argument(1), where = call.argument(5);
  Communicator* const parent = communicator_at(machine, call.argument(0));
  if (parent == nullptr || !count.known()) return machine.forget_behind(call, where, "a grid that is not followed");
  const std::vector<int> sides = numbers_at(machine, call.argument(2), count.bits);
  std::size_t size = 1;
  for (const int side : sides) size *= static_cast<std::size_t>(std::max(side, 0));
  const bool inside = static_cast<std::size_t>(parent->mine) < size;
  split(machine, call, inside ? 0 : kUndefined, parent->mine, where);
  const Value handle =
      where.known() ? machine.memory.load(where.bits, call.argument(0).bits >> 32 == 0 ? 4 : 8) : where;
  Communicator* const made = handle.known() ? communicator_at(machine, handle) : nullptr;
  if (made == nullptr || !inside) return;
  made->sides = sides, made->periodic = numbers_at(machine, call.argument(3), count.bits);
}

std::vector<int> position_of(const Communicator& grid, int rank) {
  std::vector<int> position(grid.sides.size());
  for (std::size_t i = position.size(); i-- > 0; rank /= grid.sides[i]) position[i] = rank % grid.sides[i];
  return position;
}
// -1: there is none.
int rank_at(const Communicator& grid, std::vector<int> position) {
  int rank = 0;
  for (std::size_t i = 0; i < grid.sides.size(); ++i) {
    const int side = grid.sides[i];
    if (grid.periodic[i] != 0) position[i] = (position[i] % side + side) % side;
    if (position[i] < 0 || position[i] >= side) return -1;
    rank = rank * side + position[i];
  }
  return rank;
}

Communicator* grid_of(Machine& machine, Call& call) {
  Communicator* const grid = communicator_at(machine, call.argument(0));
  if (grid != nullptr && !grid->sides.empty() && grid->periodic.size() == grid->sides.size() &&
      std::ranges::find(grid->sides, 0) == grid->sides.end())
    return grid;
  for (std::size_t i = 1; i < call.arguments.size(); ++i)
    machine.forget_behind(call, call.arguments[i], "a grid that is not followed");
  return nullptr;
}
void put_numbers(Machine& machine, Value where, const std::vector<int>& numbers) {
  for (std::size_t i = 0; i < numbers.size() && where.known(); ++i)
    machine.memory.store(where.bits + 4 * i, 4,
                         Value::of(lowest(static_cast<Word>(static_cast<std::int64_t>(numbers[i])), 32)));
}
void position_model(Machine& machine, Call& call) {
  const Communicator* const grid = grid_of(machine, call);
  if (grid != nullptr && call.argument(1).known())
    put_numbers(machine, call.argument(3), position_of(*grid, static_cast<int>(signed_of(call.argument(1)))));
}
void rank_at_model(Machine& machine, Call& call) {
  const Communicator* const grid = grid_of(machine, call);
  if (grid != nullptr)
    put_numbers(machine, call.argument(2), {rank_at(*grid, numbers_at(machine, call.argument(1), grid->sides.size()))});
}
void grid_get_model(Machine& machine, Call& call) {
  const Communicator* const grid = grid_of(machine, call);
  if (grid == nullptr) return;
  put_numbers(machine, call.argument(2), grid->sides), put_numbers(machine, call.argument(3), grid->periodic);
  put_numbers(machine, call.argument(4), position_of(*grid, grid->mine));
}
void shift_model(Machine& machine, Call& call) {
  const Communicator* const grid = grid_of(machine, call);
  if (grid == nullptr || !call.argument(1).known() || !call.argument(2).known()) return;
  const auto direction = static_cast<std::size_t>(signed_of(call.argument(1)));
  if (direction >= grid->sides.size()) return;
  const int nobody = mpi_of(machine).open_mpi ? -2 : -1;
  std::vector<int> from = position_of(*grid, grid->mine), to = from;
  from[direction] -= static_cast<int>(signed_of(call.argument(2)));
  to[direction] += static_cast<int>(signed_of(call.argument(2)));
  const auto told = [&](std::vector<int> position) {
    const int rank = rank_at(*grid, std::move(position));
    return rank < 0 ? nobody : rank;
  };
  put_numbers(machine, call.argument(3), {told(from)}), put_numbers(machine, call.argument(4), {told(to)});
}

constexpr NamedModel kGroupModels[] = {
    {"MPI_Comm_rank", rank_model},       {"MPI_Comm_size", size_model},
    {"MPI_Comm_split", split_model},     {"MPI_Comm_split_type", split_type_model},
    {"MPI_Comm_dup", duplicate_model},   {"MPI_Comm_free", succeeds},
    {"MPI_Dims_create", sides_model},    {"MPI_Cart_create", grid_model},
    {"MPI_Cart_coords", position_model}, {"MPI_Cart_rank", rank_at_model},
    {"MPI_Cart_get", grid_get_model},    {"MPI_Cart_shift", shift_model},
};

}  // namespace

std::span<const NamedModel> mpi_group_models() { return kGroupModels; }

}  // namespace trikal::predict
