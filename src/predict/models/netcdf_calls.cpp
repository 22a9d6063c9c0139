// NetCDF's classic files by POSIX calls: the header, values that fill, data that moves, all through its buffer.

#include <llvm/IR/InstrTypes.h>

#include <algorithm>

#include "predict/models/netcdf_posix.hpp"

namespace trikal::predict {
namespace {

constexpr Word kMostTold = 1 << 14;
constexpr Word kMostMoves = 1 << 20;
constexpr Word kMostAtOnce = Word{1} << 35;

Word numbers_in_header(const NetCdfContent& content) { return content.format == 5 ? 8 : 4; }

}  // namespace

void NetCdfCalls::seek() { machine_.access(call_, {Operation::kSeek, file_.file}); }

Word NetCdfCalls::read(Word offset, Word bytes) {
  const File& on_disk = machine_.world.files[file_.file];
  looked(offset, on_disk.size);
  const Word got = readable(machine_, call_, on_disk, offset, bytes);
  move_bytes(machine_, call_, {Operation::kRead, file_.file, offset, got, known() && on_disk.size_known});
  return got;
}

void NetCdfCalls::write(Word offset, Word bytes) {
  move_bytes(machine_, call_, {Operation::kWrite, file_.file, offset, bytes, known()});
}

// A call that decides very often is not worth comparing with the next one: iterations of the loop around it are run.
void NetCdfCalls::looked(Word a, Word b) {
  if (++told_ < kMostTold) machine_.compare(call_, a, b);
  else if (told_ == kMostTold) machine_.wrote_text(call_, machine_.budget.steps(), 0);
}

void NetCdfCalls::looked_same(Word a, Word b) {
  if (++told_ >= kMostTold) {
    if (told_ == kMostTold) machine_.wrote_text(call_, machine_.budget.steps(), 0);
    return;
  }
  Event same{Happened::kCompare, a == b};
  same.predicate = llvm::CmpInst::ICMP_EQ;
  same.id = call_.at.id, same.a = a, same.b = b;
  machine_.event(same);
}

void NetCdfCalls::take(Word offset, Word bytes, bool writes) {
  if (bytes > kMostAtOnce) {  // what the buffer makes of it is not followed block by block
    file_.posix.unsure = true;
    machine_.note("calls of NetCDF that move more than 32 GiB are counted as one operation");
    if (writes) return write(offset, bytes);
    (void)read(offset, bytes);
    return;
  }
  file_.posix.buffer.take_all(*this, offset, bytes, writes);
}

void NetCdfCalls::fill(const NetCdfVariable& variable, Word record) {
  const NetCdfContent& content = file_.content;
  if (!content.has_records(variable)) return take(variable.begin, variable.bytes, true);
  take(variable.begin + record * content.record_bytes,
       content.record_variables() == 1 ? content.record_bytes : variable.bytes, true);
}

// Where it is, the location, the bytes, and back.
void NetCdfCalls::lengthen(Word size, Word bytes) {
  stat(), seek(), seek();
  write(size - bytes, bytes);
  seek();
}

void netcdf_pass_header(NetCdfCalls& calls, const NetCdfContent& content, Word extent, bool writes) {
  Word offset = 0, at = 0;
  const auto need = [&](Word bytes) {
    if (at + bytes > extent) {
      offset += at, at = 0;
      extent = std::max(extent, bytes);
      calls.take(offset, extent, writes);
    }
    at += bytes;
  };
  calls.take(0, extent, writes);
  for (const NetCdfPart& part : content.header_parts()) {
    if (!part.splits) {
      need(part.bytes);
      continue;
    }
    const Word most = extent;
    for (Word left = part.bytes; left > 0; left -= std::min(left, most)) need(std::min(left, most));
  }
}

void netcdf_rewrite_header(NetCdfCalls& calls, NetCdfFile& file) {
  constexpr Word kFirst = 4096;  // of a header that has nothing in it
  const Word block = file.posix.buffer.block();
  const NetCdfContent none{.format = file.content.format};
  const bool empty = file.content.header_bytes <= none.header();
  netcdf_pass_header(calls, file.content, std::min(empty ? kFirst : file.content.header_bytes, block), true);
  file.posix.header_changed = file.posix.records_changed = false;
}

void netcdf_write_records(NetCdfCalls& calls, NetCdfFile& file) {
  calls.take(4, numbers_in_header(file.content), true);
  file.posix.records_changed = false;
}

void netcdf_update(NetCdfCalls& calls, NetCdfFile& file) {
  if (file.posix.header_changed) netcdf_rewrite_header(calls, file);
  else if (file.posix.records_changed) netcdf_write_records(calls, file);
}

namespace {

void move_records(NetCdfCalls& calls, NetCdfFile& file, const NetCdfContent& before) {
  const NetCdfContent& now = file.content;
  if (before.records * before.variables.size() > kMostMoves) {
    file.posix.unsure = true;
    return;
  }
  for (Word record = before.records; record-- > 0;)
    for (std::size_t i = before.variables.size(); i-- > 0;)
      if (const NetCdfVariable& old = before.variables[i]; before.has_records(old))
        calls.move(now.variables[i].begin + record * now.record_bytes, old.begin + record * before.record_bytes,
                   old.bytes);
}

void move_variables(NetCdfCalls& calls, const NetCdfContent& now, const NetCdfContent& before) {
  for (std::size_t i = before.variables.size(); i-- > 0;)
    if (const NetCdfVariable& old = before.variables[i]; !before.has_records(old) && now.variables[i].begin > old.begin)
      calls.move(now.variables[i].begin, old.begin, old.bytes);
}

void move_data(NetCdfCalls& calls, NetCdfFile& file, const NetCdfContent& before) {
  const NetCdfContent& now = file.content;
  if (now.variables.empty()) return;
  if (now.record_begin > before.record_begin) move_records(calls, file, before);
  if (now.data_begin > before.data_begin) move_variables(calls, now, before);
  if (now.record_begin <= before.record_begin && now.record_bytes > before.record_bytes)
    move_records(calls, file, before);
}

}  // namespace

void netcdf_end_definitions(NetCdfCalls& calls, NetCdfFile& file, const NetCdfSpacing& spacing) {
  NetCdfContent& content = file.content;
  content.lay_out(spacing);
  const std::shared_ptr<const NetCdfContent> before = std::move(file.posix.before);
  if (before) move_data(calls, file, *before);
  netcdf_rewrite_header(calls, file);
  const std::size_t first = before ? before->variables.size() : 0;
  for (std::size_t i = first; i < content.variables.size(); ++i)
    if (const NetCdfVariable& one = content.variables[i]; !content.has_records(one) && !one.unfilled)
      calls.fill(one, 0);
  for (Word record = 0; before && record < before->records; ++record)
    for (std::size_t i = first; i < content.variables.size(); ++i)
      if (const NetCdfVariable& one = content.variables[i]; content.has_records(one) && !one.unfilled)
        calls.fill(one, record);
  calls.flush();
  file.posix.before.reset();
  file.posix.fresh = file.defining = false;
}

}  // namespace trikal::predict
