#pragma once
// Open files: what calls on descriptors and rings of submissions do to them alike.

#include <string>

#include "predict/machine/machine.hpp"

namespace trikal::predict {

// Opens a file with flags of open(2): the descriptor, or an error as a negative number.
[[nodiscard]] int open_file(Machine& machine, const Call& call, const std::string& name, Word flags, Word mode = 0666);
// A name that may be relative to an open folder.
[[nodiscard]] std::string name_in_folder(Machine& machine, Value folder, Value path);
// Less than asked for where the process may not write larger files.
[[nodiscard]] Word writable(Machine& machine, const Call& call, Word where, Word asked);

}  // namespace trikal::predict
