#pragma once
// Files and folders by name: what calls that take names share.

#include <string>

#include "predict/machine/machine.hpp"

namespace trikal::predict {

// The name in an argument, as logs have it, and why it leads nowhere: 0, EBADF or ENOTDIR of the folder that it is
// relative to.
struct Named {
  std::string name;
  int error = 0;
  [[nodiscard]] bool known() const { return !name.starts_with("<unknown"); }
};
[[nodiscard]] Named named(Machine& machine, const Call& call, std::size_t path);
// Relative to what the descriptor in another argument stands for.
[[nodiscard]] Named named_in(Machine& machine, const Call& call, std::size_t folder, std::size_t path);

// Why nothing of that name can be used: 0, ENOENT or ENOTDIR.
[[nodiscard]] int why_missing(Machine& machine, const std::string& name);
// Why nothing of that name can be made: 0, EEXIST, ENOENT or ENOTDIR.
[[nodiscard]] int why_not_made(Machine& machine, const std::string& name);
// Why open(2) fails with those flags; 0: it does not.
[[nodiscard]] int why_not_opened(Machine& machine, const std::string& name, Word flags);
// Whether there is something of that name, a link that leads nowhere included.
[[nodiscard]] bool entry_exists(Machine& machine, const std::string& name);
// Whether the call is about a name that is not known and of nothing that was seen: then it returns that.
[[nodiscard]] bool unclear(Machine& machine, Call& call, const Named& name);

// An empty folder begins to be.
void make_folder(Machine& machine, const Call& call, std::uint32_t number, Word mode = 0777);
// Removes a file, a link or an empty folder: 0, or why not.
[[nodiscard]] int remove_entry(Machine& machine, const Call& call, const std::string& name, bool folder);
[[nodiscard]] int rename_entry(Machine& machine, const Call& call, const std::string& from, const std::string& to);

// A call that returns a pointer and fails.
void fail_pointer(Machine& machine, Call& call, int number);
// Text for the program: where it asked for it, or on the heap.
void return_text(Machine& machine, Call& call, Value to, const std::string& text);

// Whether the process may use it so, as access(2) asks.
[[nodiscard]] bool permitted(const Machine& machine, const File& file, int how);
// struct stat of a file, as far as it is known. `link`: what is in the link that it is about.
void put_stat(Machine& machine, const Call& call, Value where, std::uint32_t file, const std::string& link = "");

}  // namespace trikal::predict
