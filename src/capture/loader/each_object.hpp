#pragma once
// The objects that the loader has in the process.
//
// dl_iterate_phdr takes a lock of the loader's. A child that was forked while another thread held it waits for ever: the C
// library frees its other locks there, not this one. So objects that were there from the start are looked at without any
// (they stay, and so does their order), and a forked child looks at all of them without, until it has loaded one itself.

#include <link.h>

#include <cstddef>

namespace trikal::capture {

// As the callback of dl_iterate_phdr: anything but 0 ends it.
using ObjectVisit = int(dl_phdr_info* info, std::size_t size, void* data);

// True: a visit has ended it.
bool each_first_object(ObjectVisit* visit, void* data) noexcept;
[[nodiscard]] bool has_later_objects() noexcept;
bool each_object(ObjectVisit* visit, void* data) noexcept;

// Around fork: in the thread that calls it, and in the child.
void before_fork_of_loader() noexcept;
void after_fork_of_loader() noexcept;

}  // namespace trikal::capture
