// What is said of errors. libc writes such messages by ways of its own, which a run does not observe: nothing is counted
// for them, but programs end there.

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "predict/models/libc.hpp"
#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

void strerror_model(Machine& machine, Call& call) {
  const Value number = call.argument(0);
  if (!number.known()) return call.returns(number);
  without_pattern(machine, call, number.bits);
  follows(machine, call, lasting_text(machine, ::strerror(static_cast<int>(number.bits))));
}
// GNU's leaves the buffer alone where the text is known.
void gnu_strerror_r_model(Machine& machine, Call& call) { strerror_model(machine, call); }
void posix_strerror_r_model(Machine& machine, Call& call) {
  if (const Value none = first_unknown(call, 3); !none.known()) return call.returns(none);
  const std::string text = ::strerror(static_cast<int>(call.argument(0).bits));
  without_pattern(machine, call, call.argument(0).bits);
  const Word capacity = call.argument(2).bits;
  if (capacity == 0) return call.returns(Value::of(Word{ERANGE}));
  const std::string kept = text.substr(0, std::min<std::size_t>(text.size(), capacity - 1));
  machine.memory.write(call.argument(1).bits, kept.c_str(), kept.size() + 1);
  const bool unknown = text.starts_with("Unknown error");
  call.returns(Value::of(static_cast<Word>(kept.size() < text.size() ? ERANGE : unknown ? EINVAL : 0)));
}

template <const char* (*Name)(int)>
void name_model(Machine& machine, Call& call) {
  const Value number = call.argument(0);
  if (!number.known()) return call.returns(number);
  const char* name = Name(static_cast<int>(number.bits));
  follows(machine, call, name == nullptr ? 0 : lasting_text(machine, name));
}
const char* signal_text(int number) { return ::strsignal(number); }

void err_model(Machine& machine, Call& call) {
  const Value code = call.argument(0);
  end_program(machine, call, code.known() ? static_cast<int>(code.bits & 0xff) : 1, true);
}
// Ends the program where its status is not zero.
void error_model(Machine& machine, Call& call) {
  const Value status = call.argument(0);
  const llvm::GlobalVariable* count = call.at.ir->getModule()->getNamedGlobal("error_message_count");
  if (count != nullptr) {
    const Word address = machine.decoder.address_of(*count);
    const Value before = machine.memory.load(address, 4);
    if (before.known()) machine.put(call, address, 4, Value::of(lowest(before.bits + 1, 32)));
  }
  if (!status.known()) return machine.note("a program that may end with error(), by a status that is not known");
  if (lowest(status.bits, 32) != 0) end_program(machine, call, static_cast<int>(status.bits & 0xff), true);
}

constexpr NamedModel kMessagesModels[] = {
    {"strerror", strerror_model},
    {"strerror_r", gnu_strerror_r_model},
    {"__xpg_strerror_r", posix_strerror_r_model},
    {"strerrorname_np", name_model<::strerrorname_np>},
    {"strerrordesc_np", name_model<::strerrordesc_np>},
    {"strsignal", name_model<signal_text>},
    {"sigabbrev_np", name_model<::sigabbrev_np>},
    {"sigdescr_np", name_model<::sigdescr_np>},
    {"perror", succeeds},
    {"psignal", succeeds},
    {"warn", succeeds},
    {"warnx", succeeds},
    {"vwarn", succeeds},
    {"vwarnx", succeeds},
    {"err", err_model},
    {"errx", err_model},
    {"verr", err_model},
    {"verrx", err_model},
    {"error", error_model},
    {"error_at_line", error_model},
    {"openlog", succeeds},
    {"closelog", succeeds},
    {"syslog", succeeds},
    {"vsyslog", succeeds},
};

}  // namespace

std::span<const NamedModel> message_models() { return kMessagesModels; }

}  // namespace trikal::predict
