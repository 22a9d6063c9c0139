#include "log/copy_records.hpp"

#include <algorithm>
#include <limits>

#include "base/wrapping.hpp"

namespace trikal::log {
namespace {

std::uint64_t last_word(const Batch& batch, std::uint64_t item) {
  return load<std::uint64_t>(batch.items.data() + (item + 1) * kNewestItemBytes - 8);
}

}  // namespace

Result<TraceScan> scan_trace(RecordStream& records) {
  TraceScan scan;
  Batch batch;
  bool inside = false;
  for (;;) {
    auto more = records.next(batch);
    if (!more) return more.error();
    if (!*more) return scan;
    if (!inside) ++scan.records, scan.last_items = 0;
    const std::uint64_t items = batch.items.size() / kNewestItemBytes;
    scan.last_items += items;
    for (std::uint64_t i = 0; !scan.threads && i < items; ++i) scan.threads = last_word(batch, i) != 0;
    inside = !batch.last;
  }
}

RecordEditor::RecordEditor(const ModuleSchema& schema, const RecordEdit& edit)
    : edit_(edit), renumbers_(edit.rank_shift.has_value()) {
  std::size_t at = schema.counters_at;
  for (const Counter& counter : schema.counters) {
    for (std::size_t i = 0; i < counter.width(); ++i, at += 8) {
      if (edit.shift != 0 && counter.unit == Unit::kTimestamp && counter.kind == Kind::kReal) times_.push_back(at);
      if (renumbers_ && counter.unit == Unit::kRank) ranks_.push_back(at);
    }
  }
}

void RecordEditor::apply(std::byte* record) const {
  // 0 is "never", and what is below 0 "unknown".
  for (const std::size_t at : times_) {
    const auto time = load<double>(record + at);
    if (time > 0) store(record + at, time + edit_.shift);
  }
  if (renumbers_) renumber(record);
  if (edit_.finish) edit_.finish(record);
}

void RecordEditor::renumber(std::byte* record) const {
  const std::int64_t shift = *edit_.rank_shift;
  const auto rank = load<std::int64_t>(record + 8);
  if (rank != kSharedRank) {
    store(record + 8, wrap_add(rank, shift));
    return;
  }
  // Which rank was fastest is said only of shared records.
  for (const std::size_t at : ranks_) store(record + at, wrap_add(load<std::int64_t>(record + at), shift));
  if (edit_.one_process) store(record + 8, shift);
}

Status RecordCopier::copy(RecordStream& records, const RecordEdit& edit, const TraceScan& scan) {
  const RecordEditor editor(*format_.schema, edit);
  std::uint64_t seen = 0;
  bool inside = false;
  Batch batch;
  for (;;) {
    auto more = records.next(batch);
    if (!more) return more.error();
    if (!*more) return {};
    Status done;
    switch (format_.schema->shape) {
      case Shape::kFixed: done = put_fixed(batch, edit, editor); break;
      case Shape::kWhole: done = put_whole(batch, edit, editor); break;
      case Shape::kSliced: {
        if (!inside) ++seen;
        inside = !batch.last;
        const bool at_end = seen == scan.records;
        done = put_slice(batch, edit, editor, at_end ? scan.last_items : std::numeric_limits<std::uint64_t>::max());
        break;
      }
    }
    if (!done) return done;
  }
}

Status RecordCopier::put_fixed(const Batch& batch, const RecordEdit& edit, const RecordEditor& editor) {
  const std::size_t size = format_.schema->head_bytes;
  if (!edit.keep && !editor.changes_records()) {
    copied_ += batch.count;
    return writer_.append(batch.bytes);
  }
  buffer_.clear();
  for (std::size_t i = 0; i < batch.count; ++i) {
    const std::byte* record = batch.record(i, *format_.schema);
    if (!edit.keeps(record)) continue;
    buffer_.insert(buffer_.end(), record, record + size);
    editor.apply(buffer_.data() + buffer_.size() - size);
    ++copied_;
  }
  return writer_.append(buffer_);
}

Status RecordCopier::put_whole(const Batch& batch, const RecordEdit& edit, const RecordEditor& editor) {
  if (!edit.keeps(batch.bytes.data())) return {};
  buffer_.assign(batch.bytes.begin(), batch.bytes.end());
  // A table may describe one of several kinds of record: only what is there is changed.
  const ModuleSchema& schema = *format_.schema;
  const std::size_t table_end = schema.counters_at + 8 * slots_in(schema.counters);
  if (buffer_.size() >= table_end) editor.apply(buffer_.data());
  if (edit.grid != nullptr && format_.rewrite != nullptr && format_.rewrite->rebin != nullptr) {
    format_.rewrite->rebin(buffer_, edit.shift, *edit.grid);
  }
  ++copied_;
  return writer_.append(buffer_);
}

Status RecordCopier::put_slice(const Batch& batch, const RecordEdit& edit, const RecordEditor& editor,
                               std::uint64_t most_items) {
  if (!edit.keeps(batch.bytes.data())) return {};
  if (batch.first_item == 0) {
    buffer_.assign(batch.bytes.begin(), batch.bytes.end());
    auto told = format_.forms.back().tail(buffer_.data());
    if (!told) return told.error();
    if (told->items > most_items && format_.rewrite != nullptr && format_.rewrite->trim != nullptr) {
      format_.rewrite->trim(buffer_.data(), most_items);
    }
    editor.apply(buffer_.data());
    const Status done = writer_.append(buffer_);
    if (!done) return done;
    ++copied_;
  }
  return put_items(batch, edit);
}

Status RecordCopier::put_items(const Batch& batch, const RecordEdit& edit) {
  auto told = format_.write_form().tail(batch.bytes.data());
  if (!told) return told.error();
  buffer_.assign(batch.items.begin(), batch.items.end());
  const std::size_t count = buffer_.size() / kNewestItemBytes;
  const bool shifts = edit.shift != 0 && format_.rewrite != nullptr && format_.rewrite->shift_items != nullptr;
  if (shifts) format_.rewrite->shift_items(buffer_.data(), count, edit.shift);
  const std::size_t size = told->item_bytes;
  if (size == kNewestItemBytes) return writer_.append(buffer_);
  narrow_.resize(count * size);
  for (std::size_t i = 0; i < count; ++i) {
    std::copy_n(buffer_.data() + i * kNewestItemBytes, size, narrow_.data() + i * size);
  }
  return writer_.append(narrow_);
}

Status SegmentThreads::add(RecordStream& records, const RecordEdit& edit) {
  Batch batch;
  for (;;) {
    auto more = records.next(batch);
    if (!more) return more.error();
    if (!*more) return {};
    if (!edit.keeps(batch.bytes.data())) continue;
    const std::uint64_t items = batch.items.size() / kNewestItemBytes;
    for (std::uint64_t i = 0; i < items; ++i) {
      const std::uint64_t thread = last_word(batch, i);
      if (count_ > 0 && thread == thread_) {
        ++count_;
        continue;
      }
      const Status done = put_run();
      if (!done) return done;
      first_ = batch.first_item + i, count_ = 1, thread_ = thread;
    }
    if (!batch.last) continue;
    const Status done = put_run();
    if (!done) return done;
    ++record_;
  }
}

Status SegmentThreads::put_run() {
  Status done;
  if (count_ > 0 && thread_ != 0) {
    for (const std::uint64_t value : {std::uint64_t{module_}, record_, first_, count_, thread_}) {
      if (done) done = trailer_.put_u64(value);
    }
  }
  count_ = 0;
  return done;
}

}  // namespace trikal::log
