#pragma once
// The buffers of streams, one kind each.

#include "predict/models/cpp.hpp"

namespace trikal::predict {

// Of files. What waits is written, with `bytes` that do not fit.
void write_out(Machine& machine, const Call& call, FileBuffer& buffer, Word bytes);
void put_in_file(Machine& machine, const Call& call, FileBuffer& buffer, Word bytes, const std::string* text);
void put_one_in_file(Machine& machine, const Call& call, FileBuffer& buffer, Value character);
bool refill(Machine& machine, const Call& call, FileBuffer& buffer);  // false at its end
Word take(Machine& machine, const Call& call, FileBuffer& buffer, Word bytes);
Word take_block(Machine& machine, const Call& call, FileBuffer& buffer, Value to, Word bytes);
[[nodiscard]] Word logical_position(Machine& machine, const FileBuffer& buffer);
[[nodiscard]] Value seek_in_file(Machine& machine, const Call& call, FileBuffer& buffer, Value offset, Word from);

// Of text: std::stringbuf, as it lies in memory.
void put_in_text(Machine& machine, const Call& call, Word buffer, const Piece& piece);
[[nodiscard]] std::optional<std::pair<Word, Word>> left_in_text(Machine& machine, Word buffer);  // where, and its end
void skip_in_text(Machine& machine, Word buffer, Word bytes);
[[nodiscard]] Value seek_in_text(Machine& machine, Word buffer, Value offset, Word from, Word mode);

}  // namespace trikal::predict
