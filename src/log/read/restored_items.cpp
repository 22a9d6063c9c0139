#include "log/read/restored_items.hpp"

#include <algorithm>
#include <limits>

#include "log/trailer/segment_threads.hpp"

namespace trikal::log {
namespace {

// A run of segments with the same last word. Runs come in the order of the segments.
struct ItemRun {
  std::uint64_t record = 0, first = 0, count = 0, word = 0;
};

class RunReader {
 public:
  RunReader(std::unique_ptr<SectionRows> rows, ModuleId module, std::function<void(Error)> note)
      : rows_(std::move(rows)), module_(module), note_(std::move(note)) {
    advance();
  }

  [[nodiscard]] const ItemRun& run() const { return run_; }

  void advance() {
    std::span<const Cell> row;
    for (;;) {
      auto more = rows_->next(row);
      if (!more) note_(more.error());
      if (!more || !*more) {
        run_ = {.record = std::numeric_limits<std::uint64_t>::max()};
        return;
      }
      if (row[0].u64() != module_) continue;
      run_ = {row[1].u64(), row[2].u64(), row[3].u64(), row[4].u64()};
      return;
    }
  }

 private:
  std::unique_ptr<SectionRows> rows_;
  std::uint64_t module_;
  std::function<void(Error)> note_;
  ItemRun run_;
};

class RestoredStream final : public RecordStream {
 public:
  RestoredStream(std::unique_ptr<RecordStream> stream, const RecordOrigin& origin, RunReader runs)
      : RecordStream(origin), stream_(std::move(stream)), runs_(std::move(runs)) {}

  Result<bool> next(Batch& batch) override {
    auto more = stream_->next(batch);
    records_read_ = stream_->records_read();
    leftover_ = stream_->leftover_bytes();
    file_offset_ = stream_->file_offset();
    if (!more || !*more) return more;
    items_.assign(batch.items.begin(), batch.items.end());
    fill(batch.first_item, items_.size() / kNewestItemBytes);
    batch.items = items_;
    if (batch.last) ++record_;
    return true;
  }

 private:
  void fill(std::uint64_t first, std::uint64_t count) {
    const std::uint64_t end = first + count;
    for (;;) {
      const ItemRun& run = runs_.run();
      const std::uint64_t run_end = run.count > kNoEnd - run.first ? kNoEnd : run.first + run.count;
      const bool behind = run.record > record_ || (run.record == record_ && run.first >= end);
      if (behind) return;
      if (run.record == record_) {
        for (std::uint64_t i = std::max(first, run.first); i < std::min(end, run_end); ++i) {
          store(items_.data() + (i - first + 1) * kNewestItemBytes - 8, run.word);
        }
        if (run_end > end) return;  // goes on in the next slice
      }
      runs_.advance();
    }
  }

  static constexpr std::uint64_t kNoEnd = std::numeric_limits<std::uint64_t>::max();

  std::unique_ptr<RecordStream> stream_;
  RunReader runs_;
  std::vector<std::byte> items_;
  std::uint64_t record_ = 0;
};

}  // namespace

std::unique_ptr<RecordStream> restore_items(std::unique_ptr<RecordStream> stream, const RecordOrigin& origin,
                                            const Trailer& trailer, std::function<void(Error)> note) {
  const Section* section = trailer.find(kSegmentThreadsSection.name);
  if (section == nullptr || !begins_with(section->columns, kSegmentThreadColumns)) return stream;
  auto rows = trailer.rows(*section);
  if (!rows) {
    note(rows.error());
    return stream;
  }
  RunReader runs(std::move(*rows), origin.format->schema->id, std::move(note));
  return std::make_unique<RestoredStream>(std::move(stream), origin, std::move(runs));
}

}  // namespace trikal::log
