#include "log/copy_job.hpp"

#include <array>

#include "base/hash.hpp"

namespace trikal::log {
namespace {

std::int64_t hashed(std::int64_t number, std::uint32_t key) {
  std::array<std::byte, 8> bytes{};
  store(bytes.data(), number);
  return obfuscation_hash(Bytes{bytes}, key);
}

void annotate(std::string& metadata, std::string_view annotation, CopyReport& report) {
  if (!metadata.empty() && metadata.back() != '\n') metadata += '\n';
  while (!annotation.empty()) {
    const std::size_t end = annotation.find('\t');
    const std::string_view token = annotation.substr(0, end);
    annotation = end == std::string_view::npos ? std::string_view{} : annotation.substr(end + 1);
    if (token.empty()) continue;
    if (metadata.size() + token.size() + 1 > kMetadata - 1) {
      report.warnings.push_back("the metadata has no space for \"" + std::string(token) + "\"");
      continue;
    }
    metadata += token;
    metadata += '\n';
  }
}

}  // namespace

Job edit_job(const Job& job, const CopyOptions& options, CopyReport& report) {
  Job edited = job;
  const Obfuscation& hide = options.obfuscation;
  if (hide.uid) edited.uid = hashed(job.uid, hide.key);
  if (hide.job_id && job.job_id != 0) edited.job_id = hashed(job.job_id, hide.key);
  if (hide.exe) edited.exe = std::to_string(obfuscation_hash(job.exe, hide.key));
  if (options.reset_metadata) edited.metadata.clear();
  if (!options.annotate.empty()) annotate(edited.metadata, options.annotate, report);
  return edited;
}

Status put_job(Writer& writer, const Job& job, CopyReport& report) {
  std::vector<MountText> mounts;
  mounts.reserve(job.mounts.size());
  for (const Mount& mount : job.mounts) mounts.push_back({mount.type, mount.path});
  const JobNumbers numbers{job.uid, job.start_sec, job.start_nsec, job.end_sec, job.end_nsec, job.nprocs, job.job_id};
  auto fit = writer.put_job(numbers, {job.metadata, job.exe, mounts});
  if (!fit) return fit.error();
  if (fit->metadata_cut) report.warnings.emplace_back("the metadata is longer than a log can hold; cut");
  if (fit->exe_cut) report.warnings.emplace_back("the command line is longer than a log can hold; cut");
  if (fit->mounts_left_out > 0) {
    report.warnings.push_back(std::to_string(fit->mounts_left_out) + " mount(s) do not fit into the log; left out");
  }
  return {};
}

std::string obfuscated_name(std::string_view name, const Job& job, std::uint32_t key) {
  for (const std::string_view known : {"<STDIN>", "<STDOUT>", "<STDERR>", "heatmap:"}) {
    if (name.starts_with(known)) return std::string(name);
  }
  const std::string number = std::to_string(obfuscation_hash(name, key));
  const Mount* mount = job.mount_of(name);
  return mount != nullptr ? mount->path + "/" + number : number;
}

}  // namespace trikal::log
