// Dates. A time that is fixed has the date it has; of a time by the clock the fields are not known before the run, but
// texts made of them have the lengths they always have.

#include <sys/resource.h>
#include <sys/times.h>
#include <unistd.h>

#include <cstring>
#include <ctime>

#include "predict/models/libc.hpp"
#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

constexpr Word kSecond = 1'000'000'000;
constexpr std::string_view kByTheClock = "the date and time of the run";
// struct tm has four bytes between its numbers and tm_gmtoff that nobody uses: a time by the clock stays there.
constexpr Word kFieldBytes = 32, kHidden = 36, kZone = offsetof(tm, tm_zone);

// The zone that the program has: TZ may have been set by it.
class Zone {
 public:
  Zone(Machine& machine, const Call& call) {
    const std::optional<std::string> wanted = variable_of(machine, call, "TZ");  // else what everybody has here
    if (const char* here = std::getenv("TZ")) before_ = here;
    changed_ = wanted && wanted != before_;
    if (changed_) set(wanted);
    else tzset();
  }
  ~Zone() {
    if (changed_) set(before_);
  }
  Zone(const Zone&) = delete;
  Zone& operator=(const Zone&) = delete;

 private:
  static void set(const std::optional<std::string>& zone) {
    if (zone) setenv("TZ", zone->c_str(), 1);
    else unsetenv("TZ");
    tzset();
  }
  std::optional<std::string> before_;
  bool changed_ = false;
};

// Times near the clock of the prediction came from it.
bool by_the_clock(const Machine& machine, Word seconds) {
  constexpr Word kNear = 1'000'000;
  const Word now = machine.world.ticks / kSecond;
  return seconds + kNear > now && seconds < now + kNear;
}

void put_calendar(Machine& machine, const Call& call, Word where, const tm& calendar, Word clock) {
  machine.memory.write(where, &calendar, kHidden);
  machine.memory.store(where + kHidden, 4, Value::of(clock));
  machine.memory.store(where + offsetof(tm, tm_gmtoff), 8, Value::of(static_cast<Word>(calendar.tm_gmtoff)));
  const std::string zone = calendar.tm_zone != nullptr ? calendar.tm_zone : "";
  machine.memory.store(where + kZone, 8, Value::of(lasting_text(machine, zone)));
  if (clock != 0) machine.memory.forget(where, kFieldBytes, machine.unknown(call.at, kByTheClock).cause);
}

struct Date {
  tm calendar{};
  std::string zone;
  bool known = true;     // all of its fields
  Word clock = 0;        // it was made of this time by the clock
};

Date date_at(Machine& machine, Word where) {
  Date date;
  date.clock = lowest(machine.memory.load(where + kHidden, 4).bits, 32);
  date.known = machine.memory.read(where, &date.calendar, kHidden);
  if (!date.known) {
    const auto time = static_cast<time_t>(date.clock != 0 ? date.clock : machine.world.ticks / kSecond);
    gmtime_r(&time, &date.calendar);
  }
  const Value offset = machine.memory.load(where + offsetof(tm, tm_gmtoff), 8);
  const Value name = machine.memory.load(where + kZone, 8);
  date.calendar.tm_gmtoff = offset.known() ? static_cast<long>(offset.bits) : 0;
  date.calendar.tm_zone = nullptr;
  if (name.known() && name.bits != 0 && machine.memory.text(name.bits, date.zone))
    date.calendar.tm_zone = date.zone.c_str();
  return date;
}

void calendar_of(Machine& machine, Call& call, tm* (*divide)(const time_t*, tm*), Value where) {
  const Value from = call.argument(0), time = from.known() ? machine.memory.load(from.bits, 8) : from;
  if (!time.known() || !where.known())
    return call.returns(machine.unknown(call.at, "the date of a time that is not known"));
  without_pattern(machine, call, time.bits);
  const Zone zone(machine, call);
  tm calendar{};
  const auto seconds = static_cast<time_t>(time.bits);
  if (divide(&seconds, &calendar) == nullptr) return call.returns(Value::of(Word{0}));
  put_calendar(machine, call, where.bits, calendar, by_the_clock(machine, time.bits) ? time.bits : 0);
  call.returns(where);
}
void localtime_model(Machine& machine, Call& call) { calendar_of(machine, call, ::localtime_r, Value::of(kCalendar)); }
void gmtime_model(Machine& machine, Call& call) { calendar_of(machine, call, ::gmtime_r, Value::of(kCalendar)); }
void localtime_r_model(Machine& machine, Call& call) { calendar_of(machine, call, ::localtime_r, call.argument(1)); }
void gmtime_r_model(Machine& machine, Call& call) { calendar_of(machine, call, ::gmtime_r, call.argument(1)); }

template <time_t (*Join)(tm*)>
void join_model(Machine& machine, Call& call) {
  const Value where = call.argument(0);
  if (!where.known()) return call.returns(where);
  Date date = date_at(machine, where.bits);
  if (!date.known) return call.returns(machine.unknown(call.at, kByTheClock));
  const Zone zone(machine, call);
  const time_t time = Join(&date.calendar);
  without_pattern(machine, call, static_cast<Word>(time));
  put_calendar(machine, call, where.bits, date.calendar, 0);
  follows(machine, call, static_cast<Word>(time));
}

// Whether every date has as many characters in this format.
bool even_format(std::string_view format) {
  for (std::size_t i = 0; i + 1 < format.size(); ++i) {
    if (format[i] != '%') continue;
    if (std::string_view("abcCdDeFgGhHIjklmMnpPrRsStTuUVwWxXyYzZ%").find(format[++i]) == std::string_view::npos)
      return false;
  }
  return true;
}

void strftime_model(Machine& machine, Call& call) {
  std::string format;
  const Value to = call.argument(0), most = call.argument(1), from = call.argument(3);
  if (!to.known() || !most.known() || !from.known() || !text_argument(machine, call, 2, format))
    return call.returns(machine.unknown(call.at, "the text of a date"));
  const Date date = date_at(machine, from.bits);
  const Zone zone(machine, call);
  char text[1024] = "";
  const std::size_t length =
      std::strftime(text, std::min<std::size_t>(sizeof text, most.bits), format.c_str(), &date.calendar);
  without_pattern(machine, call, digest(text));
  if (date.known || even_format(format)) {
    machine.memory.write(to.bits, text, std::min<std::size_t>(most.bits, length + 1));
    return call.returns(Value::of(Word{length}));
  }
  machine.memory.forget(to.bits, std::min<Word>(most.bits, length + 1), machine.unknown(call.at, kByTheClock).cause);
  call.returns(machine.unknown(call.at, kByTheClock));
}

void strptime_model(Machine& machine, Call& call) {
  std::string text, format;
  const Value where = call.argument(2);
  if (!text_argument(machine, call, 0, text) || !text_argument(machine, call, 1, format) || !where.known())
    return call.returns(machine.unknown(call.at, "a date in a text"));
  Date date = date_at(machine, where.bits);
  if (!date.known) date.calendar = tm{};
  without_pattern(machine, call, digest(text));
  const char* end = ::strptime(text.c_str(), format.c_str(), &date.calendar);
  put_calendar(machine, call, where.bits, date.calendar, 0);
  follows(machine, call, end == nullptr ? 0 : call.argument(0).bits + static_cast<Word>(end - text.c_str()));
}

void put_date_text(Machine& machine, Call& call, const tm& calendar, Value where) {
  char text[64] = "";
  if (::asctime_r(&calendar, text) == nullptr) return call.returns(Value::of(Word{0}));
  without_pattern(machine, call, digest(text));
  if (where.known()) machine.memory.write(where.bits, text, std::strlen(text) + 1);
  call.returns(where);
}
void asctime_at(Machine& machine, Call& call, Value where) {
  if (!call.argument(0).known()) return call.returns(call.argument(0));
  put_date_text(machine, call, date_at(machine, call.argument(0).bits).calendar, where);
}
void asctime_model(Machine& machine, Call& call) { asctime_at(machine, call, Value::of(kCalendarText)); }
void asctime_r_model(Machine& machine, Call& call) { asctime_at(machine, call, call.argument(1)); }

void ctime_at(Machine& machine, Call& call, Value where) {
  const Value from = call.argument(0), time = from.known() ? machine.memory.load(from.bits, 8) : from;
  if (!time.known()) return call.returns(machine.unknown(call.at, "the date of a time that is not known"));
  const Zone zone(machine, call);
  tm calendar{};
  const auto seconds = static_cast<time_t>(time.bits);
  if (::localtime_r(&seconds, &calendar) == nullptr) return call.returns(Value::of(Word{0}));
  put_date_text(machine, call, calendar, where);
}
void ctime_model(Machine& machine, Call& call) { ctime_at(machine, call, Value::of(kCalendarText)); }
void ctime_r_model(Machine& machine, Call& call) { ctime_at(machine, call, call.argument(1)); }

void difftime_model(Machine&, Call& call) {
  if (const Value none = first_unknown(call, 2); !none.known()) return call.returns(none);
  call.returns(
      Value::of(::difftime(static_cast<time_t>(call.argument(0).bits), static_cast<time_t>(call.argument(1).bits))));
}

// Time of the processor begins with the program.
Word spent(Machine& machine, const Call& call) {
  machine.assume(call, "the clock");
  return (machine.world.ticks += 1000) - World{}.ticks;
}

void times_model(Machine& machine, Call& call) {
  const Word tick = kSecond / static_cast<Word>(sysconf(_SC_CLK_TCK)), used = spent(machine, call) / tick;
  const Value where = call.argument(0);
  if (where.known() && where.bits != 0) {
    machine.memory.fill(where.bits, sizeof(struct tms), 0);
    machine.memory.store(where.bits, 8, Value::of(used));
  }
  call.returns(Value::of(machine.world.ticks / tick));
}

void getrusage_model(Machine& machine, Call& call) {
  const Value where = call.argument(1);
  if (!where.known()) return;
  const Word used = spent(machine, call);
  machine.memory.fill(where.bits, 32, 0);
  machine.memory.store(where.bits, 8, Value::of(used / kSecond));
  machine.memory.store(where.bits + 8, 8, Value::of(used % kSecond / 1000));
  machine.memory.forget(where.bits + 32, sizeof(struct rusage) - 32,
                        machine.unknown(call.at, "memory, page faults and switches of the run").cause);
}

void resolution_model(Machine& machine, Call& call) {
  const Value where = call.argument(1);
  if (!where.known() || where.bits == 0) return;
  machine.memory.store(where.bits, 8, Value::of(Word{0}));
  machine.memory.store(where.bits + 8, 8, Value::of(Word{1}));
}

void timespec_get_model(Machine& machine, Call& call) {
  machine.assume(call, "the clock");
  machine.world.ticks += 1000;
  if (call.argument(0).known()) {
    machine.memory.store(call.argument(0).bits, 8, Value::of(machine.world.ticks / kSecond));
    machine.memory.store(call.argument(0).bits + 8, 8, Value::of(machine.world.ticks % kSecond));
  }
  call.returns(call.argument(1));
}

constexpr NamedModel kCalendarModels[] = {
    {"localtime", localtime_model},
    {"localtime_r", localtime_r_model},
    {"__localtime_r", localtime_r_model},
    {"gmtime", gmtime_model},
    {"gmtime_r", gmtime_r_model},
    {"__gmtime_r", gmtime_r_model},
    {"mktime", join_model<::mktime>},
    {"timelocal", join_model<::mktime>},
    {"timegm", join_model<::timegm>},
    {"strftime", strftime_model},
    {"strptime", strptime_model},
    {"asctime", asctime_model},
    {"asctime_r", asctime_r_model},
    {"ctime", ctime_model},
    {"ctime_r", ctime_r_model},
    {"difftime", difftime_model},
    {"tzset", succeeds},
    {"times", times_model},
    {"getrusage", getrusage_model},
    {"clock_getres", resolution_model},
    {"timespec_get", timespec_get_model},
};

}  // namespace

bool is_clock(const Machine& machine, Value value) {
  return !value.known() && machine.causes[value.cause].what == kByTheClock;
}

std::span<const NamedModel> calendar_models() { return kCalendarModels; }

}  // namespace trikal::predict
