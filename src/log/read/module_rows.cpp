#include "log/read/module_rows.hpp"

#include <algorithm>
#include <optional>

#include "base/uuid.hpp"
#include "log/read/log_tables.hpp"
#include "log/read/record_names.hpp"

namespace trikal::log {
namespace {

constexpr std::size_t kBaseColumns = 2;  // record_id, rank
constexpr std::size_t kNameColumns = 3;  // name, mount, fs_type

// Records come in batches, rows leave in chunks. What kind of rows a record gives is the derived class's affair.
class ModuleRows : public TableStream {
 public:
  ModuleRows(const TableInfo& table, const TableOptions& options, std::unique_ptr<RecordStream> records,
             std::optional<RecordNames> names)
      : records_(std::move(records)),
        names_(std::move(names)),
        first_own_(kBaseColumns + (names_ ? kNameColumns : 0)),
        types_(types_of(table)),
        options_(options) {}

  Result<bool> next(Chunk& chunk) final {
    chunk.reset(types_, options_.text);
    while (chunk.rows() < options_.rows && chunk.text_bytes() < kChunkText && !ended_) {
      if (left_in_batch() > 0) {
        take_rows(chunk, options_.rows - chunk.rows());
        continue;
      }
      auto more = records_->next(batch_);
      if (!more) why_ = more.error();
      ended_ = !more || !*more;
      if (!ended_) open_batch();
    }
    if (chunk.overflowed()) return Error{.code = ErrorCode::kLimit, .what = "a text is too long for a table"};
    if (chunk.rows() > 0) return true;
    if (!why_.ok()) return why_.error();
    return false;
  }

 protected:
  virtual void open_batch() = 0;
  [[nodiscard]] virtual std::uint64_t left_in_batch() const = 0;
  // At least one and at most `most` rows of those.
  virtual void take_rows(Chunk& chunk, std::size_t most) = 0;

  // How many of `rows` rows with these names a chunk should take; at least one.
  [[nodiscard]] static std::size_t bearable(const Chunk& chunk, const RecordNames::Labels& labels, std::size_t rows) {
    const std::size_t each = labels.name.size() + labels.mount.size() + labels.type.size() + 1;
    const std::size_t held = std::min(chunk.text_bytes(), kChunkText);
    return std::clamp<std::size_t>((kChunkText - held) / each, 1, rows);
  }

  void add_labels(Chunk& chunk, const RecordNames::Labels& labels) const {
    std::size_t column = kBaseColumns;
    for (const std::string_view text : {labels.name, labels.mount, labels.type}) {
      if (text.data() != nullptr) chunk.add_text(column, text);
      else chunk.add_missing(column);
      ++column;
    }
  }

  std::unique_ptr<RecordStream> records_;
  std::optional<RecordNames> names_;
  Batch batch_;
  std::size_t first_own_;

 private:
  std::vector<CellType> types_;
  TableOptions options_;
  bool ended_ = false;
  Status why_;
};

class RecordRows final : public ModuleRows {
 public:
  RecordRows(const TableInfo& table, const TableOptions& options, std::unique_ptr<RecordStream> records,
             std::optional<RecordNames> names)
      : ModuleRows(table, options, std::move(records), std::move(names)),
        described_(described_of(*table.module)),
        values_(values_of(*table.module->schema)) {
    for (const RecordValue& value : values_) needed_ = std::max<std::size_t>(needed_, value.at + value.bytes);
  }

 private:
  static bool (*described_of(const ModuleFormat& format))(Bytes) {
    return format.tables != nullptr ? format.tables->described : nullptr;
  }

  void open_batch() override {
    const bool many = records_->schema().shape == Shape::kFixed;
    size_ = many ? records_->schema().head_bytes : batch_.bytes.size();
    at_ = 0;
    // A trace comes in several batches, of which the first stands for the record.
    const bool counts =
        many || (batch_.first_item == 0 && size_ >= needed_ && (described_ == nullptr || described_(batch_.bytes)));
    count_ = counts ? batch_.count : 0;
  }

  [[nodiscard]] std::uint64_t left_in_batch() const override { return count_ - at_; }

  void take_rows(Chunk& chunk, std::size_t most) override {
    const std::byte* const first = batch_.bytes.data() + at_ * size_;
    std::size_t rows = std::min<std::size_t>(most, count_ - at_);
    if (names_) rows = take_labels(*names_, chunk, first, rows);
    copy_words(chunk.add_words(0, rows), first, rows);
    copy_words(chunk.add_words(1, rows), first + 8, rows);
    std::size_t column = first_own_;
    for (const RecordValue& value : values_) {
      if (value.how == RecordValue::How::kWord) copy_words(chunk.add_words(column, rows), first + value.at, rows);
      else copy_texts(chunk, column, value, first, rows);
      ++column;
    }
    at_ += rows;
  }

  std::size_t take_labels(RecordNames& names, Chunk& chunk, const std::byte* first, std::size_t rows) {
    std::size_t taken = 0;
    do {
      add_labels(chunk, names.find({first + taken * size_, size_}));
      ++taken;
    } while (taken < rows && chunk.text_bytes() < kChunkText);
    return taken;
  }

  void copy_words(std::uint64_t* to, const std::byte* from, std::size_t rows) const {
    for (std::size_t i = 0; i < rows; ++i) to[i] = load<std::uint64_t>(from + i * size_);
  }

  void copy_texts(Chunk& chunk, std::size_t column, const RecordValue& value, const std::byte* from,
                  std::size_t rows) const {
    for (std::size_t i = 0; i < rows; ++i) {
      const std::byte* const at = from + i * size_ + value.at;
      if (value.how == RecordValue::How::kUuid) chunk.add_text(column, uuid_text(at));
      else chunk.add_text(column, field_text(at, value.bytes));
    }
  }

  bool (*described_)(Bytes record);
  std::vector<RecordValue> values_;
  std::size_t needed_ = 16;  // bytes of a record that all values lie in
  std::size_t size_ = 0;     // bytes of a record
  std::size_t at_ = 0, count_ = 0;
};

class ItemRows final : public ModuleRows {
 public:
  ItemRows(const TableInfo& table, const TableOptions& options, std::unique_ptr<RecordStream> records,
           std::optional<RecordNames> names)
      : ModuleRows(table, options, std::move(records), std::move(names)), items_(*table.items) {}

 private:
  void open_batch() override {
    part_ = {batch_.bytes, batch_.items, batch_.first_item};
    at_ = 0;
    count_ = items_.row_count(part_);
    if (names_ && count_ > 0) labels_ = names_->find(batch_.bytes);
  }

  [[nodiscard]] std::uint64_t left_in_batch() const override { return count_ - at_; }

  void take_rows(Chunk& chunk, std::size_t most) override {
    auto rows = static_cast<std::size_t>(std::min<std::uint64_t>(most, count_ - at_));
    if (names_) {
      rows = bearable(chunk, labels_, rows);
      for (std::size_t i = 0; i < rows; ++i) add_labels(chunk, labels_);
    }
    std::fill_n(chunk.add_words(0, rows), rows, load<std::uint64_t>(part_.record.data()));
    std::fill_n(chunk.add_words(1, rows), rows, load<std::uint64_t>(part_.record.data() + 8));
    RowBlock block(chunk, first_own_, rows);
    items_.fill(part_, at_, block);
    at_ += rows;
  }

  const ItemTable& items_;
  RecordPart part_;
  RecordNames::Labels labels_;
  std::uint64_t at_ = 0, count_ = 0;
};

}  // namespace

std::vector<RecordValue> values_of(const ModuleSchema& schema) {
  std::vector<RecordValue> values;
  for (const Field& field : schema.fields) {
    using How = RecordValue::How;
    const How how = field.type == Field::Type::kText   ? How::kText
                    : field.type == Field::Type::kUuid ? How::kUuid
                                                       : How::kWord;
    values.push_back({how, field.offset, field.bytes});
  }
  std::uint32_t at = schema.counters_at;
  for (std::size_t i = 0; i < slots_in(schema.counters); ++i, at += 8)
    values.push_back({RecordValue::How::kWord, at, 8});
  return values;
}

Result<std::unique_ptr<TableStream>> open_module_table(Reader& reader, const TableInfo& table,
                                                       const TableOptions& options) {
  auto records = reader.records(table.module->schema->id);
  if (!records) return records.error();
  std::optional<RecordNames> names;
  const bool named = options.names == NameColumns::kAll ||
                     (options.names == NameColumns::kRecords && table.role == TableRole::kRecords);
  if (named) {
    auto known = reader.names();
    if (!known) return known.error();
    names.emplace(*table.module, **known, reader.job());
  }
  std::unique_ptr<TableStream> rows;
  if (table.items != nullptr) rows = std::make_unique<ItemRows>(table, options, std::move(*records), names);
  else rows = std::make_unique<RecordRows>(table, options, std::move(*records), names);
  return rows;
}

}  // namespace trikal::log
