#include "compat/log_writing.hpp"

#include <algorithm>
#include <cstring>

#include "modules/dxt/segments.hpp"
#include "modules/list.hpp"

namespace trikal::compat {
namespace {

namespace dxt = modules::dxt;

Error late(const char* what) { return {.code = ErrorCode::kUsage, .what = what}; }

std::string_view text_in(const char* field, std::size_t capacity) { return {field, ::strnlen(field, capacity)}; }

// Whether the first segment knows its thread. Records without segments know nothing.
bool knows_threads(Bytes record) {
  constexpr std::size_t kFirst = dxt::kHeadBytes + offsetof(dxt::Segment, thread);
  return record.size() > kFirst && load<std::uint64_t>(record.data() + kFirst) != 0;
}

}  // namespace

Result<std::unique_ptr<LogWriting>> LogWriting::create(const std::string& path, log::Codec codec,
                                                       std::uint64_t partial) {
  if (codec != log::Codec::kZlib && codec != log::Codec::kBzip2) return late("a log is written with zlib or bzip2");
  auto tool = log::ToolWriter::create(path, {.codec = codec, .replace = true, .mode = 0400});
  if (!tool) return tool.error();
  std::unique_ptr<LogWriting> log(new LogWriting(partial));
  log->tool_ = std::move(*tool);
  return log;
}

Status LogWriting::put_job(const darshan_job& job) {
  if (job_written_ || has_job_) return late("the job comes first, and once");
  has_job_ = true;
  numbers_ = {.uid = job.uid,
              .start_sec = job.start_time_sec,
              .start_nsec = job.start_time_nsec,
              .end_sec = job.end_time_sec,
              .end_nsec = job.end_time_nsec,
              .nprocs = job.nprocs,
              .job_id = job.jobid};
  metadata_ = text_in(job.metadata, sizeof job.metadata);
  return {};
}

Status LogWriting::put_exe(std::string_view exe) {
  if (!has_job_ || job_written_) return late("the command comes right behind the job");
  exe_ = exe;
  return {};
}

// The array is in the order mounts are looked up, longest first; logs have it backwards. Readers sort them again and
// keep the order of equals, which must not change from copy to copy.
Status LogWriting::put_mounts(const darshan_mnt_info* mounts, std::size_t count) {
  if (!has_job_ || job_written_) return late("the mounts come behind the command");
  for (std::size_t i = 0; i < count; ++i) {
    mounts_.push_back({std::string(text_in(mounts[i].mnt_path, sizeof mounts[i].mnt_path)),
                       std::string(text_in(mounts[i].mnt_type, sizeof mounts[i].mnt_type))});
  }
  std::reverse(mounts_.begin(), mounts_.end());
  const auto longer = [](const log::Mount& a, const log::Mount& b) { return a.path.size() != b.path.size(); };
  for (auto at = mounts_.begin(); at != mounts_.end();) {
    const auto end = std::adjacent_find(at, mounts_.end(), longer);
    const auto next = end == mounts_.end() ? end : end + 1;
    std::reverse(at, next);
    at = next;
  }
  return {};
}

Status LogWriting::flush_job() {
  if (job_written_) return {};
  if (!has_job_) return late("the job comes first");
  job_written_ = true;
  std::vector<log::MountText> mounts;
  mounts.reserve(mounts_.size());
  for (const log::Mount& mount : mounts_) mounts.push_back({mount.type, mount.path});
  auto fit = tool_->writer().put_job(numbers_, {metadata_, exe_, mounts});
  return fit ? Status{} : fit.error();
}

Status LogWriting::put_names(const darshan_name_record_ref* table) {
  Status done = flush_job();
  if (done) done = tool_->writer().begin_names();
  if (!done) return done;
  names_written_ = true;
  for (; done && table != nullptr; table = static_cast<const darshan_name_record_ref*>(table->hlink.next)) {
    done = tool_->writer().put_name(table->name_record->id, table->name_record->name);
  }
  return done ? tool_->writer().end_region() : done;
}

Status LogWriting::open_module(ModuleId module, std::uint32_t version) {
  if (module_ == module) {
    return version_ == version ? Status{} : late("all records of a module are of one version");
  }
  Status done = names_written_ ? Status{} : put_names(nullptr);
  if (done && module_ >= 0) done = tool_->writer().end_region();
  if (done) done = tool_->writer().begin_module(module, version);
  if (done) module_ = module, version_ = version;
  return done;
}

Status LogWriting::put_plain(ModuleId module, std::uint32_t version, Bytes records) {
  const Status open = open_module(module, version);
  return open ? tool_->writer().append(records) : open;
}

Status LogWriting::put_record(ModuleId module, Bytes record) {
  const ModuleSchema& schema = *find_module(module)->schema;
  return schema.shape == Shape::kSliced ? put_trace(module, record) : put_plain(module, schema.version, record);
}

Status LogWriting::put_trace(ModuleId module, Bytes record) {
  const std::uint32_t newest = find_module(module)->schema->version;
  const std::uint32_t version = module_ == module ? version_ : knows_threads(record) ? newest : newest - 1;
  if (version == newest) return put_plain(module, version, record);
  std::vector<std::byte> narrow(record.begin(), record.begin() + dxt::kHeadBytes);
  for (std::size_t at = dxt::kHeadBytes; at < record.size(); at += dxt::kSegmentBytes) {
    const Bytes segment = record.subspan(at, dxt::kThreadlessBytes);
    narrow.insert(narrow.end(), segment.begin(), segment.end());
  }
  return put_plain(module, version, narrow);
}

Status LogWriting::finish() {
  Status done = flush_job();
  if (done && module_ >= 0) done = tool_->writer().end_region();
  return done ? tool_->writer().finish(partial_) : done;
}

}  // namespace trikal::compat
