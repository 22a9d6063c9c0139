// Throwing and catching, as the C++ ABI has it, and the exceptions of the library.

#include "predict/models/cpp_exceptions.hpp"

#include <array>

#include "predict/models/cpp.hpp"
#include "predict/models/list.hpp"

namespace trikal::predict {
namespace {

// Before the exception: its type, destructor, the object that the handler sees, handlers that have it (negative: one has thrown
// it again), those that keep it, the exception that was being handled before.
constexpr Word kHead = 64, kType = 64, kDestructor = 56, kSeen = 48, kHandlers = 40, kKeepers = 32, kBefore = 24;
constexpr Word kCaught = (Word{1} << 47) + (Word{1} << 33), kUncaught = kCaught + 8;

Word get(const Machine& machine, Word address) { return machine.memory.load(address, 8).bits; }
void set(Machine& machine, Word address, Word value) { machine.memory.store(address, 8, Value::of(value)); }

Word make(Machine& machine, Word bytes) {
  const Word exception = machine.world.take(kHead + bytes) + kHead;
  for (Word at = 8; at <= kHead; at += 8) set(machine, exception - at, 0);
  return exception;
}
[[noreturn]] void launch(Machine& machine, const Call& call, Word exception) {
  set(machine, kUncaught, get(machine, kUncaught) + 1);
  machine.unwinder.raise(call, exception);
}

void release(Machine& machine, const Call& call, Word exception) {
  const Word keepers = get(machine, exception - kKeepers) - 1;
  set(machine, exception - kKeepers, keepers);
  if (keepers != 0) return;
  const Value self[] = {Value::of(exception)};
  if (const Word destructor = get(machine, exception - kDestructor); destructor != 0)
    machine.invoke(destructor, self, call);
  machine.world.give_back(exception - kHead);
}

void allocate_model(Machine& machine, Call& call) {
  call.returns(Value::of(make(machine, call.argument(0).known() ? call.argument(0).bits : 128)));
}
void free_model(Machine& machine, Call& call) {
  if (call.argument(0).known()) machine.world.give_back(call.argument(0).bits - kHead);
}
void throw_model(Machine& machine, Call& call) {  // exception, type, destructor
  const Word exception = call.argument(0).bits;
  if (!call.argument(0).known()) return machine.stop(call, "an exception that is not known is thrown");
  set(machine, exception - kType, call.argument(1).bits);
  set(machine, exception - kDestructor, call.argument(2).bits);
  set(machine, exception - kKeepers, 1);
  launch(machine, call, exception);
}
void begin_catch_model(Machine& machine, Call& call) {
  const Word exception = call.argument(0).bits;
  const auto handlers = static_cast<std::int64_t>(get(machine, exception - kHandlers));
  set(machine, exception - kHandlers, static_cast<Word>((handlers < 0 ? -handlers : handlers) + 1));
  if (get(machine, kUncaught) != 0) set(machine, kUncaught, get(machine, kUncaught) - 1);
  if (get(machine, kCaught) != exception) {
    set(machine, exception - kBefore, get(machine, kCaught));
    set(machine, kCaught, exception);
  }
  call.returns(Value::of(get(machine, exception - kSeen)));
}
void end_catch_model(Machine& machine, Call& call) {
  const Word exception = get(machine, kCaught);
  if (exception == 0) return;
  auto handlers = static_cast<std::int64_t>(get(machine, exception - kHandlers));
  const bool again = handlers < 0;  // it is on its way to another handler, and lives on
  handlers += again ? 1 : -1;
  set(machine, exception - kHandlers, static_cast<Word>(handlers));
  if (handlers != 0) return;
  set(machine, kCaught, get(machine, exception - kBefore));
  if (!again) release(machine, call, exception);
}
void rethrow_model(Machine& machine, Call& call) {
  const Word exception = get(machine, kCaught);
  if (exception == 0) machine.terminate(call, "throw; without an exception");
  set(machine, exception - kHandlers,
      static_cast<Word>(-static_cast<std::int64_t>(get(machine, exception - kHandlers))));
  launch(machine, call, exception);
}
void seen_model(Machine& machine, Call& call) { call.returns(Value::of(get(machine, call.argument(0).bits - kSeen))); }
void terminate_model(Machine& machine, Call& call) { machine.terminate(call, "std::terminate is called"); }
void uncaught_model(Machine& machine, Call& call) { call.returns(Value::of(get(machine, kUncaught))); }

// std::exception_ptr: a pointer that keeps the exception.
void keep(Machine& machine, Word exception) {
  if (exception != 0) set(machine, exception - kKeepers, get(machine, exception - kKeepers) + 1);
}
void current_model(Machine& machine, Call& call) {  // where the result goes
  const Word exception = get(machine, kCaught);
  keep(machine, exception);
  if (call.argument(0).known()) set(machine, call.argument(0).bits, exception);
}
void copy_pointer_model(Machine& machine, Call& call) {
  const Word exception = get(machine, call.argument(1).bits);
  keep(machine, exception);
  set(machine, call.argument(0).bits, exception);
}
void add_keeper_model(Machine& machine, Call& call) { keep(machine, get(machine, call.argument(0).bits)); }
void drop_keeper_model(Machine& machine, Call& call) {
  const Word exception = get(machine, call.argument(0).bits);
  if (exception != 0) release(machine, call, exception);
  set(machine, call.argument(0).bits, 0);
}
void nested_model(Machine& machine, Call& call) {  // std::nested_exception: a table, and such a pointer
  call.arguments.at(0).bits += 8;
  if (call.argument(0).known()) drop_keeper_model(machine, call);
}
void rethrow_pointer_model(Machine& machine, Call& call) {
  const Word exception = call.argument(0).known() ? get(machine, call.argument(0).bits) : 0;
  if (exception == 0) machine.terminate(call, "std::rethrow_exception without an exception");
  keep(machine, exception);
  launch(machine, call, exception);
}

constexpr NamedModel kCppExceptionsModels[] = {
    {"__cxa_allocate_exception", allocate_model},
    {"__cxa_free_exception", free_model},
    {"__cxa_throw", throw_model},
    {"__cxa_begin_catch", begin_catch_model},
    {"__cxa_end_catch", end_catch_model},
    {"__cxa_rethrow", rethrow_model},
    {"__cxa_get_exception_ptr", seen_model},
    {"_ZSt9terminatev", terminate_model},
    {"__cxa_call_unexpected", terminate_model},
    {"_ZSt19uncaught_exceptionsv", uncaught_model},
    {"_ZSt18uncaught_exceptionv", uncaught_model},
    {"_ZSt17current_exceptionv", current_model},
    {"_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE", rethrow_pointer_model},
    {"_ZNSt15__exception_ptr13exception_ptrC1ERKS0_", copy_pointer_model},
    {"_ZNSt15__exception_ptr13exception_ptrC2ERKS0_", copy_pointer_model},
    {"_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv", add_keeper_model},
    {"_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv", drop_keeper_model},
    {"_ZNSt16nested_exceptionD1Ev", nested_model},
    {"_ZNSt16nested_exceptionD2Ev", nested_model},
    {"_ZNSt15__exception_ptr13exception_ptrD1Ev", drop_keeper_model},
    {"_ZNSt15__exception_ptr13exception_ptrD2Ev", drop_keeper_model},
};

}  // namespace

std::string type_of_exception(const Machine& machine, Word exception) {
  const std::string name = machine.decoder.name_at(machine.memory.load(exception - kType, 8).bits);
  return name.starts_with("_ZTI") ? name.substr(4) : name;
}

void keep_caught(Machine& machine, Word exception, Word object) {
  machine.memory.store(exception - kSeen, 8, Value::of(object));
}

void throw_standard(Machine& machine, const Call& call, const std::string& type, const std::string& text) {
  constexpr Word kBytes = 64, kText = 8;
  const Word exception = make(machine, kBytes);
  set(machine, exception, cpp_table_of(machine, ("_ZTV" + type).c_str()));
  const Word copy = machine.world.take(text.size() + 1);
  machine.memory.write(copy, text.c_str(), text.size() + 1);
  set(machine, exception + kText, copy);
  set(machine, exception + 2 * kText, 0);
  set(machine, exception - kType, machine.decoder.address_of_named("_ZTI" + type));
  // The nearest destructor that frees the text: those of derived classes do nothing else that would be seen.
  set(machine, exception - kDestructor, machine.decoder.address_of_named("_ZNSt13runtime_errorD1Ev"));
  set(machine, exception - kKeepers, 1);
  launch(machine, call, exception);
}

std::span<const NamedModel> cpp_exception_models() { return kCppExceptionsModels; }

}  // namespace trikal::predict
