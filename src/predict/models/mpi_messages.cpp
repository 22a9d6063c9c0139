// MPI's messages from one rank to another: what is sent is what is received, whoever comes first.

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "predict/models/mpi.hpp"

namespace trikal::predict {
namespace {

int number_of(Value value) { return static_cast<int>(with_sign(value.bits, 32)); }

// Numbers that say "nobody" and "anybody", which the two MPIs have the other way round.
bool is_nobody(Machine& machine, int rank) { return rank == (mpi_of(machine).open_mpi ? -2 : -1); }
bool is_anybody(Machine& machine, int rank) { return rank == (mpi_of(machine).open_mpi ? -1 : -2); }

struct Sending {
  Value address, count, type, to, tag;
};
void send(Machine& machine, Call& call, const Sending& what, Value where) {
  Communicator* const communicator = communicator_at(machine, where);
  if (!followed(machine, communicator)) return;
  if (!what.to.known() || !what.tag.known()) {
    machine.setting.meeting->inexact = true;
    return machine.note("a message goes to a rank that is not known, at " + machine.where(call));
  }
  const int to = number_of(what.to);
  if (is_nobody(machine, to)) return;
  if (to < 0 || static_cast<std::size_t>(to) >= communicator->ranks.size())
    return machine.stop(call, "a message goes to rank " + std::to_string(to) + ", which there is not,");
  machine.wrote_text(call, ++mpi_of(machine).next_handle, 0);  // each message is another one
  Parcel parcel = pack(machine, what.address, what.count, what.type);
  if (what.to.doubt != 0) parcel.doubt = machine.causes[machine.doubts.cause_of(what.to.doubt)].what;
  const std::pair box(communicator->id, communicator->ranks[static_cast<std::size_t>(to)]);
  machine.setting.meeting->messages[box].push_back({communicator->mine, number_of(what.tag), std::move(parcel)});
}

// The first message that fits; the end: there is none yet.
std::deque<Message>::iterator fitting(Machine& machine, std::deque<Message>& box, int source, int tag) {
  const bool any = is_anybody(machine, source);
  return std::ranges::find_if(
      box, [&](const Message& one) { return (any || one.source == source) && (tag == -1 || one.tag == tag); });
}

// Takes the message that this waits for, once it is there.
Message await_message(Machine& machine, Call& call, Communicator& communicator, int source, int tag, bool take = true) {
  const std::pair name(communicator.id, machine.setting.rank);
  std::deque<Message>& box = machine.setting.meeting->messages[name];
  const auto there = [&] { return fitting(machine, box, source, tag) != box.end(); };
  if (there()) machine.wrote_text(call, ++mpi_of(machine).next_handle, 0);
  else wait_for_others(machine, call, there);
  const auto found = fitting(machine, box, source, tag);
  Message message = *found;
  if (take) box.erase(found);
  // Who comes first is chance, if there are others.
  if (is_anybody(machine, source) && communicator.ranks.size() > 2) {
    message.parcel.doubt = "which rank's message comes first";
    machine.assume(call, message.parcel.doubt);
  }
  return message;
}

struct Receiving {
  Value address, count, type, from, tag, status;
};
void receive(Machine& machine, Call& call, const Receiving& what, Value where) {
  Communicator* const communicator = communicator_at(machine, where);
  const bool known = what.from.known() && what.tag.known() && what.count.known();
  if (known && is_nobody(machine, number_of(what.from)))
    return put_status(machine, what.status, number_of(what.from), -1, 0);
  if (!known || !followed(machine, communicator)) {
    const Word count = what.count.known() ? what.count.bits : 0;
    if (what.address.known() && count > 0)
      machine.memory.forget(what.address.bits, count * layout_of(machine, what.type).extent,
                            machine.unknown(call.at, "a message of a rank that is not followed").cause);
    if (machine.setting.meeting != nullptr) machine.setting.meeting->inexact = true;
    return machine.forget_behind(call, what.status, "a message of a rank that is not followed");
  }
  const Message message = await_message(machine, call, *communicator, number_of(what.from), number_of(what.tag));
  unpack(machine, call, what.address, what.count.bits, what.type, message.parcel);
  put_status(machine, what.status, message.source, message.tag, message.parcel.bytes);
}

void send_model(Machine& machine, Call& call) {
  send(machine, call, {call.argument(0), call.argument(1), call.argument(2), call.argument(3), call.argument(4)},
       call.argument(5));
}
void receive_model(Machine& machine, Call& call) {
  receive(machine, call,
          {call.argument(0), call.argument(1), call.argument(2), call.argument(3), call.argument(4), call.argument(6)},
          call.argument(5));
}
void send_receive_model(Machine& machine, Call& call) {
  const Value where = call.argument(10);
  send(machine, call, {call.argument(0), call.argument(1), call.argument(2), call.argument(3), call.argument(4)},
       where);
  receive(machine, call,
          {call.argument(5), call.argument(6), call.argument(7), call.argument(8), call.argument(9), call.argument(11)},
          where);
}
void replace_model(Machine& machine, Call& call) {
  const Value a = call.argument(0), n = call.argument(1), type = call.argument(2), where = call.argument(7);
  send(machine, call, {a, n, type, call.argument(3), call.argument(4)}, where);
  receive(machine, call, {a, n, type, call.argument(5), call.argument(6), call.argument(8)}, where);
}

// Handles of requests are numbers of ours, as wide as those of the MPI in question.
void put_request(Machine& machine, const Call& call, Value where, PendingRequest request) {
  constexpr Word kFirst = 0x98000000;
  if (!where.known()) return machine.executor.store_somewhere(where);
  MpiState& mpi = mpi_of(machine);
  const bool number = call.argument(5).known() && call.argument(5).bits >> 32 == 0;
  request.width = number ? 4 : 8;
  const Word handle = kFirst + (mpi.next_handle++ & 0xffffff);
  mpi.requests[handle] = std::move(request);
  machine.memory.store(where.bits, mpi.requests[handle].width, Value::of(handle));
}
void start_send_model(Machine& machine, Call& call) {
  send_model(machine, call);
  put_request(machine, call, call.argument(6), {});
}
void start_receive_model(Machine& machine, Call& call) {
  const Communicator* const communicator = communicator_at(machine, call.argument(5));
  const bool known =
      call.argument(0).known() && call.argument(1).known() && call.argument(3).known() && call.argument(4).known();
  if (!known || !followed(machine, communicator)) {
    receive(machine, call,
            {call.argument(0), call.argument(1), call.argument(2), call.argument(3), call.argument(4), Value{}},
            call.argument(5));
    return put_request(machine, call, call.argument(6), {});
  }
  PendingRequest request;
  request.receives = true, request.communicator = communicator->id;
  request.address = call.argument(0).bits, request.count = call.argument(1).bits, request.type = call.argument(2);
  request.source = number_of(call.argument(3)), request.tag = number_of(call.argument(4));
  put_request(machine, call, call.argument(6), request);
}

Communicator* by_number(Machine& machine, Word id) {
  for (auto& [handle, one] : mpi_of(machine).communicators)
    if (one.id == id) return &one;
  return nullptr;
}

// A request that is over is as the null request; whether there was one.
bool finish(Machine& machine, Call& call, Value where, Value status) {
  if (!where.known()) return false;
  const Value handle = machine.memory.load(where.bits, 4);
  MpiState& mpi = mpi_of(machine);
  const auto found = handle.known() ? mpi.requests.find(handle.bits) : mpi.requests.end();
  if (found == mpi.requests.end()) return false;
  const PendingRequest request = found->second;
  mpi.requests.erase(found);
  const llvm::Module& module = *machine.stack.frames.back()->code->ir->getParent();
  const llvm::GlobalVariable* null = module.getNamedGlobal("ompi_request_null");
  const Word none = null != nullptr ? machine.decoder.address_of(*null) : mpi.open_mpi ? 0 : 0x2c000000;
  machine.memory.store(where.bits, request.width, Value::of(none));
  if (!request.receives) return true;
  Communicator* const communicator = by_number(machine, request.communicator);
  if (is_nobody(machine, request.source)) return put_status(machine, status, request.source, -1, 0), true;
  if (!followed(machine, communicator)) {
    assume_there(machine, call, Value::of(request.address), request.count, request.type);
    return true;
  }
  const Message message = await_message(machine, call, *communicator, request.source, request.tag);
  unpack(machine, call, Value::of(request.address), request.count, request.type, message.parcel);
  put_status(machine, status, message.source, message.tag, message.parcel.bytes);
  return true;
}

Word status_bytes(Machine& machine) { return mpi_of(machine).open_mpi ? 24 : 20; }

void finish_all(Machine& machine, Call& call, Value count, Value requests, Value statuses) {
  constexpr Word kMost = 1 << 16;
  if (!count.known() || !requests.known()) return;
  const Value first = machine.memory.load(requests.bits, 4);
  const auto& pending = mpi_of(machine).requests;
  const auto found = first.known() ? pending.find(first.bits) : pending.end();
  const Word width = found != pending.end() ? found->second.width : mpi_of(machine).open_mpi ? 8 : 4;
  for (Word i = 0; i < std::min(count.bits, kMost); ++i) {
    const bool told = statuses.known() && statuses.bits > 1;
    finish(machine, call, Value::of(requests.bits + i * width),
           told ? Value::of(statuses.bits + i * status_bytes(machine)) : Value::of(Word{0}));
  }
}

void wait_model(Machine& machine, Call& call) { finish(machine, call, call.argument(0), call.argument(1)); }
void wait_all_model(Machine& machine, Call& call) {
  finish_all(machine, call, call.argument(0), call.argument(1), call.argument(2));
}
// How often a program asks until a message is there is chance: here it is there the first time.
void test_model(Machine& machine, Call& call) {
  finish(machine, call, call.argument(0), call.argument(2));
  machine.assume(call, "when a message comes");
  put_number(machine, call.argument(1), 1);
}
void test_all_model(Machine& machine, Call& call) {
  finish_all(machine, call, call.argument(0), call.argument(1), call.argument(3));
  machine.assume(call, "when a message comes");
  put_number(machine, call.argument(2), 1);
}
// Which of several comes first is chance, too: here the first of them.
void wait_any_model(Machine& machine, Call& call) {
  const Value count = call.argument(0), requests = call.argument(1);
  if (!count.known() || !requests.known()) return;
  const Word width = mpi_of(machine).open_mpi ? 8 : 4;
  for (Word i = 0; i < count.bits; ++i) {
    if (!finish(machine, call, Value::of(requests.bits + i * width), call.argument(3))) continue;
    machine.assume(call, "which message comes first");
    return put_number(machine, call.argument(2), i);
  }
  put_number(machine, call.argument(2), lowest(static_cast<Word>(-32766), 32));
}
void probe_model(Machine& machine, Call& call) {
  Communicator* const communicator = communicator_at(machine, call.argument(2));
  if (!followed(machine, communicator) || !call.argument(0).known() || !call.argument(1).known())
    return machine.forget_behind(call, call.argument(3), "a message of a rank that is not followed");
  const Message message =
      await_message(machine, call, *communicator, number_of(call.argument(0)), number_of(call.argument(1)), false);
  put_status(machine, call.argument(3), message.source, message.tag, message.parcel.bytes);
}
void look_model(Machine& machine, Call& call) {
  if (call.argument(3).known())
    machine.memory.forget(call.argument(3).bits, 4, machine.unknown(call.at, "whether a message has come").cause);
  if (machine.setting.meeting != nullptr) machine.setting.meeting->inexact = true;
}

constexpr NamedModel kMessageModels[] = {
    {"MPI_Send", send_model},           {"MPI_Ssend", send_model},
    {"MPI_Bsend", send_model},          {"MPI_Rsend", send_model},
    {"MPI_Recv", receive_model},        {"MPI_Sendrecv", send_receive_model},
    {"MPI_Isend", start_send_model},    {"MPI_Issend", start_send_model},
    {"MPI_Irecv", start_receive_model}, {"MPI_Sendrecv_replace", replace_model},
    {"MPI_Wait", wait_model},           {"MPI_Waitall", wait_all_model},
    {"MPI_Waitany", wait_any_model},    {"MPI_Test", test_model},
    {"MPI_Testall", test_all_model},    {"MPI_Probe", probe_model},
    {"MPI_Iprobe", look_model},
};

}  // namespace

std::span<const NamedModel> mpi_message_models() { return kMessageModels; }

}  // namespace trikal::predict
