// Opening and closing, the job, names, damage.

#include "capi/handle.hpp"
#include "capi/version.hpp"

namespace {

using namespace trikal;
using capi::guarded;
using capi::hand_out;
using capi::OpenLog;
using capi::tell;

log::ReadOptions read_options(const trikal_options* options) {
  log::ReadOptions read;
  if (options == nullptr) return read;
  read.salvage = (options->flags & TRIKAL_SALVAGE) != 0;
  read.threads = (options->flags & TRIKAL_NO_THREADS) == 0;
  if (options->memory_limit != 0) read.limits.memory = options->memory_limit;
  if (options->expanded_limit != 0) read.limits.expanded = options->expanded_limit;
  return read;
}

// Modules with data, known or not.
std::vector<ModuleId> modules_of(const log::Header& header) {
  std::vector<ModuleId> ids;
  for (std::size_t i = 0; i < kModuleSlots; ++i) {
    if (header.modules[i].length > 0) ids.push_back(static_cast<ModuleId>(i));
  }
  return ids;
}

trikal_log* open_source(Result<std::unique_ptr<log::Source>> source, const trikal_options* options,
                        trikal_error* error) {
  if (!source) return tell(error, source.error()), nullptr;
  auto reader = log::Reader::open(std::move(*source), read_options(options));
  if (!reader) return tell(error, reader.error()), nullptr;
  auto open = std::make_shared<OpenLog>();
  open->reader = std::move(*reader);
  for (const auto& [key, value] : open->reader->job().metadata_pairs()) open->metadata.emplace_back(key, value);
  open->tables = log::tables_of(*open->reader, {});
  open->modules = modules_of(open->reader->header());
  const auto& version = open->reader->header().version;
  open->version.assign(version.data(), ::strnlen(version.data(), version.size()));
  auto handle = std::make_unique<trikal_log>();
  handle->open = std::move(open);
  return handle.release();
}

const char* codec_name(log::Codec codec) {
  switch (codec) {
    case log::Codec::kZlib: return "zlib";
    case log::Codec::kBzip2: return "bzip2";
    case log::Codec::kNone: return "none";
  }
  return "";
}

int give_name(const OpenLog& open, const log::NameTable::Entry& entry, trikal_name* name, std::size_t size) {
  const std::string_view text = open.names->text(entry);
  const log::Mount* mount = open.reader->job().mount_of(text);
  const trikal_name told{entry.id, text.data(), text.size(), mount != nullptr ? mount->path.c_str() : nullptr,
                         mount != nullptr ? mount->type.c_str() : nullptr};
  return hand_out(told, name, size);
}

}  // namespace

extern "C" {

uint32_t trikal_abi_version() { return TRIKAL_ABI_VERSION; }
const char* trikal_version() { return capi::kVersion; }

trikal_log* trikal_open(const char* path, const trikal_options* options, trikal_error* error) {
  return guarded<trikal_log*>(error, nullptr, [&]() -> trikal_log* {
    if (path == nullptr) return tell(error, TRIKAL_USAGE, "no path was given"), nullptr;
    return open_source(log::open_file(path), options, error);
  });
}

trikal_log* trikal_open_memory(const void* bytes, size_t size, const trikal_options* options, trikal_error* error) {
  return guarded<trikal_log*>(error, nullptr, [&]() -> trikal_log* {
    if (bytes == nullptr && size > 0) return tell(error, TRIKAL_USAGE, "no bytes were given"), nullptr;
    const auto* first = static_cast<const std::byte*>(bytes);
    return open_source(log::from_memory(std::vector<std::byte>(first, first + size)), options, error);
  });
}

void trikal_close(trikal_log* log) {
  guarded<int>(nullptr, 0, [&] { return delete log, 0; });
}

int trikal_get_job(const trikal_log* log, trikal_job* job, size_t size) {
  if (log == nullptr) return -1;
  const log::Reader& reader = *log->open->reader;
  const log::Job& j = reader.job();
  return guarded<int>(nullptr, -1, [&] {
    const trikal_job told{.uid = j.uid,
                          .job_id = j.job_id,
                          .nprocs = j.nprocs,
                          .start_sec = j.start_sec,
                          .start_nsec = j.start_nsec,
                          .end_sec = j.end_sec,
                          .end_nsec = j.end_nsec,
                          .run_time = j.run_time(),
                          .exe = j.exe.c_str(),
                          .log_version = log->open->version.c_str(),
                          .compression = codec_name(reader.header().codec),
                          .file_bytes = reader.file_size(),
                          .foreign = reader.header().foreign ? 1U : 0U};
    return hand_out(told, job, size);
  });
}

size_t trikal_metadata_count(const trikal_log* log) { return log != nullptr ? log->open->metadata.size() : 0; }

int trikal_get_metadata(const trikal_log* log, size_t index, trikal_pair* pair, size_t size) {
  if (index >= trikal_metadata_count(log)) return -1;
  const auto& [key, value] = log->open->metadata[index];
  return hand_out({key.c_str(), value.c_str()}, pair, size);
}

size_t trikal_mount_count(const trikal_log* log) { return log != nullptr ? log->open->reader->job().mounts.size() : 0; }

int trikal_get_mount(const trikal_log* log, size_t index, trikal_pair* pair, size_t size) {
  if (index >= trikal_mount_count(log)) return -1;
  const log::Mount& mount = log->open->reader->job().mounts[index];
  return hand_out({mount.path.c_str(), mount.type.c_str()}, pair, size);
}

int trikal_name_count(trikal_log* log, uint64_t* count, trikal_error* error) {
  return guarded<int>(error, -1, [&] {
    if (log == nullptr || count == nullptr) return tell(error, TRIKAL_USAGE, "no log, or nowhere to put the count"), -1;
    const std::lock_guard lock(log->open->mutex);
    if (const Status loaded = capi::load_names(*log->open); !loaded) return tell(error, loaded.error()), -1;
    *count = log->open->names->entries().size();
    return 0;
  });
}

int trikal_get_name(const trikal_log* log, uint64_t index, trikal_name* name, size_t size) {
  if (log == nullptr || log->open->names == nullptr || index >= log->open->names->entries().size()) return -1;
  return guarded<int>(nullptr, -1,
                      [&] { return give_name(*log->open, log->open->names->entries()[index], name, size); });
}

int trikal_find_name(const trikal_log* log, uint64_t id, trikal_name* name, size_t size) {
  if (log == nullptr || log->open->names == nullptr) return -1;
  const log::NameTable::Entry* entry = log->open->names->find(id);
  if (entry == nullptr) return -1;
  return guarded<int>(nullptr, -1, [&] { return give_name(*log->open, *entry, name, size); });
}

size_t trikal_damage_count(trikal_log* log) {
  if (log == nullptr) return 0;
  return guarded<size_t>(nullptr, 0, [&] {
    const std::lock_guard lock(log->open->mutex);
    log->open->damage = log->open->reader->damage();
    return log->open->damage.size();
  });
}

int trikal_get_damage(const trikal_log* log, size_t index, trikal_damage* damage, size_t size) {
  if (log == nullptr || index >= log->open->damage.size()) return -1;
  const log::Damage& d = log->open->damage[index];
  const trikal_damage told{.loss = d.severity == log::Damage::Severity::kLoss ? 1U : 0U,
                           .code = capi::code_of(d.error.code),
                           .offset = d.error.offset,
                           .salvaged = d.salvaged,
                           .part = d.where.c_str(),
                           .what = d.error.what};
  return hand_out(told, damage, size);
}

}  // extern "C"
