#include "stream/wire/batch.hpp"

#include <bit>

#include "base/hash.hpp"
#include "stream/wire/batch_bytes.hpp"
#include "stream/wire/event_columns.hpp"

namespace trikal::stream {
namespace {

constexpr std::uint64_t kMagic = 0x344d5254534b5254ULL;  // "TRKSTRM4"
constexpr std::size_t kHead = 8 + 4 + 4;  // magic, length of the body, its checksum

// One function a kind of row serves both ways: Codec is an Encoder or a Decoder.
template <class Codec, class Row>
void run_row(Codec& codec, Row& row) {
  codec.number(row.run), codec.difference(row.start), codec.text(row.command), codec.text(row.host);
}

template <class Codec, class Row>
void process_row(Codec& codec, Row& row) {
  codec.number(row.process), codec.number(row.run), codec.difference(row.pid), codec.difference(row.parent);
  codec.difference(row.rank), codec.number(row.generation);
  codec.choice(row.state, ProcessState::kGone);
  codec.difference(row.start), codec.text(row.host), codec.text(row.command);
  codec.difference(row.uid), codec.difference(row.job), codec.text(row.program);
}

template <class Codec, class Row>
void file_row(Codec& codec, Row& row) {
  codec.number(row.file), codec.text(row.name);
}

template <class Codec, class Row>
void rollup_row(Codec& codec, Row& row) {
  codec.number(row.process), codec.number(row.file), codec.number(row.module);
  codec.choice(row.operation, Operation::kMetadata);
  codec.number(row.amount.calls), codec.number(row.amount.bytes), codec.number(row.amount.steps);
}

template <class Codec, class Row>
void interval_row(Codec& codec, Row& row) {
  codec.difference(row.begin), codec.difference(row.end);
  codec.list(row.rows, 7, [](Codec& inner, auto& rollup) { rollup_row(inner, rollup); });
}

template <class Codec, class Row>
void system_row(Codec& codec, Row& row) {
  codec.difference(row.time), codec.text(row.metric), codec.text(row.device), codec.real(row.value);
}

template <class Codec, class Row>
void finding_row(Codec& codec, Row& row) {
  codec.number(row.run), codec.difference(row.time), codec.text(row.code), codec.text(row.title);
  codec.text(row.severity), codec.real(row.seconds);
}

template <class Codec, class Row>
void drop_row(Codec& codec, Row& row) {
  codec.number(row.process), codec.text(row.cause), codec.number(row.count);
}

void columns(Encoder& encoder, const EventList& list) {
  std::vector<std::byte> bytes;
  append_event_columns(bytes, list.events, list.details);
  encoder.block(bytes);
}

void columns(Decoder& decoder, EventList& list) {
  const auto columns = EventColumns::open(decoder.block());
  if (!columns || !columns->append_to(list.events, list.details)) decoder.fail();
}

template <class Codec, class Row>
void event_row(Codec& codec, Row& row) {
  codec.number(row.process), codec.number(row.run), columns(codec, row);
}

template <class Codec, class Row>
void event_count_row(Codec& codec, Row& row) {
  codec.number(row.process), codec.difference(row.thread), codec.number(row.stored), codec.number(row.ring_full);
  codec.number(row.without_ring), codec.number(row.sampled_out), codec.number(row.filtered);
}

template <class Codec, class Row>
void ring_row(Codec& codec, Row& row) {
  codec.number(row.process), codec.difference(row.ring), codec.number(row.tail), codec.number(row.dropped);
  codec.number(row.sampled_out), codec.number(row.filtered);
}

template <class Codec, class Row>
void operation_row(Codec& codec, Row& row) {
  codec.number(row.process), codec.number(row.operation), codec.text(row.interface), codec.text(row.word);
}

template <class Codec, class Row>
void object_row(Codec& codec, Row& row) {
  codec.number(row.process), codec.number(row.object), codec.text(row.path);
}

template <class Codec, class Row>
void phase_row(Codec& codec, Row& row) {
  codec.number(row.process), codec.number(row.number), codec.number(row.thread), codec.number(row.depth);
  codec.difference(row.begin), codec.difference(row.end), codec.text(row.name);
}

template <class Codec, class AnyBatch>
void event_lists(Codec& codec, AnyBatch& batch) {
  codec.list(batch.events, 15, [](Codec& inner, auto& row) { event_row(inner, row); });
  codec.list(batch.event_counts, 7, [](Codec& inner, auto& row) { event_count_row(inner, row); });
  codec.list(batch.rings, 6, [](Codec& inner, auto& row) { ring_row(inner, row); });
  codec.list(batch.operations, 4, [](Codec& inner, auto& row) { operation_row(inner, row); });
  codec.list(batch.objects, 3, [](Codec& inner, auto& row) { object_row(inner, row); });
}

// The number behind each list is the fewest bytes a row of it takes.
template <class Codec, class AnyBatch>
void body(Codec& codec, AnyBatch& batch) {
  codec.number(batch.source), codec.number(batch.sequence), codec.text(batch.host);
  codec.list(batch.runs, 4, [](Codec& inner, auto& row) { run_row(inner, row); });
  codec.list(batch.processes, 13, [](Codec& inner, auto& row) { process_row(inner, row); });
  codec.list(batch.files, 2, [](Codec& inner, auto& row) { file_row(inner, row); });
  codec.list(batch.intervals, 3, [](Codec& inner, auto& row) { interval_row(inner, row); });
  codec.list(batch.system, 11, [](Codec& inner, auto& row) { system_row(inner, row); });
  codec.list(batch.findings, 13, [](Codec& inner, auto& row) { finding_row(inner, row); });
  codec.list(batch.drops, 3, [](Codec& inner, auto& row) { drop_row(inner, row); });
  event_lists(codec, batch);
  codec.list(batch.phases, 7, [](Codec& inner, auto& row) { phase_row(inner, row); });
}

Error refused(ErrorCode code, const char* what, std::uint64_t offset) {
  return {.code = code, .offset = offset, .what = what};
}

}  // namespace

bool Batch::empty() const {
  return runs.empty() && processes.empty() && files.empty() && intervals.empty() && system.empty() &&
         findings.empty() && drops.empty() && events.empty() && event_counts.empty() && rings.empty() &&
         operations.empty() && objects.empty() && phases.empty();
}

void Batch::clear() {
  runs.clear(), processes.clear(), files.clear(), intervals.clear(), system.clear(), findings.clear(), drops.clear();
  events.clear(), event_counts.clear(), rings.clear(), operations.clear(), objects.clear(), phases.clear();
}

std::vector<std::byte> encode(const Batch& batch) {
  Encoder encoder(kHead);
  body(encoder, batch);
  std::vector<std::byte> bytes = encoder.take();
  store_le(bytes.data(), kMagic);
  store_le(bytes.data() + 8, static_cast<std::uint32_t>(bytes.size() - kHead));
  store_le(bytes.data() + 12, crc32c(Bytes{bytes}.subspan(kHead)));
  return bytes;
}

Result<Batch> decode(Bytes bytes) {
  if (bytes.size() < kHead) return refused(ErrorCode::kTruncated, "too short for a batch", bytes.size());
  if (load_le<std::uint64_t>(bytes.data()) != kMagic)
    return refused(ErrorCode::kNotALog, "not a batch of this version", 0);
  if (bytes.size() > kLargestBatch) return refused(ErrorCode::kLimit, "larger than any batch", kLargestBatch);
  const Bytes inside = bytes.subspan(kHead);
  if (load_le<std::uint32_t>(bytes.data() + 8) != inside.size())
    return refused(ErrorCode::kTruncated, "the batch is not as long as it says", bytes.size());
  if (load_le<std::uint32_t>(bytes.data() + 12) != crc32c(inside))
    return refused(ErrorCode::kDamaged, "the batch's checksum is wrong", 12);
  Decoder decoder(inside);
  Batch batch;
  body(decoder, batch);
  if (!decoder.ok() || !decoder.at_end())
    return refused(ErrorCode::kDamaged, "the batch contradicts itself", kHead + decoder.position());
  return batch;
}

}  // namespace trikal::stream
