#pragma once
// What models of libstdc++ share. Objects lie in memory as the library has them; what its headers do is done by their own
// code, and only what is inside of the library has models.

#include <optional>
#include <span>
#include <string>

#include "predict/machine/machine.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {

struct NamedModel;
std::span<const NamedModel> cpp_container_models();  // and threads

[[nodiscard]] bool read_string(Machine& machine, Value object, std::string& out);
void write_string(Machine& machine, const Call& call, Value object, const std::string& text, bool known);

// Tables of virtual functions, and cout, cin and their kin.
void cpp_external(Machine& machine, std::string_view name, Word address);
bool cpp_table(Machine& machine, std::string_view name, Word address, Word bytes);
// Where a copy of that table is, as objects point to it.
[[nodiscard]] Word cpp_table_of(Machine& machine, const char* name);

// Offsets in std::ios_base and std::ios.
inline constexpr Word kPrecisionInIos = 8, kWidthInIos = 16, kFlagsInIos = 24, kStateInIos = 32, kTieInIos = 216,
                      kFillInIos = 224, kBufferInIos = 232, kFacetInIos = 240;
inline constexpr Word kBad = 1, kEnd = 2, kFailed = 4;  // badbit, eofbit, failbit

// The std::ios of a stream, by the table of the stream.
[[nodiscard]] std::optional<Word> ios_of(Machine& machine, Value stream);
[[nodiscard]] Word state_of(Machine& machine, Value stream);
void set_state(Machine& machine, Value stream, Word bits);
// Throws where the program asked for that.
void add_state(Machine& machine, const Call& call, Value stream, Word bits);
void throw_failure(Machine& machine, const Call& call, Word ios);
// As std::ios::init leaves it.
void init_ios(Machine& machine, Word ios, Word buffer);

// What is behind a stream: a file, text in memory, a standard stream, or a class of the program's.
struct Buffer {
  enum class Kind : std::uint8_t { kNothing, kFile, kText, kStandard, kOwn };
  Kind kind = Kind::kNothing;
  Word address = 0;
  FileBuffer* file = nullptr;
  Opened* standard = nullptr;
};
[[nodiscard]] Buffer buffer_at(Machine& machine, Value address);
[[nodiscard]] Buffer buffer_of(Machine& machine, Value stream);

// Bytes that go into it; `from` is where they lie, where they lie anywhere.
struct Piece {
  Word bytes = 0;
  const std::string* text = nullptr;
  Value from{0, 1};
};
void put(Machine& machine, const Call& call, const Buffer& buffer, const Piece& piece);
void put_character(Machine& machine, const Call& call, const Buffer& buffer, Value character);
void flush_tied(Machine& machine, const Call& call, Value stream);  // before anything is done to a stream
void flush(Machine& machine, const Call& call, const Buffer& buffer);

// What comes next; `told` where it is known.
struct Ahead {
  std::string text;
  bool told = false;
  Word rest = 0;  // bytes until the end
};
[[nodiscard]] Ahead look_ahead(Machine& machine, const Buffer& buffer, Word window = 4096);
// Where a line or a word ends that is not known is assumed.
void not_read(Machine& machine, const Call& call, const Buffer& buffer);
// Takes up to `bytes`; how many there were.
Word consume(Machine& machine, const Call& call, const Buffer& buffer, Word bytes);
// Looks at the next character: where the buffer is empty, the file is read for it.
bool more(Machine& machine, const Call& call, const Buffer& buffer);
// Bytes into memory, as xsgetn does it.
Word consume_into(Machine& machine, const Call& call, const Buffer& buffer, Value to, Word bytes);
void give_back(Machine& machine, const Buffer& buffer);
// The new location; -1 where there is none. `from`: 0 the beginning, 1 here, 2 the end.
[[nodiscard]] Value seek(Machine& machine, const Call& call, const Buffer& buffer, Value offset, Word from, Word mode);
// seekg and seekp, tellg and tellp of a stream that is well: `side` is std::ios::in or out.
inline constexpr Word kInput = 8, kOutput = 16;
void seek_stream(Machine& machine, Call& call, Word side);
void tell_stream(Machine& machine, Call& call, Word side);

}  // namespace trikal::predict
