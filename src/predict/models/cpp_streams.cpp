// std::fstream and its kin. libstdc++ opens files as stdio does, and then reads and writes the descriptor through a buffer of
// its own: what the system sees is modelled, not what the program says. Standard streams go through stdio, call by call.

#include <algorithm>
#include <array>

#include "predict/models/cpp.hpp"
#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {
namespace {

constexpr Word kRoom = 8191;  // BUFSIZ less one
constexpr Word kDirect = 1024;  // from so many bytes on, a write does not wait in the buffer
constexpr Word kState = 32, kPrecision = 8, kWidth = 16, kFlags = 24;  // in ios_base
constexpr Word kEnd = 2, kFailed = 4;  // eofbit, failbit
constexpr Word kApp = 1, kAte = 2, kIn = 8, kOut = 16, kTrunc = 32;  // openmode

// The buffer of a stream lies behind it: 8 bytes in an ofstream, 16 in an ifstream, 24 in an fstream.
FileBuffer* buffer_of(Machine& machine, Value stream) {
  if (!stream.known()) return nullptr;
  auto& all = machine.world.buffers;
  const auto found = all.lower_bound(stream.bits);
  return found != all.end() && found->first <= stream.bits + 24 ? &found->second : nullptr;
}

// The virtual base is found through a table that is zero here: so the state lies in the stream itself.
void set_state(Machine& machine, Value stream, Word bits) {
  if (stream.known()) machine.memory.store(stream.bits + kState, 4, Value::of(bits));
}

// A stream that has ended reads no more: asking again only fails.
bool has_ended(Machine& machine, Value stream) {
  if (!stream.known() || machine.memory.load(stream.bits + kState, 4).bits == 0) return false;
  set_state(machine, stream, kEnd | kFailed);
  return true;
}

void write_out(Machine& machine, const Call& call, FileBuffer& buffer, Word bytes) {
  Opened* one = machine.world.at(buffer.descriptor);
  if (one == nullptr || bytes == 0) return;
  const File& file = machine.world.files[one->file];
  const Word where = one->append ? file.size : one->position;
  const bool told = buffer.known && buffer.text.size() == bytes;
  move_bytes(machine, call, {Operation::kWrite, one->file, where, bytes, true, told ? &buffer.text : nullptr});
  one->position = where + bytes;
  buffer.pending = 0, buffer.known = true;
  buffer.text.clear();
}

void put(Machine& machine, const Call& call, FileBuffer& buffer, Word bytes, const std::string* text) {
  constexpr std::size_t kKept = 1 << 16;
  if (text != nullptr && buffer.known && buffer.text.size() < kKept) buffer.text += *text;
  else buffer.known = false;
  const Word room = buffer.writing ? kRoom - buffer.pending : kRoom, limit = std::min(kDirect, room);
  machine.compare(call, kDirect, room);  // which of the two it is changes while the buffer fills
  machine.compare(call, bytes + 1, limit);
  buffer.writing = true;
  if (bytes >= limit) return write_out(machine, call, buffer, buffer.pending + bytes);
  buffer.pending += bytes;
}

// Another piece of the file into the buffer; false at its end.
bool refill(Machine& machine, const Call& call, FileBuffer& buffer) {
  Opened* one = machine.world.at(buffer.descriptor);
  if (one == nullptr) return false;
  const File& file = machine.world.files[one->file];
  const Word got = readable(machine, call, file, one->position, kRoom);
  move_bytes(machine, call, {Operation::kRead, one->file, one->position, got, !buffer.guessed});
  one->position += got;
  buffer.left = got;
  return got > 0;
}

// Takes up to `bytes` through the buffer; how many there were.
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

Word logical_place(Machine& machine, const FileBuffer& buffer) {
  const Opened* one = machine.world.at(buffer.descriptor);
  return one == nullptr ? 0 : one->position - std::min(one->position, buffer.left);
}

void construct_model(Machine& machine, Call& call) {
  if (!call.argument(0).known()) return;
  constexpr Word kLong = 240;  // a buffer that lay here is gone, whether its destructor was seen or inlined
  auto& all = machine.world.buffers;
  all.erase(all.lower_bound(call.argument(0).bits - kLong + 1), all.lower_bound(call.argument(0).bits + kLong));
  all[call.argument(0).bits] = {};
  for (const Word before : {Word{8}, Word{16}, Word{24}}) {
    give_facet(machine, call.argument(0).bits - before);
    set_state(machine, Value::of(call.argument(0).bits - before), 0);  // another stream may have ended at this place
  }
}

void open_file(Machine& machine, Call& call, const std::string& name, Word mode) {
  const std::uint32_t number = machine.world.file_named(name);
  const bool folder = folder_exists(machine, name);
  File& file = machine.world.files[number];
  const bool creates = (mode & kOut) != 0 && ((mode & kIn) == 0 || (mode & kTrunc) != 0);
  if (!file.exists && (!(creates || (mode & kApp) != 0) || !folder) && !name.starts_with("<unknown"))
    return call.returns(Value::of(Word{0}));
  if (!file.exists || (creates && (mode & kApp) == 0)) make_empty(file);
  file.exists = true;
  FileBuffer& buffer = machine.world.buffers[call.argument(0).bits];
  buffer = {};
  buffer.descriptor = machine.world.open(number);
  machine.world.at(buffer.descriptor)->append = (mode & kApp) != 0;
  if ((mode & kAte) != 0) machine.world.at(buffer.descriptor)->position = file.size;
  machine.access(call, {Operation::kStreamOpen, number});
  call.returns(call.argument(0));
}
void open_model(Machine& machine, Call& call) {
  open_file(machine, call, name_argument(machine, call, 1), call.argument(2).known() ? call.argument(2).bits : kOut);
}
void open_string_model(Machine& machine, Call& call) {
  std::string name;
  const bool told = read_string(machine, call.argument(1), name);
  open_file(machine, call, told ? full_name(name) : "<unknown: a std::string>",
            call.argument(2).known() ? call.argument(2).bits : kOut);
}

void close_buffer(Machine& machine, const Call& call, FileBuffer& buffer) {
  Opened* one = machine.world.at(buffer.descriptor);
  if (one == nullptr) return;
  write_out(machine, call, buffer, buffer.pending);
  machine.access(call, {Operation::kStreamClose, one->file});
  machine.world.close(buffer.descriptor);
  buffer = {};
}
void close_model(Machine& machine, Call& call) {
  FileBuffer* buffer = buffer_of(machine, call.argument(0));
  if (buffer == nullptr || machine.world.at(buffer->descriptor) == nullptr) return call.returns(Value::of(Word{0}));
  close_buffer(machine, call, *buffer);
  call.returns(call.argument(0));
}
void destroy_model(Machine& machine, Call& call) {
  FileBuffer* buffer = buffer_of(machine, call.argument(0));
  if (buffer == nullptr) return;
  close_buffer(machine, call, *buffer);
  auto& all = machine.world.buffers;
  all.erase(all.lower_bound(call.argument(0).bits));
}
void is_open_model(Machine& machine, Call& call) {
  const FileBuffer* buffer = buffer_of(machine, call.argument(0));
  call.returns(Value::of(Word{buffer != nullptr && machine.world.at(buffer->descriptor) != nullptr}));
}

// cout and cerr are objects of the library.
Opened* standard_stream(Machine& machine, const Call& call) {
  const llvm::Module& module = *call.at.ir->getModule();
  constexpr std::array<std::pair<const char*, int>, 3> kStreams = {
      {{"_ZSt4cout", 1}, {"_ZSt4cerr", 2}, {"_ZSt4clog", 2}}};
  for (const auto& [name, descriptor] : kStreams)
    if (const llvm::GlobalVariable* object = module.getNamedGlobal(name))
      if (call.argument(0).known() && machine.decoder.address_of(*object) == call.argument(0).bits)
        return machine.world.at(descriptor);
  return nullptr;
}

void put_to(Machine& machine, Call& call, Word bytes, const std::string* text) {
  call.returns(call.argument(0));
  if (FileBuffer* buffer = buffer_of(machine, call.argument(0))) return put(machine, call, *buffer, bytes, text);
  if (Opened* one = standard_stream(machine, call)) {
    move_bytes(machine, call, {Operation::kStreamWrite, one->file, one->position, bytes, text != nullptr, text});
    one->position += bytes;
  }
}

void write_model(Machine& machine, Call& call) {
  const Value bytes = call.argument(2);
  std::string data;
  const bool told = bytes.known() && written_data(machine, call.argument(1), bytes.bits, data);
  put_to(machine, call, bytes.known() ? bytes.bits : machine.setting.line_bytes, told ? &data : nullptr);
}

void put_model(Machine& machine, Call& call) {
  const std::string data(1, static_cast<char>(call.argument(1).bits));
  FileBuffer* buffer = buffer_of(machine, call.argument(0));
  if (buffer == nullptr) return put_to(machine, call, 1, &data);
  call.returns(call.argument(0));
  machine.compare(call, buffer->pending + 1, kRoom);
  if (buffer->known) buffer->text += data;
  buffer->writing = true;
  if (buffer->pending < kRoom) ++buffer->pending;
  else write_out(machine, call, *buffer, buffer->pending + 1);
}

void flush_model(Machine& machine, Call& call) {
  call.returns(call.argument(0));
  if (FileBuffer* buffer = buffer_of(machine, call.argument(0))) write_out(machine, call, *buffer, buffer->pending);
  else if (const Opened* one = standard_stream(machine, call)) machine.access(call, {Operation::kFlush, one->file});
}

template <char Kind>
void number_model(Machine& machine, Call& call) {
  const Value stream = call.argument(0),
              precision = stream.known() ? machine.memory.load(stream.bits + kPrecision, 8) : stream;
  const Value width = stream.known() ? machine.memory.load(stream.bits + kWidth, 8) : stream;
  const Value flags = stream.known() ? machine.memory.load(stream.bits + kFlags, 4) : stream;
  constexpr Word kFixed = 4, kScientific = 256;
  std::string format = "%";
  if (width.known() && width.bits > 0 && width.bits < 1000) format += std::to_string(width.bits);
  if (Kind == 'g') {
    format +=
        "." + std::to_string(precision.known() && precision.bits > 0 && precision.bits < 100 ? precision.bits : 6);
    format += flags.known() && (flags.bits & kFixed) != 0        ? 'f'
              : flags.known() && (flags.bits & kScientific) != 0 ? 'e'
                                                                 : 'g';
  } else {
    format += Kind == 'd' ? "d" : Kind == 'u' ? "u" : Kind == 'l' ? "ld" : "lu";
  }
  if (stream.known()) machine.memory.store(stream.bits + kWidth, 8, Value::of(Word{0}));
  const Value number[] = {call.argument(1)};
  const Printed out = print(machine, call, format, number);
  put_to(machine, call, out.text.size(), out.known ? &out.text : nullptr);
}

void read_model(Machine& machine, Call& call) {
  call.returns(call.argument(0));
  FileBuffer* buffer = buffer_of(machine, call.argument(0));
  const Value bytes = call.argument(2);
  if (buffer == nullptr || !bytes.known() || has_ended(machine, call.argument(0))) return;
  const Word where = logical_place(machine, *buffer);
  Word got = 0;
  if (bytes.bits > kRoom) {  // past the buffer, until all is there
    got = std::min(buffer->left, bytes.bits);
    buffer->left -= got;
    Opened* one = machine.world.at(buffer->descriptor);
    while (one != nullptr && got < bytes.bits) {
      const Word here = readable(machine, call, machine.world.files[one->file], one->position, bytes.bits - got);
      move_bytes(machine, call, {Operation::kRead, one->file, one->position, here});
      one->position += here, got += here;
      if (here == 0) break;
    }
  } else {
    got = take(machine, call, *buffer, bytes.bits);
  }
  if (const Opened* one = machine.world.at(buffer->descriptor))
    fill_from_file(machine, call, machine.world.files[one->file], where, call.argument(1), got);
  machine.memory.store(call.argument(0).bits + 8, 8, Value::of(got));  // gcount
  if (got < bytes.bits) set_state(machine, call.argument(0), kEnd | kFailed);
}

void getline_model(Machine& machine, Call& call) {
  call.returns(call.argument(0));
  FileBuffer* buffer = buffer_of(machine, call.argument(0));
  const Opened* one = buffer != nullptr ? machine.world.at(buffer->descriptor) : nullptr;
  if (one == nullptr) return set_state(machine, call.argument(0), kFailed);
  if (has_ended(machine, call.argument(0))) return;
  const File& file = machine.world.files[one->file];
  const Word where = logical_place(machine, *buffer), rest = file.size - std::min(file.size, where);
  std::string text;
  const bool told = bytes_of_file(file, where, rest, text);
  const std::size_t end =
      told ? text.find(static_cast<char>(call.argument(2).known() ? call.argument(2).bits : '\n')) : std::string::npos;
  Word length =
      told ? (end == std::string::npos ? rest + 1 : end + 1) : std::min<Word>(machine.setting.line_bytes, rest + 1);
  buffer->guessed = buffer->guessed || !told;
  const Word got = take(machine, call, *buffer, length);
  if (!told)
    machine.note("lines of " + file.name + " are assumed to be " + std::to_string(machine.setting.line_bytes) +
                 " bytes long");
  text.resize(
      std::min<std::size_t>(got < length ? got : length - 1, std::max<std::size_t>(text.size(), told ? 0 : length)),
      'x');
  write_string(machine, call, call.argument(1), text, told);
  if (got < length) set_state(machine, call.argument(0), got == 0 ? kEnd | kFailed : kEnd);
}

void clear_model(Machine& machine, Call& call) {
  set_state(machine, call.argument(0), call.argument(1).known() ? call.argument(1).bits : 0);
}
void self_model(Machine&, Call& call) { call.returns(call.argument(0)); }

#define TRIKAL_FILEBUF "_ZNSt13basic_filebufIcSt11char_traitsIcEE"
constexpr NamedModel kModels[] = {
    {TRIKAL_FILEBUF "C1Ev", construct_model},
    {TRIKAL_FILEBUF "C2Ev", construct_model},
    {TRIKAL_FILEBUF "D1Ev", destroy_model},
    {TRIKAL_FILEBUF "D2Ev", destroy_model},
    {TRIKAL_FILEBUF "4openEPKcSt13_Ios_Openmode", open_model},
    {TRIKAL_FILEBUF "4openERKNSt7__cxx1112basic_stringIcS1_SaIcEEESt13_Ios_Openmode", open_string_model},
    {TRIKAL_FILEBUF "5closeEv", close_model},
    {"_ZNKSt12__basic_fileIcE7is_openEv", is_open_model},
    {"_ZNSt12__basic_fileIcED1Ev", self_model},
    {"_ZNSt14basic_ofstreamIcSt11char_traitsIcEED1Ev", destroy_model},
    {"_ZNSt14basic_ifstreamIcSt11char_traitsIcEED1Ev", destroy_model},
    {"_ZNSt13basic_fstreamIcSt11char_traitsIcEED1Ev", destroy_model},
    {"_ZNSt8ios_baseC2Ev", self_model},
    {"_ZNSt8ios_baseD2Ev", self_model},
    {"_ZNSt6localeD1Ev", self_model},
    {"_ZNSt6localeC1Ev", self_model},
    {"_ZNSt9basic_iosIcSt11char_traitsIcEE4initEPSt15basic_streambufIcS1_E", self_model},
    {"_ZNSt9basic_iosIcSt11char_traitsIcEE5clearESt12_Ios_Iostate", clear_model},
    {"_ZNSo5writeEPKcl", write_model},
    {"_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l", write_model},
    {"_ZNSo3putEc", put_model},
    {"_ZNSo5flushEv", flush_model},
    {"_ZNSolsEi", number_model<'d'>},
    {"_ZNSolsEs", number_model<'d'>},
    {"_ZNSolsEj", number_model<'u'>},
    {"_ZNSolsEl", number_model<'l'>},
    {"_ZNSolsEx", number_model<'l'>},
    {"_ZNSolsEm", number_model<'m'>},
    {"_ZNSolsEy", number_model<'m'>},
    {"_ZNSolsEd", number_model<'g'>},
    {"_ZNSolsEf", number_model<'g'>},
    {"_ZNSo9_M_insertIlEERSoT_", number_model<'l'>},
    {"_ZNSo9_M_insertImEERSoT_", number_model<'m'>},
    {"_ZNSo9_M_insertIdEERSoT_", number_model<'g'>},
    {"_ZNSi4readEPcl", read_model},
    {"_ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EES4_",
     getline_model},
    {"_ZNSt8ios_base4InitC1Ev", self_model},
    {"_ZNSt8ios_base4InitD1Ev", self_model},
};
#undef TRIKAL_FILEBUF

}  // namespace

// What widen('\n') of std::endl looks at: a table of characters that are themselves.
void give_facet(Machine& machine, Word stream) {
  constexpr Word kFacet = (Word{1} << 47) + (Word{1} << 16), kWidenOk = 56, kInIos = 240;
  if (machine.memory.load(kFacet + kWidenOk, 1).bits == 0) {
    machine.memory.store(kFacet + kWidenOk, 1, Value::of(Word{1}));
    for (Word c = 0; c < 256; ++c) machine.memory.store(kFacet + kWidenOk + 1 + c, 1, Value::of(c));
  }
  machine.memory.store(stream + kInIos, 8, Value::of(kFacet));
}

std::span<const NamedModel> cpp_stream_models() { return kModels; }

}  // namespace trikal::predict
