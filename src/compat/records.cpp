// Records, one after the other, and the plain bytes of a module.

#include "compat/records.hpp"

#include <climits>
#include <cstdlib>

#include "compat/caller.hpp"
#include "compat/handle.hpp"
#include "compat/losses.hpp"
#include "compat/record_memory.hpp"
#include "modules/list.hpp"

namespace trikal::compat {
namespace {

// Puts the record where the caller wants it.
int hand_out(const darshan_fd_int_state& state, ModuleId module, Bytes record, const char* function, void** buf) {
  const std::size_t segment = segment_bytes_for(module);
  const std::size_t size = bytes_in_memory(module, record, segment);
  if (*buf != nullptr && size > DEF_MOD_BUF_SIZE) {
    const Error error{.code = ErrorCode::kLimit, .what = "a record does not fit into the caller's buffer"};
    return complain(function, state.path, error), -1;
  }
  if (*buf == nullptr) *buf = allocate(size);
  to_memory(module, record, segment, static_cast<std::byte*>(*buf));
  lose_values(module, state.reader->header().module_versions[module], static_cast<std::byte*>(*buf));
  return 1;
}

}  // namespace

std::size_t segment_bytes_for(ModuleId module) {
  return find_module(module)->schema->shape == Shape::kSliced ? caller_segment_bytes() : 0;
}

int get_record(darshan_fd fd, int module, void** buf, const char* function) {
  return shielded(function, -1, [&] {
    darshan_fd_int_state* state = reading(fd, function);
    if (state == nullptr) return -1;
    if (module < 0 || module >= DARSHAN_MAX_MODS) return complain(function, "no such module"), -1;
    const auto id = static_cast<ModuleId>(module);
    auto record = state->cursor.next_record(*state->reader, id);
    if (!record) return complain(function, state->path, record.error()), -1;
    return record->empty() ? 0 : hand_out(*state, id, *record, function, buf);
  });
}

}  // namespace trikal::compat

extern "C" {

int darshan_log_get_record(darshan_fd fd, int mod_idx, void** buf) {
  return trikal::compat::get_record(fd, mod_idx, buf, __func__);
}

int darshan_log_get_mod(darshan_fd fd, darshan_module_id mod_id, void* buf, int size) {
  using namespace trikal;  // NOLINT(google-build-using-namespace)
  const char* function = __func__;
  return compat::shielded(function, -1, [&] {
    darshan_fd_int_state* state = compat::reading(fd, function);
    if (state == nullptr) return -1;
    if (static_cast<unsigned>(mod_id) >= DARSHAN_MAX_MODS || size < 0)
      return compat::complain(function, "no such module"), -1;
    const MutableBytes out(static_cast<std::byte*>(buf), static_cast<std::size_t>(size));
    auto got = state->cursor.read_plain(*state->reader, static_cast<ModuleId>(mod_id), out);
    if (!got) return compat::complain(function, state->path, got.error()), -1;
    return static_cast<int>(*got);
  });
}

}  // extern "C"
