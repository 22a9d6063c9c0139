// The machine and its users: a program is told what it would be told here.

#include <grp.h>
#include <pwd.h>
#include <sched.h>
#include <sys/auxv.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "predict/models/libc.hpp"
#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

void put_text(Machine& machine, Word address, const char* text) {
  machine.memory.store(address, 8, Value::of(text == nullptr ? 0 : lasting_text(machine, text)));
}

// A name into a buffer of a given size.
void fill_name(Machine& machine, Call& call, const std::string& name) {
  if (const Value none = first_unknown(call, 2); !none.known()) return call.returns(none);
  if (name.size() + 1 > call.argument(1).bits) return fail(machine, call, ENAMETOOLONG);
  machine.memory.write(call.argument(0).bits, name.c_str(), name.size() + 1);
}
void gethostname_model(Machine& machine, Call& call) {
  utsname told{};
  ::uname(&told);
  fill_name(machine, call, told.nodename);
}
void getdomainname_model(Machine& machine, Call& call) {
  utsname told{};
  ::uname(&told);
  fill_name(machine, call, told.domainname);
}
void uname_model(Machine& machine, Call& call) {
  utsname told{};
  ::uname(&told);
  if (call.argument(0).known()) machine.memory.write(call.argument(0).bits, &told, sizeof told);
}

void put_person(Machine& machine, Word where, const passwd& person) {
  machine.memory.write(where, &person, sizeof person);
  put_text(machine, where + offsetof(passwd, pw_name), person.pw_name);
  put_text(machine, where + offsetof(passwd, pw_passwd), person.pw_passwd);
  put_text(machine, where + offsetof(passwd, pw_gecos), person.pw_gecos);
  put_text(machine, where + offsetof(passwd, pw_dir), person.pw_dir);
  put_text(machine, where + offsetof(passwd, pw_shell), person.pw_shell);
}
void put_group(Machine& machine, Word where, const group& one) {
  machine.memory.write(where, &one, sizeof one);
  put_text(machine, where + offsetof(group, gr_name), one.gr_name);
  put_text(machine, where + offsetof(group, gr_passwd), one.gr_passwd);
  std::size_t members = 0;
  while (one.gr_mem != nullptr && one.gr_mem[members] != nullptr) ++members;
  const Word table = machine.world.take(8 * (members + 1));
  for (std::size_t i = 0; i <= members; ++i)
    put_text(machine, table + 8 * i, one.gr_mem == nullptr ? nullptr : one.gr_mem[i]);
  machine.memory.store(where + offsetof(group, gr_mem), 8, Value::of(table));
}

// By number or by name; false: what is asked for is not known.
template <class Entry>
bool look_up(Machine& machine, Call& call, Entry* (*by_number)(unsigned), Entry* (*by_name)(const char*),
             Entry*& found) {
  std::string name;
  if (by_number != nullptr && call.argument(0).known())
    return found = by_number(static_cast<unsigned>(call.argument(0).bits)), true;
  if (by_name != nullptr && text_argument(machine, call, 0, name)) return found = by_name(name.c_str()), true;
  call.returns(machine.unknown(call.at, "a user or a group"));
  return false;
}
template <class Entry, Entry* (*ByNumber)(unsigned), Entry* (*ByName)(const char*),
          void (*Put)(Machine&, Word, const Entry&), Word Address>
void entry_model(Machine& machine, Call& call) {
  Entry* found = nullptr;
  if (!look_up<Entry>(machine, call, ByNumber, ByName, found)) return;
  if (found == nullptr) return call.returns(Value::of(Word{0}));
  Put(machine, Address, *found);
  call.returns(Value::of(Address));
}
// What was asked, where it goes, a buffer, its size, where the answer is told.
template <class Entry, Entry* (*ByNumber)(unsigned), Entry* (*ByName)(const char*),
          void (*Put)(Machine&, Word, const Entry&)>
void entry_r_model(Machine& machine, Call& call) {
  Entry* found = nullptr;
  if (!look_up<Entry>(machine, call, ByNumber, ByName, found)) return;
  const Value to = call.argument(1), told = call.argument(4);
  if (found != nullptr && to.known()) Put(machine, to.bits, *found);
  if (told.known()) machine.memory.store(told.bits, 8, found != nullptr ? to : Value::of(Word{0}));
}

void getlogin_model(Machine& machine, Call& call) {
  const char* name = ::getlogin();
  call.returns(Value::of(name == nullptr ? 0 : lasting_text(machine, name)));
}

template <auto Function>
void number_model(Machine&, Call& call) {
  call.returns(Value::of(static_cast<Word>(Function())));
}

void affinity_model(Machine& machine, Call& call) {
  const Value size = call.argument(1), where = call.argument(2);
  if (!size.known() || !where.known()) return call.returns(machine.unknown(call.at, "processors of the program"));
  cpu_set_t set;
  CPU_ZERO(&set);
  ::sched_getaffinity(0, sizeof set, &set);
  machine.memory.fill(where.bits, std::min<Word>(size.bits, 1 << 16), 0);
  machine.memory.write(where.bits, &set, std::min<std::size_t>(sizeof set, size.bits));
}
void count_set_model(Machine& machine, Call& call) {
  if (const Value none = first_unknown(call, 2); !none.known()) return call.returns(none);
  std::string bytes(std::min<Word>(call.argument(0).bits, 1 << 16), '\0');
  if (!machine.memory.read(call.argument(1).bits, bytes.data(), bytes.size()))
    return call.returns(machine.unknown(call.at, "processors of the program"));
  Word count = 0;
  for (const char byte : bytes) count += static_cast<Word>(std::popcount(static_cast<unsigned char>(byte)));
  call.returns(Value::of(count));
}
void make_set_model(Machine& machine, Call& call) {
  const Value count = call.argument(0);
  call.returns(count.known() ? Value::of(machine.world.take((count.bits + 63) / 64 * 8)) : count);
}
void free_set_model(Machine& machine, Call& call) {
  if (call.argument(0).known()) machine.world.give_back(call.argument(0).bits);
}

void sysinfo_model(Machine& machine, Call& call) {
  const Value where = call.argument(0);
  struct sysinfo told{};
  ::sysinfo(&told);
  if (!where.known()) return;
  const Cause cause = machine.unknown(call.at, "how busy the machine is").cause;
  machine.memory.forget(where.bits, sizeof told, cause);
  machine.memory.store(where.bits + offsetof(struct sysinfo, totalram), 8, Value::of(Word{told.totalram}));
  machine.memory.store(where.bits + offsetof(struct sysinfo, totalswap), 8, Value::of(Word{told.totalswap}));
  machine.memory.store(where.bits + offsetof(struct sysinfo, mem_unit), 4, Value::of(Word{told.mem_unit}));
}

// --- Numbers that nobody knows before

void unknown_bytes(Machine& machine, Call& call, Word returned) {
  const Value to = call.argument(0), bytes = call.argument(1);
  if (to.known() && bytes.known())
    machine.memory.forget(to.bits, bytes.bits, machine.unknown(call.at, "random bytes").cause);
  call.returns(Value::of(returned));
}
void getrandom_model(Machine& machine, Call& call) { unknown_bytes(machine, call, call.argument(1).bits); }
void getentropy_model(Machine& machine, Call& call) { unknown_bytes(machine, call, 0); }
void arc4random_model(Machine& machine, Call& call) { call.returns(machine.unknown(call.at, "a random number")); }
void load_model(Machine& machine, Call& call) {
  if (call.argument(0).known() && call.argument(1).known())
    machine.memory.forget(call.argument(0).bits, 8 * std::min<Word>(call.argument(1).bits, 3),
                          machine.unknown(call.at, "how busy the machine is").cause);
  call.returns(call.argument(1));
}
void busy_model(Machine& machine, Call& call) { call.returns(machine.unknown(call.at, "how busy the machine is")); }

void auxiliary_model(Machine& machine, Call& call) {
  const Value which = call.argument(0);
  if (!which.known()) return call.returns(which);
  if (which.bits == AT_PAGESZ || which.bits == AT_CLKTCK || which.bits == AT_HWCAP || which.bits == AT_HWCAP2 ||
      which.bits == AT_UID || which.bits == AT_EUID || which.bits == AT_GID || which.bits == AT_SECURE)
    return call.returns(Value::of(::getauxval(which.bits)));
  call.returns(machine.unknown(call.at, "what getauxval says"));
}

constexpr NamedModel kSystemModels[] = {
    {"gethostname", gethostname_model},
    {"getdomainname", getdomainname_model},
    {"uname", uname_model},
    {"getpwuid", entry_model<passwd, ::getpwuid, nullptr, put_person, kPerson>},
    {"getpwnam", entry_model<passwd, nullptr, ::getpwnam, put_person, kPerson>},
    {"getgrgid", entry_model<group, ::getgrgid, nullptr, put_group, kGroup>},
    {"getgrnam", entry_model<group, nullptr, ::getgrnam, put_group, kGroup>},
    {"getpwuid_r", entry_r_model<passwd, ::getpwuid, nullptr, put_person>},
    {"getpwnam_r", entry_r_model<passwd, nullptr, ::getpwnam, put_person>},
    {"getgrgid_r", entry_r_model<group, ::getgrgid, nullptr, put_group>},
    {"getgrnam_r", entry_r_model<group, nullptr, ::getgrnam, put_group>},
    {"endpwent", succeeds},
    {"endgrent", succeeds},
    {"getlogin", getlogin_model},
    {"getuid", number_model<::getuid>},
    {"geteuid", number_model<::geteuid>},
    {"getgid", number_model<::getgid>},
    {"getegid", number_model<::getegid>},
    {"gethostid", number_model<::gethostid>},
    {"get_nprocs", number_model<::get_nprocs>},
    {"get_nprocs_conf", number_model<::get_nprocs_conf>},
    {"get_phys_pages", number_model<::get_phys_pages>},
    {"get_avphys_pages", busy_model},
    {"getpagesize", number_model<::getpagesize>},
    {"getdtablesize", number_model<::getdtablesize>},
    {"sched_getaffinity", affinity_model},
    {"sched_setaffinity", succeeds},
    {"sched_getcpu", busy_model},
    {"__sched_cpucount", count_set_model},
    {"__sched_cpualloc", make_set_model},
    {"__sched_cpufree", free_set_model},
    {"sysinfo", sysinfo_model},
    {"getloadavg", load_model},
    {"getrandom", getrandom_model},
    {"getentropy", getentropy_model},
    {"arc4random", arc4random_model},
    {"arc4random_uniform", arc4random_model},
    {"arc4random_buf", getentropy_model},
    {"getauxval", auxiliary_model},
};

}  // namespace

std::span<const NamedModel> system_models() { return kSystemModels; }

}  // namespace trikal::predict
