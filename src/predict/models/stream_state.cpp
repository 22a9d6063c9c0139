// What is asked of a stream, and how it is set up: nothing is moved.

#include <cstdio>

#include "predict/models/inlined.hpp"
#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

Opened* stream_at(Machine& machine, const Call& call, std::size_t index) {
  const Value stream = call.argument(index);
  return stream.known() ? machine.world.stream(stream.bits) : nullptr;
}

void feof_model(Machine& machine, Call& call) {
  const Opened* one = stream_at(machine, call, 0);
  call.returns(one != nullptr ? Value::of(Word{one->end_seen})
                              : machine.unknown(call.at, "whether a stream has ended"));
}
void clearerr_model(Machine& machine, Call& call) {
  if (Opened* one = stream_at(machine, call, 0)) one->end_seen = false;
}
// Which way the stream was used last: the numbers of the two names.
template <int Direction>
void direction_model(Machine& machine, Call& call) {
  const Opened* one = stream_at(machine, call, 0);
  call.returns(one != nullptr ? Value::of(Word{machine.world.files[one->file].last_direction == Direction})
                              : machine.unknown(call.at, "what a stream was used for"));
}
void pending_model(Machine& machine, Call& call) {
  call.returns(machine.unknown(call.at, "how much is in the buffer of a stream"));
}
void yes_model(Machine&, Call& call) { call.returns(Value::of(Word{1})); }
void fileno_model(Machine& machine, Call& call) {
  const Opened* one = stream_at(machine, call, 0);
  call.returns(one != nullptr ? Value::of(static_cast<Word>(one->descriptor))
                              : machine.unknown(call.at, "the descriptor of a stream"));
}
// The third argument of setvbuf says whether there is a buffer; setbuf has none where it gets no memory.
void setvbuf_model(Machine& machine, Call& call) {
  const Opened* one = stream_at(machine, call, 0);
  const bool told = call.name == "setvbuf";
  const Value mode = call.argument(told ? 2 : 1);
  if (one == nullptr || !mode.known()) return;
  const Value size = call.argument(told ? 3 : 2);
  if (call.argument(1).known() && call.argument(1).bits != 0)
    set_buffer(machine, *one, call.name == "setbuf" ? BUFSIZ : size.known() ? size.bits : 0);
  const bool none = told ? static_cast<int>(mode.bits) == _IONBF : mode.bits == 0;
  std::uint16_t& flags = machine.world.files[one->file].flags;
  flags = static_cast<std::uint16_t>(none ? flags | analyze::kUseUnbuffered : flags & ~analyze::kUseUnbuffered);
}

constexpr NamedModel kStreamStateModels[] = {
    {"feof", feof_model},
    {"ferror", succeeds},
    {"clearerr", clearerr_model},
    {"__freading", direction_model<1>},
    {"__fwriting", direction_model<2>},
    {"__freadable", yes_model},
    {"__fwritable", yes_model},
    {"__fpending", pending_model},
    {"__fsetlocking", succeeds},
    {"__fpurge", succeeds},
    {"fpurge", succeeds},
    {"flockfile", succeeds},
    {"funlockfile", succeeds},
    {"ftrylockfile", succeeds},
    {"fileno", fileno_model},
    {"setvbuf", setvbuf_model},
    {"setbuf", setvbuf_model},
    {"setbuffer", setvbuf_model},
    {"setlinebuf", succeeds},
};

}  // namespace

std::span<const NamedModel> stream_state_models() { return kStreamStateModels; }

}  // namespace trikal::predict
