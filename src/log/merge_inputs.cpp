#include "log/merge_inputs.hpp"

#include <algorithm>
#include <tuple>

#include "log/copy_trailer.hpp"
#include "log/read/extension_modules.hpp"

namespace trikal::log {

Status MergeInputs::refuse(const Error& error, const std::string& input) {
  report_.input = input;
  return error;
}

Result<Reader*> MergeInputs::open(const InputFacts& facts) {
  close();
  auto reader = inputs_[facts.input].open();
  if (!reader) return refuse(reader.error(), inputs_[facts.input].name).error();
  report_.input = inputs_[facts.input].name;
  reader_ = std::move(*reader);
  open_ = facts.input;
  return reader_.get();
}

void MergeInputs::close() {
  if (reader_ == nullptr) return;
  for (Damage& damage : reader_->damage()) {
    const auto same = [&](const MergeReport::Found& found) {
      return found.input == inputs_[open_].name && found.damage.where == damage.where &&
             found.damage.error.offset == damage.error.offset && found.damage.error.code == damage.error.code;
    };
    if (std::ranges::none_of(report_.damage, same)) report_.damage.push_back({inputs_[open_].name, std::move(damage)});
  }
  reader_.reset();
}

namespace {

// By its table of processes.
std::int64_t only_rank_of(Reader& reader) {
  const Trailer* trailer = reader.trailer();
  const Section* section = trailer != nullptr ? trailer->find("processes") : nullptr;
  const std::size_t column = section != nullptr ? section->column("rank") : 0;
  if (section == nullptr || column >= section->columns.size()) return -1;
  auto rows = trailer->rows(*section);
  std::int64_t only = -1;
  std::span<const Cell> row;
  while (rows) {
    const auto more = (*rows)->next(row);
    if (!more) return -1;
    if (!*more) break;
    const std::int64_t rank = row[column].i64();
    if (rank >= 0 && only >= 0 && rank != only) return -1;
    only = std::max(only, rank);
  }
  return only;
}

}  // namespace

Status MergeInputs::survey() {
  if (inputs_.empty()) return Error{.code = ErrorCode::kUsage, .what = "no logs to merge"};
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const Status done = add(i);
    if (!done) return done;
  }
  close();
  report_.input.clear();
  if (other_job_) report_.warnings.emplace_back("the logs have different job ids or users");
  settle_end();
  order();
  return {};
}

Status MergeInputs::add(std::size_t input) {
  InputFacts facts{.input = input};
  auto reader = open(facts);
  if (!reader) return reader.error();
  const Header& header = (*reader)->header();
  const Job& job = (*reader)->job();
  facts.start_sec = job.start_sec, facts.start_nsec = job.start_nsec, facts.nprocs = job.nprocs;
  for (std::size_t i = 0; i < kModuleSlots; ++i) {
    if (header.modules[i].length > 0) facts.has_data |= std::uint64_t{1} << i;
    facts.versions[i] = static_cast<std::uint8_t>(std::min<std::uint32_t>(header.module_versions[i], 255));
  }
  facts.only_rank = only_rank_of(**reader);
  facts_.push_back(facts);
  partial_ |= header.partial;
  add_job(job);
  if (const Trailer* trailer = (*reader)->trailer()) {
    for (const std::string& module : unknown_extension_modules(*trailer))
      report_.warnings.push_back("module " + module + " is unknown and left out of " + inputs_[input].name);
    for (const Section& section : trailer->sections()) {
      const bool known = std::ranges::find(sections_, section.name) != sections_.end();
      if (!known && !describes_the_file(section.name)) sections_.push_back(section.name);
    }
  }
  return add_names(**reader, inputs_[input].name);
}

// The first log's, with the earliest start and the latest end of all.
void MergeInputs::add_job(const Job& job) {
  at_least_ = at_least_ || job.is_at_least();
  if (facts_.size() == 1) {
    job_ = job;
    return;
  }
  job_.whole_seconds = job_.whole_seconds && job.whole_seconds;
  if (std::tie(job.start_sec, job.start_nsec) < std::tie(job_.start_sec, job_.start_nsec)) {
    job_.start_sec = job.start_sec, job_.start_nsec = job.start_nsec;
  }
  if (std::tie(job.end_sec, job.end_nsec) > std::tie(job_.end_sec, job_.end_nsec)) {
    job_.end_sec = job.end_sec, job_.end_nsec = job.end_nsec;
  }
  job_.nprocs = options_.renumber ? job_.nprocs : std::max(job_.nprocs, job.nprocs);
  const bool other = job.uid != job_.uid || (!options_.renumber && job.job_id != job_.job_id);
  other_job_ = other_job_ || other;
}

Status MergeInputs::add_names(Reader& reader, const std::string& input) {
  auto names = reader.names();
  if (!names) return refuse(names.error(), input);
  for (const NameTable::Entry& entry : (*names)->entries()) {
    const std::string_view name = (*names)->text(entry);
    const NameTable::Entry* known = names_.find(entry.id);
    if (known != nullptr && known->length > 0 && !name.empty() && names_.text(*known) != name) {
      report_.detail = "record " + std::to_string(entry.id) + " is \"" + std::string(names_.text(*known)) +
                       "\" in a log before and \"" + std::string(name) + "\" here";
      return refuse({.code = ErrorCode::kUsage, .what = "two logs give one record different names"}, input);
    }
    names_.add(entry.id, name);
  }
  const std::uint64_t limit = reader.options().limits.memory;
  if (names_.bytes() > limit) {
    return Error{.code = ErrorCode::kLimit, .what = "the names need more memory than the limit"};
  }
  return {};
}

void MergeInputs::settle_end() {
  if (options_.job_end_time) job_.end_sec = *options_.job_end_time, job_.end_nsec = 0;
  job_.set_at_least(at_least_ && !options_.job_end_time);
}

void MergeInputs::order() {
  for (InputFacts& facts : facts_) {
    if (!options_.rebase) continue;
    facts.shift = static_cast<double>(facts.start_sec - job_.start_sec) +
                  static_cast<double>(facts.start_nsec - job_.start_nsec) / 1e9;
  }
  if (!options_.renumber) {
    std::unordered_set<std::int64_t> seen;
    for (const InputFacts& facts : facts_) {
      if (facts.only_rank >= 0 && !seen.insert(facts.only_rank).second) ranks_in_parts_.insert(facts.only_rank);
    }
    return;
  }
  std::ranges::sort(facts_, {}, [](const InputFacts& f) { return std::tuple(f.start_sec, f.start_nsec, f.input); });
  std::int64_t next = 0;
  for (InputFacts& facts : facts_) {
    facts.rank_shift = next - std::max<std::int64_t>(0, facts.only_rank);
    next += facts.only_rank >= 0 ? 1 : std::max<std::int64_t>(1, facts.nprocs);
  }
  job_.nprocs = next;
}

}  // namespace trikal::log
