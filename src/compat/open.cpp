// Opening and closing a log, and everything about it that is not a record: job, mounts, modules.

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>

#include "compat/handle.hpp"
#include "compat/losses.hpp"
#include "log/read/extension_modules.hpp"
#include "modules/list.hpp"

namespace {

using namespace trikal;  // NOLINT(google-build-using-namespace): the functions below are C's

static_assert(sizeof(darshan_fd_s) == 1368 && offsetof(darshan_fd_s, swap_flag) == 8);
static_assert(offsetof(darshan_fd_s, partial_flag) == 16 && offsetof(darshan_fd_s, comp_type) == 24);
static_assert(offsetof(darshan_fd_s, job_map) == 32 && offsetof(darshan_fd_s, name_map) == 48);
static_assert(offsetof(darshan_fd_s, mod_map) == 64 && offsetof(darshan_fd_s, mod_ver) == 1088);
static_assert(offsetof(darshan_fd_s, state) == 1344 && offsetof(darshan_fd_s, first_heatmap_record_nbins) == 1352);
static_assert(sizeof(darshan_job) == log::kJobBytes && sizeof(darshan_mnt_info) == 6030);
static_assert(sizeof(darshan_mod_info) == 24 && sizeof(darshan_name_record_info) == 16);

constexpr const char* kLibraryVersion = "3.5.0";  // PyDarshan refuses any other

darshan_log_map map_of(const log::Extent& extent) { return {extent.offset, extent.length}; }

void describe(const log::Header& header, darshan_fd_s& fd) {
  std::copy(header.version.begin(), header.version.end(), fd.version);
  fd.swap_flag = header.foreign ? 1 : 0;
  fd.partial_flag = header.partial;
  fd.comp_type = static_cast<darshan_comp_type>(header.codec);
  fd.job_map = map_of(header.job);
  fd.name_map = map_of(header.names);
  std::transform(header.modules.begin(), header.modules.end(), fd.mod_map, map_of);
  std::copy(header.module_versions.begin(), header.module_versions.end(), fd.mod_ver);
}

Result<darshan_fd> open_log(const char* path) {
  auto source = log::open_file(path);
  if (!source) return source.error();
  log::hide_extension_modules();
  // What is damaged must not hide what is not. No threads: programs that use this library fork.
  auto reader = log::Reader::open(std::move(*source), {.limits = {}, .salvage = true, .threads = false});
  if (!reader) return reader.error();
  auto fd = std::make_unique<darshan_fd_s>();
  describe((*reader)->header(), *fd);
  auto state = std::make_unique<darshan_fd_int_state>();
  state->path = path;
  state->reader = std::move(*reader);
  fd->state = state.release();
  return fd.release();
}

// The job, unless it was lost. As in the original its region counts as read, at each call or only the first.
const log::Job* job_of(darshan_fd_int_state& state, const char* function, bool each_time) {
  if (each_time || !state.job_seen) state.cursor.leave();
  state.job_seen = true;
  const Error loss = compat::loss_in(*state.reader, "job");
  if (loss.code == ErrorCode::kNone) return &state.reader->job();
  compat::complain(function, state.path, loss);
  return nullptr;
}

// As much of `text` as fits, always ended by a NUL.
void copy_text(const std::string& text, char* out, std::size_t capacity) {
  const std::size_t length = std::min(text.size(), capacity - 1);
  std::memcpy(out, text.data(), length);
  std::memset(out + length, 0, capacity - length);
}

int clamp_int(std::uint64_t value) { return static_cast<int>(std::min<std::uint64_t>(value, INT_MAX)); }

}  // namespace

extern "C" {

darshan_fd darshan_log_open(const char* name) {
  return compat::shielded(__func__, darshan_fd{}, [&]() -> darshan_fd {
    if (name == nullptr) return compat::complain("darshan_log_open", "no file name"), nullptr;
    auto fd = open_log(name);
    if (!fd) return compat::complain("darshan_log_open", name, fd.error()), nullptr;
    return *fd;
  });
}

void darshan_log_close(darshan_fd fd) {
  if (fd == nullptr) return;
  darshan_fd_int_state* state = fd->state;
  if (state->writing && !state->failed) {
    compat::shielded(__func__, 0, [&] {
      const Status done = state->writing->finish();
      if (!done) compat::complain("darshan_log_close", state->path, done.error());
      return 0;
    });
  }
  delete state;
  delete fd;
}

int darshan_log_get_job(darshan_fd fd, struct darshan_job* out) {
  return compat::shielded(__func__, -1, [&] {
    darshan_fd_int_state* state = compat::reading(fd, "darshan_log_get_job");
    const log::Job* job = state != nullptr ? job_of(*state, "darshan_log_get_job", true) : nullptr;
    if (job == nullptr) return -1;
    *out = {.uid = job->uid,
            .start_time_sec = job->start_sec,
            .start_time_nsec = job->start_nsec,
            .end_time_sec = job->end_sec,
            .end_time_nsec = job->end_nsec,
            .nprocs = job->nprocs,
            .jobid = job->job_id,
            .metadata = {}};
    copy_text(job->metadata, out->metadata, sizeof out->metadata);
    return 0;
  });
}

int darshan_log_get_exe(darshan_fd fd, char* buf) {
  return compat::shielded(__func__, -1, [&] {
    darshan_fd_int_state* state = compat::reading(fd, "darshan_log_get_exe");
    const log::Job* job = state != nullptr ? job_of(*state, "darshan_log_get_exe", false) : nullptr;
    if (job == nullptr) return -1;
    static_assert(log::kJobRegion - log::kOldJobBytes < 4096, "what the caller's buffer holds");
    const std::string command = compat::command_line(*job);
    std::memcpy(buf, command.c_str(), command.size() + 1);
    return 0;
  });
}

int darshan_log_get_job_runtime(darshan_fd fd, struct darshan_job job, double* runtime) {
  const darshan_fd_int_state* state = compat::reading(fd, "darshan_log_get_job_runtime");
  if (state == nullptr) return -1;
  const log::Job times{.start_sec = job.start_time_sec,
                       .start_nsec = job.start_time_nsec,
                       .end_sec = job.end_time_sec,
                       .end_nsec = job.end_time_nsec,
                       .whole_seconds = state->reader->job().whole_seconds};
  *runtime = times.run_time();
  return 0;
}

int darshan_log_get_mounts(darshan_fd fd, struct darshan_mnt_info** mounts, int* count) {
  return compat::shielded(__func__, -1, [&] {
    darshan_fd_int_state* state = compat::reading(fd, "darshan_log_get_mounts");
    const log::Job* job = state != nullptr ? job_of(*state, "darshan_log_get_mounts", false) : nullptr;
    *count = 0;
    if (job == nullptr) return -1;
    if (job->mounts.empty()) return 0;
    auto* list = static_cast<darshan_mnt_info*>(compat::allocate(job->mounts.size() * sizeof(darshan_mnt_info)));
    *mounts = list;
    for (const log::Mount& mount : job->mounts) {
      copy_text(mount.type, list->mnt_type, sizeof list->mnt_type);
      copy_text(mount.path, list->mnt_path, sizeof list->mnt_path);
      ++list;
    }
    *count = static_cast<int>(job->mounts.size());
    return 0;
  });
}

void darshan_log_get_modules(darshan_fd fd, struct darshan_mod_info** mods, int* count) {
  compat::shielded(__func__, 0, [&] {
    *count = 0;
    const darshan_fd_int_state* state = compat::reading(fd, "darshan_log_get_modules");
    if (state == nullptr) return -1;
    const log::Header& header = state->reader->header();
    auto* list = static_cast<darshan_mod_info*>(compat::allocate(kModuleSlots * sizeof(darshan_mod_info)));
    *mods = list;
    for (std::size_t i = 0; i < kModuleSlots; ++i) {
      if (header.modules[i].length == 0) continue;
      const ModuleFormat* format = find_module(static_cast<ModuleId>(i));
      list[(*count)++] = {.name = format != nullptr ? format->schema->name.data() : nullptr,
                          .len = clamp_int(header.modules[i].length),
                          .ver = clamp_int(header.module_versions[i]),
                          .idx = static_cast<int>(i),
                          .partial_flag = header.is_partial(i) ? 1 : 0};
    }
    return 0;
  });
}

char* darshan_log_get_lib_version() {
  return const_cast<char*>(kLibraryVersion);  // the prototype is as old as the library
}

void darshan_free(void* ptr) { std::free(ptr); }

}  // extern "C"
