// Streams and what is behind them: std::ios, and buffers of every kind. Standard streams go through stdio, call by call.

#include "predict/models/cpp_buffers.hpp"

#include <llvm/IR/Function.h>

#include <algorithm>
#include <array>

#include "predict/models/cpp_exceptions.hpp"
#include "predict/models/libc.hpp"
#include "predict/models/list.hpp"

namespace trikal::predict {
namespace {

constexpr Word kStandardBuffers = (Word{1} << 47) + (Word{1} << 21), kApart = 64;
constexpr Word kUnderflow = 9 * 8, kPutsMany = 12 * 8, kPutsOne = 13 * 8;  // in tables of buffers

const llvm::Function* behind(Machine& machine, Word buffer, Word location) {
  const Value table = machine.memory.load(buffer, 8);
  const Value function = table.known() && table.bits != 0 ? machine.memory.load(table.bits + location, 8) : Value{};
  return function.known() ? machine.decoder.function_at(function.bits) : nullptr;
}

// What a class of the program's does with it: all at once, or character by character.
void put_own(Machine& machine, const Call& call, Word buffer, const Piece& piece) {
  Value from = piece.from;
  if (piece.text != nullptr) {
    from = Value::of(machine.world.take(piece.bytes));
    machine.memory.write(from.bits, piece.text->data(), piece.text->size());
  }
  const llvm::Function* many = behind(machine, buffer, kPutsMany);
  const llvm::Function* one = behind(machine, buffer, kPutsOne);
  if (many != nullptr && !many->isDeclaration()) {
    const Value arguments[] = {Value::of(buffer), from, Value::of(piece.bytes)};
    (void)machine.invoke(machine.decoder.address_of(*many), arguments, call);
  } else if (one != nullptr && !one->isDeclaration()) {
    for (Word i = 0; i < piece.bytes; ++i) {
      const Value arguments[] = {Value::of(buffer), from.known() ? machine.memory.load(from.bits + i, 1) : from};
      (void)machine.invoke(machine.decoder.address_of(*one), arguments, call);
    }
  }
  if (piece.text != nullptr) machine.world.give_back(from.bits);
}

// The next character of such a class; -1 at its end.
Value next_own(Machine& machine, const Call& call, Word buffer) {
  const llvm::Function* function = behind(machine, buffer, kUnderflow);
  if (function == nullptr || function->isDeclaration()) return machine.unknown(call.at, "a character of a stream");
  const Value arguments[] = {Value::of(buffer)};
  const std::vector<Value> result = machine.invoke(machine.decoder.address_of(*function), arguments, call);
  return result.empty() ? Value{} : result[0];
}

}  // namespace

std::optional<Word> ios_of(Machine& machine, Value stream) {
  constexpr Word kBefore = 24;
  const Value table = stream.known() && stream.bits != 0 ? machine.memory.load(stream.bits, 8) : stream;
  if (!table.known() || table.bits == 0) return std::nullopt;
  const Value location = machine.memory.load(table.bits - kBefore, 8);
  return location.known() ? std::optional(stream.bits + location.bits) : std::nullopt;
}
Word state_of(Machine& machine, Value stream) {
  const auto ios = ios_of(machine, stream);
  return ios ? machine.memory.load(*ios + kStateInIos, 4).bits : kBad;
}
void set_state(Machine& machine, Value stream, Word bits) {
  if (const auto ios = ios_of(machine, stream)) machine.memory.store(*ios + kStateInIos, 4, Value::of(bits));
}
void throw_failure(Machine& machine, const Call& call, Word ios) {
  constexpr Word kAskedInIos = kStateInIos - 4;  // what is to be thrown, by exceptions()
  const Value state = machine.memory.load(ios + kStateInIos, 4), asked = machine.memory.load(ios + kAskedInIos, 4);
  if (state.known() && asked.known() && (state.bits & asked.bits) != 0)
    throw_standard(machine, call, "NSt8ios_base7failureB5cxx11E", "basic_ios::clear: iostream error");
}
void add_state(Machine& machine, const Call& call, Value stream, Word bits) {
  set_state(machine, stream, state_of(machine, stream) | bits);
  if (const auto ios = ios_of(machine, stream); ios && bits != 0) throw_failure(machine, call, *ios);
}

void init_ios(Machine& machine, Word ios, Word buffer) {
  constexpr Word kSkipsBlanks = 4096, kDecimal = 2, kFacet = (Word{1} << 47) + (Word{1} << 16), kWidenOk = 56;
  if (machine.memory.load(kFacet + kWidenOk, 1).bits ==
      0) {  // what widen and narrow look at: characters that are themselves
    constexpr Word kNarrow = kWidenOk + 1 + 256;
    machine.memory.store(kFacet + kWidenOk, 1, Value::of(Word{1}));
    for (Word c = 0; c < 256; ++c) {
      machine.memory.store(kFacet + kWidenOk + 1 + c, 1, Value::of(c));
      machine.memory.store(kFacet + kNarrow + c, 1, Value::of(c));
    }
    machine.memory.store(kFacet + kNarrow + 256, 1, Value::of(Word{1}));
  }
  machine.memory.store(ios + kPrecisionInIos, 8, Value::of(Word{6}));
  machine.memory.store(ios + kWidthInIos, 8, Value::of(Word{0}));
  machine.memory.store(ios + kFlagsInIos, 4, Value::of(kSkipsBlanks | kDecimal));
  machine.memory.store(ios + kFlagsInIos + 4, 4, Value::of(Word{0}));
  machine.memory.store(ios + kStateInIos, 4, Value::of(buffer == 0 ? kBad : Word{0}));
  machine.memory.store(ios + kTieInIos, 8, Value::of(Word{0}));
  machine.memory.store(ios + kFillInIos, 2, Value::of(Word{' '} | 256));
  machine.memory.store(ios + kBufferInIos, 8, Value::of(buffer));
  machine.memory.store(ios + kFacetInIos, 8, Value::of(kFacet));
}

void cpp_external(Machine& machine, std::string_view name, Word address) {
  constexpr Word kUnbuffered = 8192;  // unitbuf
  constexpr std::array<std::pair<const char*, Word>, 4> kStreams = {
      {{"_ZSt3cin", 0}, {"_ZSt4cout", 1}, {"_ZSt4cerr", 2}, {"_ZSt4clog", 2}}};
  if (name.starts_with("_ZT")) {
    const auto extent = machine.memory.extent_around(address);
    (void)cpp_table(machine, name, address, extent ? extent->bytes : 0);
    if (name.find("fstream") != std::string_view::npos)  // before anything is tried that would be taken back
      (void)cpp_table_of(machine, "_ZTVSt13basic_filebufIcSt11char_traitsIcEE");
    return;
  }
  for (const auto& [stream, descriptor] : kStreams) {
    if (name != stream) continue;
    machine.memory.store(address, 8, Value::of(cpp_table_of(machine, descriptor == 0 ? "_ZTVSi" : "_ZTVSo")));
    const Word ios = ios_of(machine, Value::of(address)).value_or(address);
    init_ios(machine, ios, kStandardBuffers + descriptor * kApart);
    if (name == "_ZSt4cerr") {
      const Value flags = machine.memory.load(ios + kFlagsInIos, 4);
      machine.memory.store(ios + kFlagsInIos, 4, Value::of(flags.bits | kUnbuffered));
    }
    if (name == "_ZSt4cerr" || name == "_ZSt3cin")
      machine.memory.store(ios + kTieInIos, 8, Value::of(kStandardBuffers));
  }
}

void flush_tied(Machine& machine, const Call& call, Value stream) {
  const auto ios = ios_of(machine, stream);
  const Value tied = ios ? machine.memory.load(*ios + kTieInIos, 8) : Value{};
  if (!tied.known() || tied.bits == 0) return;
  flush(machine, call,
        tied.bits == kStandardBuffers ? buffer_at(machine, Value::of(kStandardBuffers + kApart))
                                      : buffer_of(machine, tied));
}

Buffer buffer_at(Machine& machine, Value address) {
  Buffer out;
  if (!address.known() || address.bits == 0) return out;
  out.address = address.bits;
  // By its table first: the destructor of a file's buffer that lay there before may have been inlined.
  const llvm::Function* puts = behind(machine, address.bits, kPutsOne);
  if (puts != nullptr && puts->isDeclaration() && puts->getName().contains("basic_stringbuf")) {
    out.kind = Buffer::Kind::kText;
  } else if (puts != nullptr && !puts->isDeclaration()) {
    out.kind = Buffer::Kind::kOwn;
  } else if (const auto found = machine.world.buffers.find(address.bits); found != machine.world.buffers.end()) {
    out.kind = Buffer::Kind::kFile, out.file = &found->second;
  } else if (address.bits >= kStandardBuffers && address.bits < kStandardBuffers + 3 * kApart) {
    out.standard = machine.world.standard_stream((address.bits - kStandardBuffers) / kApart);
    if (out.standard != nullptr) out.kind = Buffer::Kind::kStandard;
  }
  return out;
}
Buffer buffer_of(Machine& machine, Value stream) {
  const auto ios = ios_of(machine, stream);
  return ios ? buffer_at(machine, machine.memory.load(*ios + kBufferInIos, 8)) : Buffer{};
}

void put(Machine& machine, const Call& call, const Buffer& buffer, const Piece& piece) {
  switch (buffer.kind) {
    case Buffer::Kind::kFile: return put_in_file(machine, call, *buffer.file, piece.bytes, piece.text);
    case Buffer::Kind::kText: return put_in_text(machine, call, buffer.address, piece);
    case Buffer::Kind::kStandard: {
      Opened& one = *buffer.standard;
      move_bytes(machine, call,
                 {Operation::kStreamWrite, one.file, one.position, piece.bytes, piece.text != nullptr, piece.text});
      one.position += piece.bytes;
      return;
    }
    case Buffer::Kind::kOwn: return put_own(machine, call, buffer.address, piece);
    case Buffer::Kind::kNothing: break;
  }
}
void put_character(Machine& machine, const Call& call, const Buffer& buffer, Value character) {
  if (buffer.kind == Buffer::Kind::kFile) return put_one_in_file(machine, call, *buffer.file, character);
  const std::string text(1, static_cast<char>(character.bits));
  put(machine, call, buffer, {1, character.known() ? &text : nullptr});
}

void flush(Machine& machine, const Call& call, const Buffer& buffer) {
  if (buffer.kind == Buffer::Kind::kFile) write_out(machine, call, *buffer.file, buffer.file->pending);
  // A standard stream that was never used has no record in a run, either.
  if (buffer.kind == Buffer::Kind::kStandard && machine.ledger.touched(buffer.standard->file))
    machine.access(call, {Operation::kFlush, buffer.standard->file});
}

namespace {
const Opened* opened_by(Machine& machine, const Buffer& buffer) {
  return buffer.kind == Buffer::Kind::kFile       ? machine.world.at(buffer.file->descriptor)
         : buffer.kind == Buffer::Kind::kStandard ? buffer.standard
                                                  : nullptr;
}
}  // namespace

Ahead look_ahead(Machine& machine, const Buffer& buffer, Word window) {
  Ahead out;
  const Opened* one = opened_by(machine, buffer);
  if (one != nullptr) {
    const File& file = machine.world.files[one->file];
    const Word where = buffer.file != nullptr ? logical_position(machine, *buffer.file) : one->position;
    out.rest = file.size_known ? file.size - std::min(file.size, where) : machine.setting.line_bytes;
    out.told = file.size_known && bytes_of_file(file, where, std::min(out.rest, window), out.text);
  } else if (buffer.kind == Buffer::Kind::kText) {
    const auto left = left_in_text(machine, buffer.address);
    if (!left) return out;
    out.rest = left->second - left->first;
    out.text.resize(std::min(out.rest, window));
    out.told = machine.memory.read(left->first, out.text.data(), out.text.size());
  } else if (buffer.kind == Buffer::Kind::kOwn) {
    machine.note("input through a stream buffer of the program's own is not followed");
  }
  return out;
}

void not_read(Machine& machine, const Call& call, const Buffer& buffer) {
  if (const Opened* one = opened_by(machine, buffer)) not_read(machine, call, machine.world.files[one->file]);
}

Word consume(Machine& machine, const Call& call, const Buffer& buffer, Word bytes) {
  const Ahead ahead = look_ahead(machine, buffer, 0);
  const Opened* one = opened_by(machine, buffer);
  if (ahead.told && one != nullptr) reads_on(machine, call, machine.world.files[one->file], ahead.rest);
  else if (ahead.told) machine.wrote_text(call, ahead.rest, 0);  // a text in memory
  if (buffer.kind == Buffer::Kind::kFile) return take(machine, call, *buffer.file, bytes);
  const Word rest = ahead.rest, got = std::min(bytes, rest);
  machine.compare(call, bytes + 1, rest);  // a loop comes to the end
  if (buffer.kind == Buffer::Kind::kText) skip_in_text(machine, buffer.address, got);
  if (buffer.kind == Buffer::Kind::kStandard && got > 0) {
    move_bytes(machine, call, {Operation::kStreamRead, buffer.standard->file, buffer.standard->position, got, false});
    buffer.standard->position += got;
  }
  return got;
}

bool more(Machine& machine, const Call& call, const Buffer& buffer) {
  if (buffer.kind != Buffer::Kind::kFile) return look_ahead(machine, buffer, 0).rest > 0;
  machine.compare(call, 1, buffer.file->left);
  return buffer.file->left > 0 || refill(machine, call, *buffer.file);
}

Word consume_into(Machine& machine, const Call& call, const Buffer& buffer, Value to, Word bytes) {
  if (buffer.kind == Buffer::Kind::kFile) return take_block(machine, call, *buffer.file, to, bytes);
  const auto left = buffer.kind == Buffer::Kind::kText ? left_in_text(machine, buffer.address) : std::nullopt;
  const Word got = consume(machine, call, buffer, bytes);
  if (left && to.known()) machine.memory.copy(to.bits, left->first, got);
  else if (to.known()) machine.memory.forget(to.bits, got, machine.unknown(call.at, "bytes of standard input").cause);
  return got;
}

void give_back(Machine& machine, const Buffer& buffer) {
  if (buffer.kind == Buffer::Kind::kText) skip_in_text(machine, buffer.address, ~Word{0});
  if (buffer.kind == Buffer::Kind::kFile) ++buffer.file->left;
}

Value seek(Machine& machine, const Call& call, const Buffer& buffer, Value offset, Word from, Word mode) {
  if (buffer.kind == Buffer::Kind::kFile) return seek_in_file(machine, call, *buffer.file, offset, from);
  if (buffer.kind == Buffer::Kind::kText) return seek_in_text(machine, buffer.address, offset, from, mode);
  return buffer.kind == Buffer::Kind::kNothing ? Value::of(~Word{0})
                                               : machine.unknown(call.at, "a location in a stream");
}

void seek_stream(Machine& machine, Call& call, Word side) {
  call.returns(call.argument(0));
  if ((state_of(machine, call.argument(0)) & (kFailed | kBad)) != 0) return;
  const bool from = call.name.ends_with("Seekdir");
  const Value location = seek(machine, call, buffer_of(machine, call.argument(0)), call.argument(1),
                              from ? call.argument(2).bits : 0, side);
  if (location.known() && location.bits == ~Word{0}) add_state(machine, call, call.argument(0), kFailed);
}

void tell_stream(Machine& machine, Call& call, Word side) {
  if (call.result.size() > 1) call.result[1] = Value::of(Word{0});
  const bool failed = (state_of(machine, call.argument(0)) & (kFailed | kBad)) != 0;
  call.returns(failed ? Value::of(~Word{0})
                      : seek(machine, call, buffer_of(machine, call.argument(0)), Value::of(Word{0}), 1, side));
}

namespace {

// Virtual functions of buffers, as the headers call them.
template <bool Stays>
void next_model(Machine& machine, Call& call) {
  const Buffer buffer = buffer_at(machine, call.argument(0));
  if (buffer.kind == Buffer::Kind::kOwn) {
    constexpr Word kIn = 16;  // where the next character is read
    const Value next = next_own(machine, call, buffer.address);
    if (!Stays && lowest(next.bits, 32) != 0xffffffff)
      machine.memory.store(buffer.address + kIn, 8, Value::of(machine.memory.load(buffer.address + kIn, 8).bits + 1));
    return call.returns(next);
  }
  const Ahead ahead = look_ahead(machine, buffer, 1);
  if (!more(machine, call, buffer)) return call.returns(Value::of(lowest(~Word{0}, 32)));
  if (!Stays) consume(machine, call, buffer, 1);
  call.returns(ahead.told ? Value::of(Word{static_cast<unsigned char>(ahead.text[0])})
                          : machine.unknown_character(call.at, "a character that was read"));
}
void puts_model(Machine& machine, Call& call) {
  const Value bytes = call.argument(2);
  std::string data;
  const bool told = bytes.known() && written_data(machine, call.argument(1), bytes.bits, data);
  const Piece piece{bytes.known() ? bytes.bits : machine.setting.line_bytes, told ? &data : nullptr, call.argument(1)};
  put(machine, call, buffer_at(machine, call.argument(0)), piece);
  call.returns(bytes);
}
void puts_one_model(Machine& machine, Call& call) {
  if (!call.argument(1).known() || lowest(call.argument(1).bits, 32) != 0xffffffff)
    put_character(machine, call, buffer_at(machine, call.argument(0)), call.argument(1));
  call.returns(call.argument(1));
}
void takes_model(Machine& machine, Call& call) {
  const Value bytes = call.argument(2);
  if (!bytes.known()) return call.returns(bytes);
  call.returns(
      Value::of(consume_into(machine, call, buffer_at(machine, call.argument(0)), call.argument(1), bytes.bits)));
}
void seek_model(Machine& machine, Call& call) {  // this, offset, from where, which
  call.returns(seek(machine, call, buffer_at(machine, call.argument(0)), call.argument(1), call.argument(2).bits,
                    call.argument(3).bits));
}
void seek_position_model(Machine& machine, Call& call) {  // this, a location of two words, which
  call.returns(seek(machine, call, buffer_at(machine, call.argument(0)), call.argument(1), 0, call.argument(3).bits));
}
void sync_model(Machine& machine, Call& call) { flush(machine, call, buffer_at(machine, call.argument(0))); }
void init_model(Machine& machine, Call& call) {
  if (call.argument(0).known()) init_ios(machine, call.argument(0).bits, call.argument(1).bits);
}
void clear_model(Machine& machine, Call& call) {
  if (!call.argument(0).known()) return;
  const bool none = machine.memory.load(call.argument(0).bits + kBufferInIos, 8).bits == 0;
  machine.memory.store(
      call.argument(0).bits + kStateInIos, 4,
      call.argument(1).known() ? Value::of(call.argument(1).bits | (none ? kBad : 0)) : call.argument(1));
  throw_failure(machine, call, call.argument(0).bits);
}
void exchange_buffer_model(Machine& machine, Call& call) {  // ios, the new one; the one before comes back
  if (!call.argument(0).known()) return;
  const Word ios = call.argument(0).bits;
  call.returns(machine.memory.load(ios + kBufferInIos, 8));
  machine.memory.store(ios + kBufferInIos, 8, call.argument(1));
  machine.memory.store(ios + kStateInIos, 4, Value::of(call.argument(1).bits == 0 ? kBad : Word{0}));
}
// Each stream of the library is flushed at the end, those for wide characters, too; the ones for errors flush what they are tied to.
void end_model(Machine& machine, Call& call) {
  for (const auto& [descriptor, times] : {std::pair(1, 4), std::pair(2, 6)})
    if (const Opened* one = machine.world.at(descriptor); one != nullptr && machine.ledger.touched(one->file))
      for (int i = 0; i < times; ++i) machine.access(call, {Operation::kFlush, one->file});
}

#define TRIKAL_FILEBUF "_ZNSt13basic_filebufIcSt11char_traitsIcEE"
#define TRIKAL_STRINGBUF "_ZNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEE"
#define TRIKAL_BUFFER "_ZNSt15basic_streambufIcSt11char_traitsIcEE"
#define TRIKAL_IOS "_ZNSt9basic_iosIcSt11char_traitsIcEE"
constexpr NamedModel kCppBuffersModels[] = {
    {TRIKAL_FILEBUF "9underflowEv", next_model<true>},
    {TRIKAL_STRINGBUF "9underflowEv", next_model<true>},
    {TRIKAL_BUFFER "5uflowEv", next_model<false>},
    {TRIKAL_FILEBUF "6xsputnEPKcl", puts_model},
    {TRIKAL_BUFFER "6xsputnEPKcl", puts_model},
    {TRIKAL_FILEBUF "8overflowEi", puts_one_model},
    {TRIKAL_STRINGBUF "8overflowEi", puts_one_model},
    {TRIKAL_FILEBUF "6xsgetnEPcl", takes_model},
    {TRIKAL_BUFFER "6xsgetnEPcl", takes_model},
    {TRIKAL_FILEBUF "7seekoffElSt12_Ios_SeekdirSt13_Ios_Openmode", seek_model},
    {TRIKAL_STRINGBUF "7seekoffElSt12_Ios_SeekdirSt13_Ios_Openmode", seek_model},
    {TRIKAL_FILEBUF "7seekposESt4fposI11__mbstate_tESt13_Ios_Openmode", seek_position_model},
    {TRIKAL_STRINGBUF "7seekposESt4fposI11__mbstate_tESt13_Ios_Openmode", seek_position_model},
    {TRIKAL_FILEBUF "4syncEv", sync_model},
    {TRIKAL_BUFFER "4syncEv", sync_model},
    {TRIKAL_IOS "4initEPSt15basic_streambufIcS1_E", init_model},
    {TRIKAL_IOS "5clearESt12_Ios_Iostate", clear_model},
    {TRIKAL_IOS "5rdbufEPSt15basic_streambufIcS1_E", exchange_buffer_model},
    {"_ZNSt8ios_base4InitD1Ev", end_model},
};
#undef TRIKAL_FILEBUF
#undef TRIKAL_STRINGBUF
#undef TRIKAL_BUFFER
#undef TRIKAL_IOS

}  // namespace

std::span<const NamedModel> cpp_buffer_models() { return kCppBuffersModels; }

}  // namespace trikal::predict
