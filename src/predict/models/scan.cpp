// scanf: known text is taken apart by libc itself, a field at a time.

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>

#include "predict/models/libc.hpp"
#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"
#include "predict/models/text.hpp"

namespace trikal::predict {
namespace {

unsigned width_of(const Field& field) {
  if (field.size == "hh") return 1;
  if (field.size == "h") return 2;
  return field.size.empty() ? 4 : 8;
}

// One conversion of known text by libc itself; false: it does not match. `where` is null for what is not kept.
bool scan_field(Machine& machine, const Field& field, const char* begin, std::size_t& used, const Value* where) {
  std::string pattern = "%" + field.flags + field.size + field.kind;
  if (field.kind == '[') pattern += field.set + "]";
  pattern += "%n";
  int end = -1;
  if (where == nullptr) {
    (void)std::sscanf(begin, pattern.c_str(), &end);
  } else {
    constexpr std::size_t kNumber = 64;
    std::vector<char> capacity(std::max(kNumber, std::char_traits<char>::length(begin) + 1));
    const int done = std::sscanf(begin, pattern.c_str(), capacity.data(), &end);
    if (done != 1 || end < 0) return false;
    std::size_t bytes = width_of(field);
    if (std::string_view("s[").find(field.kind) != std::string_view::npos) bytes = std::strlen(capacity.data()) + 1;
    else if (field.kind == 'c') bytes = static_cast<std::size_t>(end);
    else if (field.size == "L") {  // kept as a double
      long double number;
      std::memcpy(&number, capacity.data(), sizeof number);
      const auto kept = static_cast<double>(number);
      std::memcpy(capacity.data(), &kept, sizeof kept);
    }
    Value to = *where;
    if (field.allocates && to.known()) {
      const Word text = machine.world.take(bytes);
      machine.memory.store(to.bits, 8, Value::of(text));
      to = Value::of(text);
    }
    if (to.known() && to.bits != 0) machine.memory.write(to.bits, capacity.data(), bytes);
  }
  if (end < 0) return false;
  used += static_cast<std::size_t>(end);
  return true;
}

struct Scanned {
  std::size_t used = 0;  // characters
  Word fields = 0;
  bool ended = false;    // the text did, before or while something was looked for
};

Scanned scan_text(Machine& machine, const std::string& text, const std::string& format,
                  std::span<const Value> arguments) {
  Scanned out;
  std::size_t next = 0;
  const auto argument = [&] { return next < arguments.size() ? arguments[next++] : Value{}; };
  const auto skip_space = [&] {
    while (out.used < text.size() && std::isspace(static_cast<unsigned char>(text[out.used])) != 0) ++out.used;
  };
  for (std::size_t i = 0; i < format.size(); ++i) {
    const bool percent = format.compare(i, 2, "%%") == 0;
    if (std::isspace(static_cast<unsigned char>(format[i])) != 0) {
      skip_space();
    } else if (format[i] != '%' || percent) {
      if (percent) ++i, skip_space();
      out.ended = out.used >= text.size();
      if (out.ended || text[out.used] != format[i]) return out;
      ++out.used;
    } else {
      const Field field = field_at(format, i + 1);
      i = field.end - 1;
      if (field.kind == 'n') {
        if (const Value where = argument(); where.known())
          machine.memory.store(where.bits, width_of(field), Value::of(Word{out.used}));
        continue;
      }
      const bool kept = field.flags.find('*') == std::string::npos;
      const Value where = kept ? argument() : Value{};
      if (field.kind != 'c' && field.kind != '[') skip_space();
      out.ended = out.used >= text.size();
      if (out.ended || !scan_field(machine, field, text.c_str() + out.used, out.used, kept ? &where : nullptr))
        return out;
      out.ended = field.kind != 'c' && out.used >= text.size();
      if (kept) ++out.fields;
    }
  }
  return out;
}

// How many fields there were; or that the text had ended before the first.
void tell_scanned(Machine& machine, Call& call, const Scanned& scanned, const std::string& text) {
  without_pattern(machine, call, digest(text));
  const bool nothing = scanned.fields == 0 && scanned.ended;
  follows(machine, call, nothing ? lowest(~Word{0}, 32) : scanned.fields);
}

void forget_fields(Machine& machine, const Call& call, std::span<const Value> arguments, std::string_view what) {
  const Value unknown = machine.unknown(call.at, what);
  for (const Value& one : arguments)
    if (one.known()) machine.memory.forget(one.bits, 8, unknown.cause);
}

std::span<const Value> behind(const Call& call, std::size_t named) {
  return std::span(call.arguments).subspan(std::min(named, call.arguments.size()));
}

void scan_memory(Machine& machine, Call& call, std::span<const Value> arguments) {
  std::string text, format;
  if (text_argument(machine, call, 0, text) && text_argument(machine, call, 1, format))
    return tell_scanned(machine, call, scan_text(machine, text, format, arguments), text);
  forget_fields(machine, call, arguments, "what sscanf found");
  call.returns(machine.unknown(call.at, "how much sscanf found"));
}
void sscanf_model(Machine& machine, Call& call) { scan_memory(machine, call, behind(call, 2)); }
void vsscanf_model(Machine& machine, Call& call) {
  scan_memory(machine, call, list_arguments(machine, call, call.argument(2)));
}

void scan_stream(Machine& machine, Call& call, Opened* one, std::size_t format_index,
                 std::span<const Value> arguments) {
  std::string format, text;
  const bool told = text_argument(machine, call, format_index, format);
  if (one == nullptr) return call.returns(machine.unknown(call.at, "how much fscanf found"));
  const File& file = machine.world.files[one->file];
  const Word left = file.size_known ? file.size - std::min(file.size, one->position) : 0;
  std::size_t at = 0;
  if (told && bytes_of_file(file, one->position, left, text)) {
    const Scanned scanned = scan_text(machine, text, format, arguments);
    at = scanned.used;
    one->end_seen = one->end_seen || scanned.ended;
    reads_on(machine, call, file, one->position);
    tell_scanned(machine, call, scanned, text.substr(0, at));
  } else {
    at = std::min<Word>(left, 8 * static_cast<Word>(std::ranges::count(format, '%')));
    forget_fields(machine, call, arguments, "what was read from " + file.name);
    not_read(machine, call, file);
    machine.compare(call, one->position + at, file.size);
    if (left == 0 && file.size_known) call.returns(Value::of(lowest(~Word{0}, 32)));
    else call.returns(Value::of(static_cast<Word>(std::ranges::count(format, '%'))));
  }
  move_bytes(machine, call, {Operation::kStreamRead, one->file, one->position, at, told});
  one->position += at;
}
Opened* stream_at(Machine& machine, const Call& call) {
  return call.argument(0).known() ? machine.world.stream(call.argument(0).bits) : nullptr;
}
void fscanf_model(Machine& machine, Call& call) {
  scan_stream(machine, call, stream_at(machine, call), 1, behind(call, 2));
}
void scanf_model(Machine& machine, Call& call) {
  scan_stream(machine, call, machine.world.standard_stream(0), 0, behind(call, 1));
}
void vfscanf_model(Machine& machine, Call& call) {
  scan_stream(machine, call, stream_at(machine, call), 1, list_arguments(machine, call, call.argument(2)));
}
void vscanf_model(Machine& machine, Call& call) {
  scan_stream(machine, call, machine.world.standard_stream(0), 0, list_arguments(machine, call, call.argument(1)));
}

constexpr NamedModel kScanModels[] = {
    {"sscanf", sscanf_model},   {"fscanf", fscanf_model},   {"scanf", scanf_model},
    {"vsscanf", vsscanf_model}, {"vfscanf", vfscanf_model}, {"vscanf", vscanf_model},
};

}  // namespace

std::span<const NamedModel> scan_models() { return kScanModels; }

}  // namespace trikal::predict
