#include "log/merge_trailer.hpp"

#include <array>

#include "log/copy_records.hpp"
#include "log/trailer/segment_threads.hpp"

namespace trikal::log {
namespace {

constexpr std::array<Column, 3> kPartlySharedColumns = {{
    {"module", ColumnType::kU64, "", "id of the module"},
    {"record", ColumnType::kU64, kUnitRecordId, "a record that was folded over all ranks but rank 0"},
    {"ranks", ColumnType::kU64, "", "how many ranks it stands for"},
}};
constexpr SectionSchema kPartlySharedSection = {"partly_shared", "records of rank -1 that not every rank has",
                                                kPartlySharedColumns};

}  // namespace

Status MergeTrailer::put(const std::vector<MergedTrace>& traces, const std::vector<PartlyShared>& partly_shared) {
  TrailerWriter* trailer = writer_.trailer();
  if (trailer == nullptr) return writer_.health();
  sections_.emplace(*trailer, true);
  Status done = put_threads(*trailer, traces);
  if (done) done = put_partly_shared(*trailer, partly_shared);
  for (const std::string& name : inputs_.sections()) {
    if (done && name != kPartlySharedSection.name) done = put_section(*sections_, name);
  }
  return done;
}

Status MergeTrailer::put_threads(TrailerWriter& trailer, const std::vector<MergedTrace>& traces) {
  if (traces.empty()) return {};
  Status done = trailer.begin_section(kSegmentThreadsSection);
  for (const MergedTrace& trace : traces) {
    SegmentThreads threads(trailer, trace.module);
    for (const InputFacts* facts : trace.logs) {
      if (!done) return done;
      auto reader = inputs_.open(*facts);
      if (!reader) return reader.error();
      auto records = (*reader)->records(trace.module);
      if (!records) return records.error();
      done = threads.add(**records, {});
    }
  }
  return done ? trailer.end_section() : done;
}

Status MergeTrailer::put_partly_shared(TrailerWriter& trailer, const std::vector<PartlyShared>& records) {
  if (records.empty()) return {};
  Status done = trailer.begin_section(kPartlySharedSection);
  for (const PartlyShared& record : records) {
    if (done) done = trailer.put_u64(record.module);
    if (done) done = trailer.put_u64(record.record);
    if (done) done = trailer.put_u64(static_cast<std::uint64_t>(record.ranks));
  }
  return done ? trailer.end_section() : done;
}

Result<bool> MergeTrailer::begin_section(SectionCopier& sections, const Section& section) {
  auto begun = sections.begin(section);
  if (begun || begun.error().code != ErrorCode::kLimit) return begun;
  report_.warnings.push_back("section \"" + section.name + "\" left out: a trailer holds no more");
  return false;
}

Status MergeTrailer::put_section(SectionCopier& sections, const std::string& name) {
  std::vector<Section::ColumnText> columns;
  std::size_t different = 0;
  for (const InputFacts& facts : inputs_.facts()) {
    auto reader = inputs_.open(facts);
    if (!reader) return reader.error();
    const Trailer* trailer = (*reader)->trailer();
    const Section* section = trailer != nullptr ? trailer->find(name) : nullptr;
    if (section == nullptr) continue;
    if (columns.empty()) {
      auto begun = begin_section(sections, *section);
      if (!begun) return begun.error();
      if (!*begun) return {};
      columns = section->columns;
    }
    if (section->columns != columns) {
      ++different;
      continue;
    }
    std::optional<Error> unreadable;
    const Status done =
        sections.add(*trailer, *section, {.shift = facts.shift, .rank_shift = facts.rank_shift}, unreadable);
    if (!done) return done;
    if (unreadable) (*reader)->note({.where = "trailer section \"" + name + "\"", .error = *unreadable});
  }
  if (different > 0) {
    report_.warnings.push_back("section \"" + name + "\" has other columns in " + std::to_string(different) +
                               " log(s); left out there");
  }
  return columns.empty() ? Status{} : sections.end();
}

}  // namespace trikal::log
