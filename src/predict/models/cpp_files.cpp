// std::filebuf. libstdc++ opens files as stdio does, and then reads and writes the descriptor through a buffer of its own:
// what the system sees is modelled, not what the program says.

#include <algorithm>

#include "predict/models/cpp_buffers.hpp"
#include "predict/models/list.hpp"

namespace trikal::predict {
namespace {

constexpr Word kDirect = 1024;  // from so many bytes on, a write does not wait in the buffer
constexpr Word kApp = 1, kAte = 2, kIn = 8, kOut = 16, kTrunc = 32;  // openmode
constexpr std::size_t kKept = 1 << 16;

void remember(FileBuffer& buffer, const std::string* text) {
  if (text != nullptr && buffer.known && buffer.text.size() < kKept) buffer.text += *text;
  else buffer.known = false;
}

// From reading to writing: the descriptor goes back to where the program has read.
void stop_reading(Machine& machine, const Call& call, FileBuffer& buffer) {
  Opened* one = machine.world.at(buffer.descriptor);
  if (!buffer.reading || one == nullptr) return;
  machine.access(call, {Operation::kSeek, one->file});
  one->position -= std::min(one->position, buffer.left);
  buffer.left = 0, buffer.reading = false;
}

void stop_writing(Machine& machine, const Call& call, FileBuffer& buffer) {
  if (!buffer.writing) return;
  write_out(machine, call, buffer, buffer.pending);
  buffer.writing = false;
}

// Character by character, as where the buffer has to be set up first.
void put_slowly(Machine& machine, const Call& call, FileBuffer& buffer, Word bytes) {
  while (bytes > 0) {
    const Word here = std::min(bytes, buffer.capacity - buffer.pending);
    buffer.pending += here, bytes -= here;
    if (bytes == 0) return;
    write_out(machine, call, buffer, buffer.pending + 1);
    --bytes;
  }
}

}  // namespace

void write_out(Machine& machine, const Call& call, FileBuffer& buffer, Word bytes) {
  Opened* one = machine.world.at(buffer.descriptor);
  if (one == nullptr || bytes == 0) return;
  const File& file = machine.world.files[one->file];
  const Word where = one->append ? file.size : one->position;
  const bool told = buffer.known && buffer.text.size() == bytes;
  move_bytes(machine, call,
             {Operation::kWrite, one->file, where, bytes, !buffer.guessed, told ? &buffer.text : nullptr});
  one->position = where + bytes;
  buffer.pending = 0, buffer.known = true;
  buffer.text.clear();
}

void put_in_file(Machine& machine, const Call& call, FileBuffer& buffer, Word bytes, const std::string* text) {
  if (bytes == 0) return;
  if (buffer.reading) {
    stop_reading(machine, call, buffer);
    remember(buffer, text);
    buffer.writing = true;
    return buffer.capacity > 0 ? put_slowly(machine, call, buffer, bytes) : write_out(machine, call, buffer, bytes);
  }
  remember(buffer, text);
  const Word capacity = buffer.writing ? buffer.capacity - buffer.pending : buffer.capacity,
             limit = std::min(kDirect, capacity);
  machine.compare(call, kDirect, capacity);  // which of the two it is changes while the buffer fills
  machine.compare(call, bytes + 1, limit);
  buffer.writing = true;
  if (bytes >= limit) return write_out(machine, call, buffer, buffer.pending + bytes);
  buffer.pending += bytes;
}

void put_one_in_file(Machine& machine, const Call& call, FileBuffer& buffer, Value character) {
  stop_reading(machine, call, buffer);
  const std::string text(1, static_cast<char>(character.bits));
  machine.compare(call, buffer.pending + 1, buffer.capacity);
  remember(buffer, character.known() ? &text : nullptr);
  buffer.writing = true;
  if (buffer.pending < buffer.capacity) ++buffer.pending;
  else write_out(machine, call, buffer, buffer.pending + 1);
}

bool refill(Machine& machine, const Call& call, FileBuffer& buffer) {
  stop_writing(machine, call, buffer);
  Opened* one = machine.world.at(buffer.descriptor);
  if (one == nullptr) return false;
  const File& file = machine.world.files[one->file];
  const Word got = readable(machine, call, file, one->position, std::max<Word>(buffer.capacity, 1));
  move_bytes(machine, call, {Operation::kRead, one->file, one->position, got, !buffer.guessed});
  one->position += got;
  buffer.left = got, buffer.reading = got > 0;
  return got > 0;
}

Word take(Machine& machine, const Call& call, FileBuffer& buffer, Word bytes) {
  Word taken = 0;
  while (taken < bytes) {
    machine.compare(call, 1, buffer.left);
    if (buffer.left == 0 && !refill(machine, call, buffer)) break;
    const Word here = std::min(bytes - taken, buffer.left);
    machine.compare(call, bytes - taken, buffer.left);
    buffer.left -= here, taken += here;
  }
  return taken;
}

Word logical_position(Machine& machine, const FileBuffer& buffer) {
  const Opened* one = machine.world.at(buffer.descriptor);
  return one == nullptr ? 0 : one->position - std::min(one->position, buffer.left);
}

Word take_block(Machine& machine, const Call& call, FileBuffer& buffer, Value to, Word bytes) {
  stop_writing(machine, call, buffer);
  const Word where = logical_position(machine, buffer);
  Word got = 0;
  if (bytes > std::max<Word>(buffer.capacity, 1)) {  // past the buffer, until all is there
    got = std::min(buffer.left, bytes);
    buffer.left -= got;
    Opened* one = machine.world.at(buffer.descriptor);
    while (one != nullptr && got < bytes) {
      const Word here = readable(machine, call, machine.world.files[one->file], one->position, bytes - got);
      move_bytes(machine, call, {Operation::kRead, one->file, one->position, here});
      one->position += here, got += here;
      if (here == 0) break;
    }
    buffer.reading = got == bytes;
  } else {
    got = take(machine, call, buffer, bytes);
  }
  if (const Opened* one = machine.world.at(buffer.descriptor))
    fill_from_file(machine, call, machine.world.files[one->file], where, to, got);
  return got;
}

Value seek_in_file(Machine& machine, const Call& call, FileBuffer& buffer, Value offset, Word from) {
  Opened* one = machine.world.at(buffer.descriptor);
  if (one == nullptr) return Value::of(~Word{0});
  if (from == 1 && offset.known() && offset.bits == 0) {  // asks only
    machine.access(call, {Operation::kSeek, one->file});
    return Value::of(logical_position(machine, buffer) + (buffer.writing ? buffer.pending : 0));
  }
  const Word here = logical_position(machine, buffer);
  write_out(machine, call, buffer, buffer.pending);
  const File& file = machine.world.files[one->file];
  machine.access(call, {Operation::kSeek, one->file});
  if (from == 2 && !file.size_known) return machine.unknown(call.at, "the size of " + file.name);
  const Word base = from == 0 ? 0 : from == 1 ? (buffer.writing ? one->position : here) : file.size;
  buffer.left = 0, buffer.writing = buffer.reading = false;
  if (!offset.known()) {
    buffer.guessed = true;
    return machine.unknown(call.at, "a position in " + file.name);
  }
  if (static_cast<std::int64_t>(base + offset.bits) < 0) return Value::of(~Word{0});
  one->position = base + offset.bits;
  return Value::of(one->position);
}

namespace {

FileBuffer* file_at(Machine& machine, const Call& call) {
  if (!call.argument(0).known()) return nullptr;
  const auto found = machine.world.buffers.find(call.argument(0).bits);
  return found == machine.world.buffers.end() ? nullptr : &found->second;
}

void construct_model(Machine& machine, Call& call) {
  constexpr Word kBytes = 240;
  if (!call.argument(0).known()) return;
  const Word at = call.argument(0).bits;
  auto& all = machine.world.buffers;  // a buffer that lay here is gone, whether its destructor was seen or inlined
  all.erase(all.lower_bound(at - kBytes + 1), all.lower_bound(at + kBytes));
  all[at] = {};
  machine.memory.fill(at, kBytes, 0);
  machine.memory.store(at, 8, Value::of(cpp_table_of(machine, "_ZTVSt13basic_filebufIcSt11char_traitsIcEE")));
}

void open_file(Machine& machine, Call& call, const std::string& name, Word mode) {
  const std::uint32_t number = machine.world.file_named(name);
  const bool folder = folder_exists(machine, name);
  File& file = machine.world.files[number];
  const bool creates = (mode & kOut) != 0 && ((mode & kIn) == 0 || (mode & kTrunc) != 0), appends = (mode & kApp) != 0;
  const bool unknown = name.starts_with("<unknown");
  FileBuffer* there = file_at(machine, call);
  if (there == nullptr || machine.world.at(there->descriptor) != nullptr ||
      (!file.exists && (!(creates || appends) || !folder) && !unknown) || (file.directory && (mode & kOut) != 0))
    return call.returns(Value::of(Word{0}));
  const bool fresh = !file.exists;
  if (fresh || (creates && !appends)) replace(machine, call, file), file.size_known = !(unknown && fresh && !creates);
  file.exists = true;
  file.flags = appends ? analyze::kUseAppend : 0;
  const Word capacity = there->capacity;
  FileBuffer& buffer = *there = {};
  buffer.capacity = capacity;
  buffer.descriptor = machine.world.open(number);
  Opened& one = *machine.world.at(buffer.descriptor);
  one.append = appends;
  if ((mode & kAte) != 0 || (appends && (mode & kIn) == 0)) one.position = file.size;
  machine.access(call, {Operation::kStreamOpen, number});
  if ((mode & kAte) != 0) machine.access(call, {Operation::kSeek, number});
  call.returns(call.argument(0));
}
void open_model(Machine& machine, Call& call) {
  open_file(machine, call, name_argument(machine, call, 1), call.argument(2).known() ? call.argument(2).bits : kOut);
}
void open_string_model(Machine& machine, Call& call) {
  std::string name;
  const bool told = read_string(machine, call.argument(1), name);
  open_file(machine, call, told ? machine.world.full_name(name) : "<unknown: a std::string>",
            call.argument(2).known() ? call.argument(2).bits : kOut);
}

void close_buffer(Machine& machine, const Call& call, FileBuffer& buffer) {
  Opened* one = machine.world.at(buffer.descriptor);
  if (one == nullptr) return;
  write_out(machine, call, buffer, buffer.pending);
  machine.access(call, {Operation::kStreamClose, one->file});
  machine.world.close(buffer.descriptor);
  const Word capacity = buffer.capacity;
  buffer = {};
  buffer.capacity = capacity;
}
void close_model(Machine& machine, Call& call) {
  FileBuffer* buffer = file_at(machine, call);
  if (buffer == nullptr || machine.world.at(buffer->descriptor) == nullptr) return call.returns(Value::of(Word{0}));
  close_buffer(machine, call, *buffer);
  call.returns(call.argument(0));
}
void destroy_at(Machine& machine, const Call& call, Word address) {
  const auto found = machine.world.buffers.find(address);
  if (found == machine.world.buffers.end()) return;
  close_buffer(machine, call, found->second);
  machine.world.buffers.erase(address);
}
void destroy_model(Machine& machine, Call& call) {
  if (call.argument(0).known()) destroy_at(machine, call, call.argument(0).bits);
}
// Of a stream with a buffer behind it: 8 bytes in an ofstream, 16 in an ifstream, 24 in an fstream.
template <Word Offset, bool Frees>
void destroy_stream(Machine& machine, Call& call) {
  if (!call.argument(0).known()) return;
  destroy_at(machine, call, call.argument(0).bits + Offset);
  if (Frees) machine.world.give_back(call.argument(0).bits);
}
void is_open_model(Machine& machine, Call& call) {
  constexpr Word kFile = 104;  // in the buffer
  const auto found = machine.world.buffers.find(call.argument(0).bits - kFile);
  call.returns(
      Value::of(Word{found != machine.world.buffers.end() && machine.world.at(found->second.descriptor) != nullptr}));
}

// Before it is opened, a buffer can be told its size; none makes each write one of the system's.
void setbuf_model(Machine& machine, Call& call) {
  call.returns(call.argument(0));
  FileBuffer* buffer = file_at(machine, call);
  if (buffer == nullptr || machine.world.at(buffer->descriptor) != nullptr || !call.argument(2).known()) return;
  if (call.argument(1).known() && call.argument(1).bits == 0 && call.argument(2).bits == 0) buffer->capacity = 0;
  else if (call.argument(1).bits != 0 && call.argument(2).bits > 0) buffer->capacity = call.argument(2).bits - 1;
}

#define TRIKAL_FILEBUF "_ZNSt13basic_filebufIcSt11char_traitsIcEE"
constexpr NamedModel kCppFilesModels[] = {
    {TRIKAL_FILEBUF "C1Ev", construct_model},
    {TRIKAL_FILEBUF "C2Ev", construct_model},
    {TRIKAL_FILEBUF "D1Ev", destroy_model},
    {TRIKAL_FILEBUF "D2Ev", destroy_model},
    {TRIKAL_FILEBUF "4openEPKcSt13_Ios_Openmode", open_model},
    {TRIKAL_FILEBUF "4openERKNSt7__cxx1112basic_stringIcS1_SaIcEEESt13_Ios_Openmode", open_string_model},
    {TRIKAL_FILEBUF "5closeEv", close_model},
    {TRIKAL_FILEBUF "6setbufEPcl", setbuf_model},
    {"_ZNKSt12__basic_fileIcE7is_openEv", is_open_model},
    {"_ZNSt12__basic_fileIcED1Ev", succeeds},
    {"_ZNSt14basic_ofstreamIcSt11char_traitsIcEED1Ev", destroy_stream<8, false>},
    {"_ZNSt14basic_ifstreamIcSt11char_traitsIcEED1Ev", destroy_stream<16, false>},
    {"_ZNSt13basic_fstreamIcSt11char_traitsIcEED1Ev", destroy_stream<24, false>},
    {"_ZNSt14basic_ofstreamIcSt11char_traitsIcEED0Ev", destroy_stream<8, true>},
    {"_ZNSt14basic_ifstreamIcSt11char_traitsIcEED0Ev", destroy_stream<16, true>},
    {"_ZNSt13basic_fstreamIcSt11char_traitsIcEED0Ev", destroy_stream<24, true>},
};
#undef TRIKAL_FILEBUF

}  // namespace

std::span<const NamedModel> cpp_file_models() { return kCppFilesModels; }

}  // namespace trikal::predict
