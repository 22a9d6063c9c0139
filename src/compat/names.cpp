// The names of records, as an array or as a hash table.

#include <climits>
#include <cstring>
#include <unordered_set>

#include "base/keyed_hash.hpp"
#include "compat/handle.hpp"
#include "compat/name_hash.h"

namespace {

using namespace trikal;  // NOLINT(google-build-using-namespace): the functions below are C's

// Which names a caller wants: all, or those of a list.
class Wanted {
 public:
  Wanted() = default;
  Wanted(const darshan_record_id* ids, int count) : all_(false) {
    if (ids != nullptr && count > 0) ids_.insert(ids, ids + count);
  }
  [[nodiscard]] bool operator()(std::uint64_t id) const { return all_ || ids_.contains(id); }

 private:
  bool all_ = true;
  std::unordered_set<std::uint64_t, KeyedHash> ids_;
};

// Calls take(id, name) for each wanted name. False where some were lost; those before the damage are there.
template <class Take>
bool each_name(darshan_fd fd, const char* function, const Wanted& wanted, Take&& take) {
  darshan_fd_int_state* state = compat::reading(fd, function);
  if (state == nullptr) return false;
  state->cursor.leave();
  auto names = state->reader->names();
  if (!names) return compat::complain(function, state->path, names.error()), false;
  for (const log::NameTable::Entry& entry : (*names)->entries()) {
    if (wanted(entry.id)) take(entry.id, (*names)->text(entry));
  }
  const Error loss = compat::loss_in(*state->reader, "names");
  if (loss.code == ErrorCode::kNone) return true;
  compat::complain(function, state->path, loss);
  return false;
}

void list_names(darshan_fd fd, const char* function, darshan_name_record_info** names, int* count,
                const Wanted& wanted) {
  *names = nullptr, *count = 0;
  std::vector<darshan_name_record_info> found;
  each_name(fd, function, wanted, [&](std::uint64_t id, std::string_view name) {
    if (found.size() == INT_MAX) return;
    auto* copy = static_cast<char*>(compat::allocate(name.size() + 1));
    name.copy(copy, name.size());
    copy[name.size()] = '\0';
    found.push_back({id, copy});
  });
  if (found.empty()) return;
  const std::size_t bytes = found.size() * sizeof found[0];
  *names = static_cast<darshan_name_record_info*>(compat::allocate(bytes));
  std::memcpy(*names, found.data(), bytes);
  *count = static_cast<int>(found.size());
}

int hash_names(darshan_fd fd, const char* function, darshan_name_record_ref** hash, const Wanted& wanted) {
  bool fits = true;
  const bool complete = each_name(fd, function, wanted, [&](std::uint64_t id, std::string_view name) {
    fits = fits && trikal_name_hash_add(hash, id, name.data(), name.size()) == 0;
  });
  if (!fits) compat::complain(function, "out of memory");
  return complete && fits ? 0 : -1;
}

}  // namespace

extern "C" {

void darshan_log_get_name_records(darshan_fd fd, struct darshan_name_record_info** names, int* count) {
  compat::shielded(__func__, 0, [&] {
    list_names(fd, "darshan_log_get_name_records", names, count, Wanted());
    return 0;
  });
}

void darshan_log_get_filtered_name_records(darshan_fd fd, struct darshan_name_record_info** names, int* count,
                                           darshan_record_id* ids, int id_count) {
  compat::shielded(__func__, 0, [&] {
    list_names(fd, "darshan_log_get_filtered_name_records", names, count, Wanted(ids, id_count));
    return 0;
  });
}

int darshan_log_get_namehash(darshan_fd fd, struct darshan_name_record_ref** hash) {
  return compat::shielded(__func__, -1, [&] { return hash_names(fd, "darshan_log_get_namehash", hash, Wanted()); });
}

int darshan_log_get_filtered_namehash(darshan_fd fd, struct darshan_name_record_ref** hash, darshan_record_id* ids,
                                      int id_count) {
  return compat::shielded(
      __func__, -1, [&] { return hash_names(fd, "darshan_log_get_filtered_namehash", hash, Wanted(ids, id_count)); });
}

}  // extern "C"
