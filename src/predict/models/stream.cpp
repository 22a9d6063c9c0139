// STDIO: what a call on a stream moves, as the runtime counts it. Buffers are not seen there, and not here.

#include <fcntl.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "predict/models/inlined.hpp"
#include "predict/models/libc.hpp"
#include "predict/models/list.hpp"
#include "predict/models/names.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {

void move_in_stream(Machine& machine, const Call& call, Opened& one, bool writes, Word bytes, bool known,
                    const std::string* data) {
  end_inlined(machine, call, one);
  const File& file = machine.world.files[one.file];
  const Word where = writes && one.append ? file.size : one.position;
  const Word again = writes ? 0 : std::min(bytes, std::exchange(one.pushed, 0));  // was counted when it was read first
  if (writes && file.in_memory) machine.wrote_text(call, where, bytes);  // no iteration goes missing in the text
  move_bytes(
      machine, call,
      {writes ? Operation::kStreamWrite : Operation::kStreamRead, one.file, where + again, bytes - again, known, data});
  one.position = where + bytes;
}

namespace {

Opened* stream_at(Machine& machine, const Call& call, std::size_t index) {
  const Value stream = call.argument(index);
  return stream.known() ? machine.world.stream(stream.bits) : nullptr;
}

// As open(2) gets them.
Word flags_of(const std::string& mode) {
  const bool both = mode.find('+') != std::string::npos;
  const int how = both ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY;
  const int new_only = mode.find('x') != std::string::npos ? O_EXCL : 0;
  return static_cast<Word>(how | (mode[0] == 'r' ? 0 : O_CREAT | new_only));
}

void fopen_model(Machine& machine, Call& call) {
  std::string mode = "r";
  const bool told = text_argument(machine, call, 1, mode);
  const std::string name = name_argument(machine, call, 0);
  const bool unknown = name.starts_with("<unknown") || !told;
  const int refused = unknown ? 0 : why_not_opened(machine, name, flags_of(mode));
  if (refused != 0) return fail_pointer(machine, call, refused);
  const std::uint32_t number = machine.world.file_named(name);
  File& file = machine.world.files[number];
  if (!file.exists || mode[0] == 'w') replace(machine, call, file), file.size_known = mode[0] == 'w' || !unknown;
  file.exists = true;
  file.flags = mode[0] == 'a' ? analyze::kUseAppend : 0;
  const int descriptor = machine.world.open(number);
  machine.world.at(descriptor)->append = mode[0] == 'a';
  machine.access(call, {Operation::kStreamOpen, number});
  call.returns(Value::of(machine.world.make_stream(descriptor)));
}

void fdopen_model(Machine& machine, Call& call) {
  const Value descriptor = call.argument(0);
  Opened* one = descriptor.known() ? machine.world.at(static_cast<int>(descriptor.bits)) : nullptr;
  if (one == nullptr) return call.returns(machine.unknown(call.at, "a stream of a descriptor"));
  machine.access(call, {Operation::kStreamOpen, one->file});
  call.returns(Value::of(machine.world.make_stream(static_cast<int>(descriptor.bits))));
}

void fclose_model(Machine& machine, Call& call) {
  Opened* one = stream_at(machine, call, 0);
  if (one == nullptr) return;
  end_inlined(machine, call, *one);
  settle_memory(machine, call, machine.world.files[one->file]);
  set_buffer(machine, *one, 0);
  machine.access(call, {Operation::kStreamClose, one->file});
  machine.world.close_stream(call.argument(0).bits);
}

void block_model(Machine& machine, Call& call) {
  const std::string_view name = call.name;
  const bool writes = name.starts_with("fwrite");
  Opened* one = stream_at(machine, call, 3);
  const Value size = call.argument(1), times = call.argument(2);
  if (one == nullptr) return call.returns(machine.unknown(call.at, "a transfer on a stream that is not known"));
  const bool known = size.known() && times.known();
  const File& file = machine.world.files[one->file];
  const Word asked = known ? size.bits * times.bits : 0, where = one->position;
  Word moved = writes ? asked : readable(machine, call, file, where, asked);
  if (known && size.bits > 0) moved = writes ? moved : moved / size.bits * size.bits;
  if (!writes) fill_from_file(machine, call, file, where, call.argument(0), moved);
  std::string data;
  const bool told = writes && written_data(machine, call.argument(0), moved, data);
  if (moved > 0 || !known)  // neither is the end of a file a read, nor nothing a write
    move_in_stream(machine, call, *one, writes, moved, known, told ? &data : nullptr);
  if (!writes && moved < asked) {  // a part of an element is gone, too
    one->end_seen = true;
    if (machine.world.files[one->file].size_known)
      one->position = std::max(one->position, machine.world.files[one->file].size);
  }
  if (!known) return call.returns(size.known() ? times : size);
  if (!writes && !machine.world.files[one->file].size_known)
    return call.returns(machine.unknown(call.at, "how much was read from " + machine.world.files[one->file].name));
  call.returns(Value::of(size.bits == 0 ? 0 : moved / size.bits));
}

// One byte is there to be read again.
void ungetc_model(Machine& machine, Call& call) {
  Opened* one = stream_at(machine, call, 1);
  const Value byte = call.argument(0);
  call.returns(byte);
  if (one == nullptr || (byte.known() && lowest(byte.bits, 32) == 0xffffffff)) return;
  one->end_seen = false;
  if (one->position == 0) return;
  --one->position, ++one->pushed;
}

// The bytes of the next line, or up to another delimiter; `known` where the file can be looked at.
Word next_line(Machine& machine, const Call& call, const Opened& one, std::string& text, bool& known,
               char delimiter = '\n') {
  const File& file = machine.world.files[one.file];
  const Word left = file.size_known ? file.size - std::min(file.size, one.position) : machine.setting.line_bytes;
  known = bytes_of_file(file, one.position, left, text);
  if (known) {
    reads_on(machine, call, file, one.position);
    const std::size_t end = text.find(delimiter);
    text.resize(end == std::string::npos ? text.size() : end + 1);
    return text.size();
  }
  not_read(machine, call, file);
  machine.compare(call, one.position + machine.setting.line_bytes, file.size_known ? file.size : ~Word{0});
  return std::min<Word>(left, machine.setting.line_bytes);
}

void fgets_model(Machine& machine, Call& call) {
  Opened* one = stream_at(machine, call, 2);
  const Value buffer = call.argument(0), size = call.argument(1);
  if (one == nullptr || !size.known() || !buffer.known())
    return call.returns(machine.unknown(call.at, "a line of a stream"));
  std::string text;
  bool known = false;
  const Word line = std::min<Word>(next_line(machine, call, *one, text, known), size.bits > 0 ? size.bits - 1 : 0);
  if (line == 0) {
    one->end_seen = true;
    return call.returns(Value::of(Word{0}));
  }
  if (known) machine.memory.write(buffer.bits, text.substr(0, line).c_str(), line + 1);
  else
    machine.memory.forget(buffer.bits, line + 1,
                          machine.unknown(call.at, "a line of " + machine.world.files[one->file].name).cause);
  const bool end = !machine.world.files[one->file].size_known;
  move_in_stream(machine, call, *one, false, line, known);
  call.returns(end ? machine.unknown(call.at, "whether a line is left in " + machine.world.files[one->file].name)
                   : buffer);
}

// The buffer behind the two pointers, with space for so many bytes.
Value space_for_line(Machine& machine, const Call& call, Word bytes) {
  constexpr Word kLeast = 120;
  const Value at = call.argument(0), size_at = call.argument(1);
  const Value before = machine.memory.load(at.bits, 8);
  const Value size = size_at.known() ? machine.memory.load(size_at.bits, 8) : size_at;
  const bool there = before.known() && before.bits != 0 && size.known();
  if (there && size.bits >= bytes) return before;
  const Word capacity = std::max({kLeast, bytes, there ? 2 * size.bits : 0});
  const Value buffer = Value::of(machine.world.take(capacity));
  if (there) machine.world.give_back(before.bits);
  machine.memory.store(at.bits, 8, buffer);
  if (size_at.known()) machine.memory.store(size_at.bits, 8, Value::of(capacity));
  return buffer;
}

void delimited(Machine& machine, Call& call, Opened* one, Value delimiter) {
  if (one == nullptr || !call.argument(0).known() || !delimiter.known())
    return call.returns(machine.unknown(call.at, "a line of a stream"));
  std::string text;
  bool known = false;
  const Word line = next_line(machine, call, *one, text, known, static_cast<char>(delimiter.bits));
  if (line == 0) {
    one->end_seen = true;
    return call.returns(Value::of(~Word{0}));
  }
  const Value buffer = space_for_line(machine, call, line + 1);
  if (known) machine.memory.write(buffer.bits, text.c_str(), text.size() + 1);
  else
    machine.memory.forget(buffer.bits, line + 1,
                          machine.unknown(call.at, "a line of " + machine.world.files[one->file].name).cause);
  move_in_stream(machine, call, *one, false, line, known);
  call.returns(Value::of(line));
}
void getline_model(Machine& machine, Call& call) {
  delimited(machine, call, stream_at(machine, call, 2), Value::of(Word{'\n'}));
}
void getdelim_model(Machine& machine, Call& call) {
  delimited(machine, call, stream_at(machine, call, 3), call.argument(2));
}

void getc_model(Machine& machine, Call& call) {
  const bool standard = call.arguments.empty();
  Opened* one = standard ? machine.world.standard_stream(0) : stream_at(machine, call, 0);
  if (one == nullptr) return call.returns(machine.unknown(call.at, "a character of a stream"));
  const File& file = machine.world.files[one->file];
  std::string text;
  const Word there = readable(machine, call, file, one->position, 1);
  if (there == 0) {
    one->end_seen = true;
    return call.returns(Value::of(lowest(~Word{0}, 32)));
  }
  const bool known = bytes_of_file(file, one->position, 1, text);
  if (known) reads_on(machine, call, file, one->position);
  move_in_stream(machine, call, *one, false, 1);
  call.returns(known ? Value::of(Word{static_cast<unsigned char>(text[0])})
                     : machine.unknown_character(call.at, "a character of " + machine.world.files[one->file].name));
}

void puts_to(Machine& machine, Call& call, Opened* one, std::size_t index, Word more) {
  std::string text;
  const bool known = text_argument(machine, call, index, text);
  if (one == nullptr) return;
  if (more > 0) text += '\n';
  move_in_stream(machine, call, *one, true, known ? text.size() : machine.setting.line_bytes + more, known,
                 known ? &text : nullptr);
  call.returns(Value::of(Word{1}));
}
void fputs_model(Machine& machine, Call& call) { puts_to(machine, call, stream_at(machine, call, 1), 0, 0); }
void puts_model(Machine& machine, Call& call) { puts_to(machine, call, machine.world.standard_stream(1), 0, 1); }

void putc_model(Machine& machine, Call& call) {
  Opened* one = call.arguments.size() < 2 ? machine.world.standard_stream(1) : stream_at(machine, call, 1);
  const std::string data(1, static_cast<char>(call.argument(0).bits));
  if (one != nullptr) move_in_stream(machine, call, *one, true, 1, true, call.argument(0).known() ? &data : nullptr);
  call.returns(call.argument(0));
}

void printed(Machine& machine, Call& call, Opened* one, std::size_t format, std::span<const Value> arguments) {
  std::string text;
  if (!text_argument(machine, call, format, text)) text = "%s";
  const Printed out = print(machine, call, text, arguments);
  if (one != nullptr && !(out.known && out.text.empty()))
    move_in_stream(machine, call, *one, true, out.text.size(), out.known, out.known ? &out.text : nullptr);
  call.returns(out.known ? Value::of(Word{out.text.size()})
                         : machine.unknown(call.at, "the length of what was printed"));
}
void fprintf_model(Machine& machine, Call& call) {
  printed(machine, call, stream_at(machine, call, 0), 1,
          std::span(call.arguments).subspan(std::min<std::size_t>(2, call.arguments.size())));
}
void printf_model(Machine& machine, Call& call) {
  printed(machine, call, machine.world.standard_stream(1), 0, std::span(call.arguments).subspan(1));
}
void vfprintf_model(Machine& machine, Call& call) {
  printed(machine, call, stream_at(machine, call, 0), 1, list_arguments(machine, call, call.argument(2)));
}
void vprintf_model(Machine& machine, Call& call) {
  printed(machine, call, machine.world.standard_stream(1), 0, list_arguments(machine, call, call.argument(1)));
}

void fseek_model(Machine& machine, Call& call) {
  Opened* one = stream_at(machine, call, 0);
  const Value offset = call.argument(1), from = call.argument(2);
  if (one == nullptr) return;
  end_inlined(machine, call, *one);
  one->end_seen = false;
  if (offset.known() && from.known())
    one->position = offset.bits + (from.bits == 1   ? one->position
                                   : from.bits == 2 ? machine.world.files[one->file].size
                                                    : 0);
  machine.access(call, {Operation::kStreamSeek, one->file});
}
void rewind_model(Machine& machine, Call& call) {
  Opened* one = stream_at(machine, call, 0);
  if (one == nullptr) return;
  end_inlined(machine, call, *one);
  one->position = 0, one->end_seen = false;
  machine.access(call, {Operation::kStreamSeek, one->file});
}
void ftell_model(Machine& machine, Call& call) {
  const Opened* one = stream_at(machine, call, 0);
  call.returns(one != nullptr ? Value::of(one->position) : machine.unknown(call.at, "a position in a stream"));
}
void fgetpos_model(Machine& machine, Call& call) {
  const Opened* one = stream_at(machine, call, 0);
  if (one != nullptr && call.argument(1).known())
    machine.memory.store(call.argument(1).bits, 8, Value::of(one->position));
}
void fsetpos_model(Machine& machine, Call& call) {
  Opened* one = stream_at(machine, call, 0);
  if (one == nullptr || !call.argument(1).known()) return;
  end_inlined(machine, call, *one);
  one->position = machine.memory.load(call.argument(1).bits, 8).bits;
  machine.access(call, {Operation::kStreamSeek, one->file});
}
void fflush_model(Machine& machine, Call& call) {
  Opened* one = stream_at(machine, call, 0);
  if (one == nullptr) return;
  end_inlined(machine, call, *one);
  // A standard stream that was never used has no record in a run.
  if (machine.world.files[one->file].standard && !machine.ledger.touched(one->file)) return;
  settle_memory(machine, call, machine.world.files[one->file]);
  machine.access(call, {Operation::kFlush, one->file});
}
constexpr NamedModel kStreamModels[] = {
    {"fopen", fopen_model},       {"fopen64", fopen_model},       {"fdopen", fdopen_model},
    {"fclose", fclose_model},     {"fread", block_model},         {"fwrite", block_model},
    {"fgetpos", fgetpos_model},   {"fgetpos64", fgetpos_model},   {"fsetpos", fsetpos_model},
    {"fsetpos64", fsetpos_model}, {"fgets", fgets_model},         {"getline", getline_model},
    {"getdelim", getdelim_model}, {"__getdelim", getdelim_model}, {"fgetc", getc_model},
    {"getc", getc_model},         {"getchar", getc_model},        {"_IO_getc", getc_model},
    {"fputc", putc_model},        {"putc", putc_model},           {"putchar", putc_model},
    {"_IO_putc", putc_model},     {"fputs", fputs_model},         {"puts", puts_model},
    {"fprintf", fprintf_model},   {"printf", printf_model},       {"vfprintf", vfprintf_model},
    {"vprintf", vprintf_model},   {"fseek", fseek_model},         {"fseeko", fseek_model},
    {"fseeko64", fseek_model},    {"rewind", rewind_model},       {"ftell", ftell_model},
    {"ftello", ftell_model},      {"ftello64", ftell_model},      {"fflush", fflush_model},
    {"ungetc", ungetc_model},
};

}  // namespace

std::span<const NamedModel> stream_models() { return kStreamModels; }

}  // namespace trikal::predict
