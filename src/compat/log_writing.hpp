#pragma once
// A log that a C program writes piece by piece. Job, command and mounts are collected, because our writer takes them
// at once; they go out as soon as something else comes.

#include <memory>
#include <string>
#include <vector>

#include "log/read/job.hpp"
#include "log/write/tool_writer.hpp"
#include "schema/module.hpp"
#include "trikal/compat/darshan-logutils.h"

namespace trikal::compat {

class LogWriting {
 public:
  static Result<std::unique_ptr<LogWriting>> create(const std::string& path, log::Codec codec, std::uint64_t partial);

  // In this order; each may be left out, none may come late.
  Status put_job(const darshan_job& job);
  Status put_exe(std::string_view exe);
  Status put_mounts(const darshan_mnt_info* mounts, std::size_t count);
  Status put_names(const darshan_name_record_ref* table);
  // Modules by ascending id. Records of one module go on where the last call ended.
  Status put_plain(ModuleId module, std::uint32_t version, Bytes records);
  // A record as our tools hold it. Segments of a trace lose the field of their thread if the first ones have none:
  // then releases of Darshan can read them.
  Status put_record(ModuleId module, Bytes record);

  // Without it, or after an error, there is no log.
  Status finish();

 private:
  explicit LogWriting(std::uint64_t partial) : partial_(partial) {}
  Status flush_job();
  Status open_module(ModuleId module, std::uint32_t version);
  Status put_trace(ModuleId module, Bytes record);

  std::unique_ptr<log::ToolWriter> tool_;
  std::uint64_t partial_;
  bool has_job_ = false, job_written_ = false, names_written_ = false;
  log::JobNumbers numbers_;
  std::string metadata_, exe_;
  std::vector<log::Mount> mounts_;
  int module_ = -1;  // the one that is open
  std::uint32_t version_ = 0;
};

}  // namespace trikal::compat
