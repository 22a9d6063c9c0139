// Writing a log, call by call.

#include <cstring>

#include "compat/handle.hpp"
#include "compat/record_memory.hpp"
#include "compat/records.hpp"

namespace {

using namespace trikal;  // NOLINT(google-build-using-namespace): the functions below are C's

// Hands the log to `put` and its failure to standard error.
template <class Put>
int write(darshan_fd fd, const char* function, Put&& put) {
  return compat::shielded(function, -1, [&] {
    if (fd == nullptr || fd->state == nullptr || !fd->state->writing) {
      return compat::complain(function, "no log is open for writing"), -1;
    }
    const Status done = put(*fd->state->writing);
    if (done) return 0;
    fd->state->failed = true;
    return compat::complain(function, fd->state->path, done.error()), -1;
  });
}

}  // namespace

extern "C" {

darshan_fd darshan_log_create(const char* name, enum darshan_comp_type comp_type, int partial_flag) {
  const char* function = __func__;
  return compat::shielded(function, darshan_fd{}, [&]() -> darshan_fd {
    if (name == nullptr) return compat::complain(function, "no file name"), nullptr;
    const auto partial = static_cast<std::uint64_t>(static_cast<std::int64_t>(partial_flag));
    auto writing = compat::LogWriting::create(name, static_cast<log::Codec>(comp_type), partial);
    if (!writing) return compat::complain(function, name, writing.error()), nullptr;
    auto fd = std::make_unique<darshan_fd_s>();
    std::strcpy(fd->version, log::kNewestVersion);  // NOLINT(clang-analyzer-security.insecureAPI.strcpy): 4 of 8
    fd->partial_flag = partial;
    fd->comp_type = comp_type;
    auto state = std::make_unique<darshan_fd_int_state>();
    state->path = name;
    state->writing = std::move(*writing);
    fd->state = state.release();
    return fd.release();
  });
}

int darshan_log_put_job(darshan_fd fd, struct darshan_job* job) {
  return write(fd, __func__, [&](compat::LogWriting& log) { return log.put_job(*job); });
}

int darshan_log_put_exe(darshan_fd fd, char* buf) {
  return write(fd, __func__, [&](compat::LogWriting& log) { return log.put_exe(buf); });
}

int darshan_log_put_mounts(darshan_fd fd, struct darshan_mnt_info* mounts, int count) {
  return write(fd, __func__, [&](compat::LogWriting& log) {
    return log.put_mounts(mounts, count > 0 ? static_cast<std::size_t>(count) : 0);
  });
}

int darshan_log_put_namehash(darshan_fd fd, struct darshan_name_record_ref* hash) {
  return write(fd, __func__, [&](compat::LogWriting& log) { return log.put_names(hash); });
}

int darshan_log_put_mod(darshan_fd fd, darshan_module_id mod_id, void* buf, int size, int ver) {
  return write(fd, __func__, [&](compat::LogWriting& log) -> Status {
    if (static_cast<unsigned>(mod_id) >= kModuleSlots || size < 0 || ver < 0) {
      return Error{.code = ErrorCode::kUsage, .what = "no such module, size or version"};
    }
    const Bytes records(static_cast<const std::byte*>(buf), static_cast<std::size_t>(size));
    fd->mod_ver[mod_id] = static_cast<std::uint32_t>(ver);
    return log.put_plain(static_cast<ModuleId>(mod_id), static_cast<std::uint32_t>(ver), records);
  });
}

}  // extern "C"

namespace trikal::compat {

int put_record(darshan_fd fd, int module, const void* record, const char* function) {
  return write(fd, function, [&](LogWriting& log) {
    const auto id = static_cast<ModuleId>(module);
    return log.put_record(id, from_memory(id, record, segment_bytes_for(id)));
  });
}

}  // namespace trikal::compat
