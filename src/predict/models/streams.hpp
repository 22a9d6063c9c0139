#pragma once
// What models of files share.

#include <string>
#include <string_view>

#include "predict/machine/machine.hpp"

namespace trikal::predict {

// Moves bytes at `offset` and says so; the file grows or ends.
struct Transfer {
  Operation operation;
  std::uint32_t file;
  Word offset, bytes;
  bool bytes_known = true;
  const std::string* data = nullptr;  // what is written, or how it begins, where that is known
  bool extrapolated = false;          // iterations that were not run are in it
  std::uint32_t selection = 0;        // in a dataset of HDF5's: of the ledger
};
void move_bytes(Machine& machine, const Call& call, const Transfer& transfer);

// How many of `asked` bytes there are from `offset` on. A file of unknown size has them all.
[[nodiscard]] Word readable(Machine& machine, const Call& call, const File& file, Word offset, Word asked);
// Bytes of a file come into memory: what lies on the disk where that is small, else they are not known.
void fill_from_file(Machine& machine, const Call& call, const File& file, Word offset, Value buffer, Word bytes);
// Those bytes, where they are known.
[[nodiscard]] bool bytes_of_file(const File& file, Word offset, Word bytes, std::string& out);
// What a call tells of text that is not known, such as where a line ends, is assumed.
void not_read(Machine& machine, const Call& call, const File& file);

// The text behind a pointer, or nothing: then `call` says why in what it returns.
[[nodiscard]] bool text_argument(Machine& machine, const Call& call, std::size_t index, std::string& out);
// A name for a file whose name is not known.
[[nodiscard]] std::string name_argument(Machine& machine, const Call& call, std::size_t index);
// A call that fails for the reason of `number`.
void fail(Machine& machine, Call& call, int number, unsigned width = 32);
inline constexpr Word kErrno = (Word{1} << 47) + 64;  // where errno is

// Where the bytes of a file are that is as it was on the disk.
[[nodiscard]] inline const std::string& path_on_disk(const File& file) {
  return file.lies.empty() ? file.name : file.lies;
}
// Whether a file of that name can be made: its folder is there.
[[nodiscard]] bool folder_exists(Machine& machine, const std::string& name);
// The file begins anew.
void make_empty(File& file);
// The same of a file that may have had something in it.
void replace(Machine& machine, const Call& call, File& file);
// What a write would put into the file, where it is known and small.
[[nodiscard]] bool written_data(Machine& machine, Value buffer, Word bytes, std::string& out);

// A stream into memory is written out: flushed, or closed.
void settle_memory(Machine& machine, const Call& call, File& file);

struct Printed {
  std::string text;
  bool known = true;
};
// A format with its arguments; what is not known has an assumed length.
[[nodiscard]] Printed print(Machine& machine, const Call& call, std::string_view format,
                            std::span<const Value> arguments);
// The arguments behind a va_list.
[[nodiscard]] std::vector<Value> list_arguments(Machine& machine, const Call& call, Value list);

// Where the stream stands, `bytes` are moved.
void move_in_stream(Machine& machine, const Call& call, Opened& one, bool writes, Word bytes, bool known = true,
                    const std::string* data = nullptr);

void mpi_external(Machine& machine, std::string_view name, Word address);

}  // namespace trikal::predict
