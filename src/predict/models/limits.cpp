// Limits: those of this machine, and those that the program sets for itself.

#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>

#include "predict/models/libc.hpp"
#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

constexpr Word kLimits = kLibc + 2048;  // three words each: whether it was set, the soft one, the hard one
constexpr Word kLimitBytes = 24;

// What of the machine changes while it is used is not known.
void sysconf_model(Machine& machine, Call& call) {
  const Value name = call.argument(0);
  if (!name.known()) return call.returns(name);
  const auto what = static_cast<int>(name.bits);
  if (what == _SC_AVPHYS_PAGES) return call.returns(machine.unknown(call.at, "how busy the machine is"));
  without_pattern(machine, call, name.bits);
  errno = 0;
  const long value = ::sysconf(what);
  if (value < 0 && errno != 0) return fail(machine, call, errno, 64);
  call.returns(Value::of(static_cast<Word>(value)));
}

void getrlimit_model(Machine& machine, Call& call) {
  const Value which = call.argument(0), where = call.argument(1);
  if (!which.known() || !where.known()) return call.returns(machine.unknown(call.at, "a limit"));
  if (which.bits >= RLIM_NLIMITS) return fail(machine, call, EINVAL);
  const Word address = kLimits + kLimitBytes * which.bits;
  if (machine.memory.load(address, 8).bits != 0) return machine.memory.copy(where.bits, address + 8, 16);
  rlimit told{};
  ::getrlimit(static_cast<__rlimit_resource>(which.bits), &told);
  machine.memory.write(where.bits, &told, sizeof told);
}

void setrlimit_model(Machine& machine, Call& call) {
  const Value which = call.argument(0), where = call.argument(1);
  if (!which.known() || !where.known() || which.bits >= RLIM_NLIMITS) return;
  const Word address = kLimits + kLimitBytes * which.bits;
  machine.memory.store(address, 8, Value::of(Word{1}));
  machine.memory.copy(address + 8, where.bits, 16);
  const Value most = machine.memory.load(where.bits, 8);
  if (which.bits == RLIMIT_FSIZE && most.known()) machine.world.largest_file = most.bits;
}

void confstr_model(Machine& machine, Call& call) {
  if (const Value none = first_unknown(call, 3); !none.known()) return call.returns(none);
  std::string text(4096, '\0');
  const std::size_t size = ::confstr(static_cast<int>(call.argument(0).bits), text.data(), text.size());
  const Word capacity = call.argument(2).bits;
  if (call.argument(1).bits != 0 && capacity > 0 && size > 0) {
    text.resize(std::min<std::size_t>({size - 1, capacity - 1, text.size()}));
    machine.memory.write(call.argument(1).bits, text.c_str(), text.size() + 1);
  }
  call.returns(Value::of(Word{size}));
}

constexpr NamedModel kLimitsModels[] = {
    {"sysconf", sysconf_model},     {"__sysconf", sysconf_model},
    {"getrlimit", getrlimit_model}, {"getrlimit64", getrlimit_model},
    {"setrlimit", setrlimit_model}, {"setrlimit64", setrlimit_model},
    {"confstr", confstr_model},     {"getpriority", succeeds},
    {"setpriority", succeeds},      {"nice", succeeds},
};

}  // namespace

std::span<const NamedModel> limit_models() { return kLimitsModels; }

}  // namespace trikal::predict
