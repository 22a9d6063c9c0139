#pragma once
// What each call on a file of Parallel netCDF's means for the counters.

#include "capture/records/record_details.hpp"
#include "capture/records/timer.hpp"
#include "capture/session/hooks.hpp"
#include "capture/session/session.hpp"
#include "modules/pnetcdf_file/schema.hpp"
#include "schema/record.hpp"

namespace trikal::modules::pnetcdf_file {

using capture::Span;

struct alignas(64) PnetcdfFile {
  Record<kSchema> record;
  capture::Spin lock;
  double wait_end = 0, meta_end = 0;
};

// The file that PnetCDF was given that name for, null if it is not watched.
[[nodiscard]] capture::File* file_at(const char* path) noexcept;
// Its record, made if it has none; null if the module is off or there is no memory.
[[nodiscard]] PnetcdfFile* record_of(capture::File* file) noexcept;

// Which file a number stands for, from opening to closing. Numbers are given again.
void keep(int number, capture::File* file) noexcept;
[[nodiscard]] capture::File* file_of(int number) noexcept;
[[nodiscard]] capture::File* take(int number) noexcept;  // and it no longer does

void opened(PnetcdfFile& file, Span when, bool created) noexcept;
void defined(PnetcdfFile& file, Span when) noexcept;    // the end of define mode
void redefining(PnetcdfFile& file, Span when) noexcept;  // back to it
void synced(PnetcdfFile& file, Span when) noexcept;
void waited(PnetcdfFile& file, Span when, bool collective, bool succeeded) noexcept;

// What the library has moved for the file, its own header and padding included; -1: it does not say.
struct Moved {
  std::int64_t read = 0, written = 0;
};
void closed(PnetcdfFile& file, Span when, const Moved& moved) noexcept;

void after_fork() noexcept;

enum class FileOperation : std::uint8_t { kCreate, kOpen, kDefine, kRedefine, kSync, kWait, kCollectiveWait, kClose };
inline constexpr std::string_view kOperationWords[] = {"create", "open", "define",          "redefine",
                                                       "sync",   "wait", "collective wait", "close"};

inline constexpr capture::ModuleHooks kHooks = {
    .schema = &kSchema,
    .after_fork = after_fork,
    .operations = capture::own_operations(kSchema, kOperationWords),
    .details = capture::details_of<PnetcdfFile, kSchema, capture::kPnetcdfFileSlot>};

}  // namespace trikal::modules::pnetcdf_file
