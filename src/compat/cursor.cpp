#include "compat/cursor.hpp"

#include "modules/list.hpp"

namespace trikal::compat {

void Cursor::leave() {
  module_.reset();
  records_.reset();
  plain_.reset();
  batch_ = {};
  in_batch_ = 0;
}

Result<Bytes> Cursor::next_record(log::Reader& reader, ModuleId module) {
  if (!at(module, Way::kRecords)) {
    leave();
    auto records = reader.records(module);
    if (!records && records.error().code == ErrorCode::kMissing) return Bytes{};
    if (!records) return records.error();
    records_ = std::move(*records);
    module_ = module, way_ = Way::kRecords;
  }
  auto record = advance(reader);
  // The bytes of a failed or finished stream are gone, and so is the position in it.
  if (!record || record->empty()) leave();
  return record;
}

Result<Bytes> Cursor::advance(log::Reader& reader) {
  const ModuleSchema& schema = records_->schema();
  if (in_batch_ == batch_.count) {
    // A batch of old records may be empty: some are dropped on the way to the newest form.
    do {
      auto more = records_->next(batch_);
      if (!more) return more.error();
      if (!*more) {
        const Status end = ended(reader);
        if (!end) return end.error();
        return Bytes{};
      }
    } while (batch_.count == 0);
    in_batch_ = 0;
  }
  if (schema.shape == Shape::kSliced) return gather();
  if (schema.shape == Shape::kWhole) {
    in_batch_ = batch_.count;
    return batch_.bytes;
  }
  return batch_.bytes.subspan(in_batch_++ * schema.head_bytes, schema.head_bytes);
}

// All slices of a record behind its head. Memory grows with what arrives, not with what the head promises.
Result<Bytes> Cursor::gather() {
  whole_.assign(batch_.bytes.begin(), batch_.bytes.end());
  for (;;) {
    whole_.insert(whole_.end(), batch_.items.begin(), batch_.items.end());
    if (batch_.last) break;
    auto more = records_->next(batch_);
    if (!more) return more.error();
    if (!*more) break;
  }
  in_batch_ = batch_.count;
  if (!batch_.last || records_->leftover_bytes() > 0) {
    return Error{
        .code = ErrorCode::kTruncated, .offset = records_->file_offset(), .what = "the region ends inside a record"};
  }
  return Bytes{whole_};
}

// A reader that salvages says nothing when it stops at damage; whoever asked for records must be told.
Status Cursor::ended(log::Reader& reader) {
  if (records_->leftover_bytes() > 0) return {};  // the original takes a piece of a record for the end, too
  for (const log::Damage& damage : reader.damage()) {
    if (damage.where == records_->schema().name && damage.severity == log::Damage::Severity::kLoss) return damage.error;
  }
  return {};
}

Result<std::size_t> Cursor::read_plain(log::Reader& reader, ModuleId module, MutableBytes out) {
  const log::Header& header = reader.header();
  if (header.modules[module].length == 0) return std::size_t{0};
  if (!at(module, Way::kPlain)) {
    leave();
    plain_ = std::make_unique<log::ByteReader>(
        log::open_region(reader.source(), header.modules[module], header.codec, reader.options().limits));
    module_ = module, way_ = Way::kPlain;
  }
  auto got = plain_->read(out);
  if (!got || (*got == 0 && !out.empty())) leave();
  return got;
}

}  // namespace trikal::compat
