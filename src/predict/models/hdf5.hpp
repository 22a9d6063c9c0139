#pragma once
// What models of HDF5's functions share.

#include <optional>
#include <string>

#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {

// The call fails: -1 of its width. HDF5 says why on standard error; that is not predicted.
void hdf5_fails(Call& call);

// The object behind a handle. Null: then the call returns what comes of it (an error; or not known, and why).
[[nodiscard]] const Hdf5Object* hdf5_object(Machine& machine, Call& call, std::size_t index, Hdf5Kind kind);
[[nodiscard]] Hdf5Object* hdf5_change(Machine& machine, Call& call, std::size_t index, Hdf5Kind kind);
void hdf5_made(Machine& machine, Call& call, Hdf5Object object);  // the call returns a handle for it

// A location in a file: of a handle, and of a name that goes on from there.
struct Hdf5Where {
  Hdf5::Location location;
  bool writable = true;
  bool known = true;  // whether all that lies in the file is known
};
[[nodiscard]] std::optional<Hdf5Where> hdf5_where(Machine& machine, Call& call, std::size_t location,
                                                  const std::string& name);
[[nodiscard]] std::optional<Hdf5Where> hdf5_where(Machine& machine, Call& call, std::size_t location, std::size_t name);
[[nodiscard]] std::string hdf5_name(Machine& machine, const Call& call, std::size_t index);
// Groups on the way there, where the list of properties asks for them. False: the one it is to lie in is not there.
[[nodiscard]] bool hdf5_parents(Machine& machine, const Hdf5Where& where, const Hdf5List& list);

// Lists of properties, by argument: H5P_DEFAULT is what HDF5 does if it is not told otherwise.
[[nodiscard]] Hdf5List hdf5_list(Machine& machine, const Call& call, std::size_t index);
[[nodiscard]] std::optional<Hdf5Type> hdf5_type(Machine& machine, Call& call, std::size_t index);
// Numbers of 64 bits in memory; a cause: one is not known.
[[nodiscard]] Cause hdf5_sizes(Machine& machine, Value from, std::size_t count, std::vector<Word>& out);
void hdf5_put_sizes(Machine& machine, Value to, const std::vector<Word>& sizes);
void hdf5_put(Machine& machine, Value to, unsigned bytes, Word value);  // where there is a pointer

// A dataset, made or found there. Nothing: the call returns what comes of it.
struct Hdf5NewDataset {
  Hdf5Type type;
  Hdf5Space space;
  Hdf5List creation, link;
  bool deprecated = false;
};
[[nodiscard]] std::optional<Word> hdf5_create_dataset(Machine& machine, Call& call, const Hdf5Where& where,
                                                      const Hdf5NewDataset& wanted);
[[nodiscard]] std::optional<Word> hdf5_open_dataset(Machine& machine, Call& call, const Hdf5Where& where,
                                                    bool deprecated);
void hdf5_close_dataset(Machine& machine, const Call& call, Word handle);

struct Hdf5Transfer {
  Word dataset = 0;
  Hdf5Type memory_type;
  std::optional<Hdf5Space> memory, file;  // nothing: H5S_ALL
  Value buffer;
  bool writes = true, collective = false;
};
// False: it fails.
[[nodiscard]] bool hdf5_transfer(Machine& machine, const Call& call, const Hdf5Transfer& transfer);

// Types and lists that the library has in variables.
void hdf5_external(Machine& machine, std::string_view name, Word address);
[[nodiscard]] std::optional<Hdf5Type> hdf5_type_named(std::string_view name);  // "NATIVE_INT"

}  // namespace trikal::predict
