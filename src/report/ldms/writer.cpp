#include "report/ldms/writer.hpp"

#include <span>

#include "report/csv/csv_text.hpp"
#include "report/json/writer.hpp"

namespace trikal::report::ldms {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

// How a format writes the value of a field.
class Cells {
 public:
  explicit Cells(Sink& out) : out_(out) {}
  virtual ~Cells() = default;
  Cells(const Cells&) = delete;
  Cells& operator=(const Cells&) = delete;
  virtual void text(std::string_view value) = 0;
  void number(std::int64_t value) { out_.put_int(value); }
  void id(std::uint64_t value) { out_.put_uint(value); }
  // Seconds of nanoseconds, exactly; a time that is not known is -1.
  void seconds(std::int64_t value) {
    if (value == kNoTime) return number(kUnknown);
    if (value < 0) out_.put("-");
    decimal(value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value), kSecond, 9);
  }
  // Seconds since 1970 with microseconds, cut off as the connector does it.
  void moment(std::int64_t value) {
    if (value < 0) return seconds(value);
    decimal(static_cast<std::uint64_t>(value) / 1000, kSecond / 1000, 6);
  }

 protected:
  Sink& out_;

 private:
  void decimal(std::uint64_t value, std::uint64_t one, std::size_t digits) {
    out_.put_uint(value / one);
    char text[16] = ".";
    std::uint64_t rest = value % one;
    for (std::size_t at = digits; at > 0; --at, rest /= 10) text[at] = static_cast<char>('0' + rest % 10);
    out_.put({text, digits + 1});
  }
};

class JsonCells final : public Cells {
 public:
  using Cells::Cells;
  void text(std::string_view value) override { JsonWriter(out_).value(value); }
};

class CsvCells final : public Cells {
 public:
  using Cells::Cells;
  void text(std::string_view value) override { put_csv_text(out_, value); }
};

struct Field {
  std::string_view name;
  void (*put)(Cells& cells, const Message& message);
};
using Fields = std::span<const Field>;

void put_uid_text(Cells& cells, const Message& m) { cells.text(std::to_string(m.uid)); }
constexpr Field kSchema = {"schema",
                           [](Cells& c, const Message& m) { c.text(m.is_meta ? "darshan_data" : kNotApplicable); }};
constexpr Field kUid = {"uid", [](Cells& c, const Message& m) { c.number(m.uid); }};
constexpr Field kUidText = {"uid", put_uid_text};
constexpr Field kExe = {"exe", [](Cells& c, const Message& m) { c.text(m.exe); }};
constexpr Field kJobId = {"job_id", [](Cells& c, const Message& m) { c.number(m.job_id); }};
constexpr Field kRank = {"rank", [](Cells& c, const Message& m) { c.number(m.rank); }};
constexpr Field kProducer = {"ProducerName", [](Cells& c, const Message& m) { c.text(m.node); }};
constexpr Field kFile = {"file", [](Cells& c, const Message& m) { c.text(m.file); }};
constexpr Field kRecordId = {"record_id", [](Cells& c, const Message& m) { c.id(m.record_id); }};
constexpr Field kModule = {"module", [](Cells& c, const Message& m) { c.text(m.module); }};
constexpr Field kType = {"type", [](Cells& c, const Message& m) { c.text(m.is_meta ? "MET" : "MOD"); }};
constexpr Field kMaxByte = {"max_byte", [](Cells& c, const Message& m) { c.number(m.max_byte); }};
constexpr Field kSwitches = {"switches", [](Cells& c, const Message& m) { c.number(m.switches); }};
constexpr Field kFlushes = {"flushes", [](Cells& c, const Message& m) { c.number(m.flushes); }};
constexpr Field kCnt = {"cnt", [](Cells& c, const Message& m) { c.number(m.cnt); }};
constexpr Field kOp = {"op", [](Cells& c, const Message& m) { c.text(m.op); }};
// Of a segment.
constexpr Field kDataSet = {"data_set", [](Cells& c, const Message& m) { c.text(m.data_set); }};
constexpr Field kPtSel = {"pt_sel", [](Cells& c, const Message& m) { c.number(m.pt_sel); }};
constexpr Field kIrregular = {"irreg_hslab", [](Cells& c, const Message& m) { c.number(m.irreg_hslab); }};
constexpr Field kRegular = {"reg_hslab", [](Cells& c, const Message& m) { c.number(m.reg_hslab); }};
constexpr Field kDimensions = {"ndims", [](Cells& c, const Message& m) { c.number(m.ndims); }};
constexpr Field kPoints = {"npoints", [](Cells& c, const Message& m) { c.number(m.npoints); }};
constexpr Field kOff = {"off", [](Cells& c, const Message& m) { c.number(m.off); }};
constexpr Field kLen = {"len", [](Cells& c, const Message& m) { c.number(m.len); }};
constexpr Field kStart = {"start", [](Cells& c, const Message& m) { c.seconds(m.start); }};
constexpr Field kDur = {"dur", [](Cells& c, const Message& m) { c.seconds(m.dur); }};
constexpr Field kTotal = {"total", [](Cells& c, const Message& m) { c.seconds(m.total); }};
constexpr Field kTimestamp = {"timestamp", [](Cells& c, const Message& m) { c.moment(m.end); }};

// The orders are the connector's.
constexpr Field kPublishedHead[] = {kUidText, kExe,  kJobId,   kRank,     kProducer, kFile, kRecordId,
                                    kModule,  kType, kMaxByte, kSwitches, kFlushes,  kCnt,  kOp};
constexpr Field kPublishedSegment[] = {kDataSet, kPtSel, kIrregular, kRegular, kDimensions,
                                       kPoints,  kOff,   kLen,       kDur,     kTimestamp};
constexpr Field kCurrentHead[] = {kSchema, kUid,  kExe,     kJobId,    kRank,    kProducer, kFile, kRecordId,
                                  kModule, kType, kMaxByte, kSwitches, kFlushes, kCnt,      kOp};
constexpr Field kCurrentSegment[] = {kPtSel, kIrregular, kRegular, kDimensions, kPoints,   kOff,
                                     kLen,   kStart,     kDur,     kTotal,      kTimestamp};
// CSV is what LDMS stores of it: its own order, the same for both but for two columns at the end.
constexpr Field kCsvHead[] = {kModule,   kUid, kProducer, kSwitches, kFile,  kRank, kFlushes,
                              kRecordId, kExe, kMaxByte,  kType,     kJobId, kOp,   kCnt};
constexpr Field kCsvSegment[] = {kOff,       kPtSel,   kDur,    kLen,       kDimensions, kRegular,
                                 kIrregular, kDataSet, kPoints, kTimestamp, kTotal,      kStart};
constexpr std::size_t kOnlyCurrent = 2;

Fields csv_segment(Dialect dialect) {
  const Fields all = kCsvSegment;
  return dialect == Dialect::kCurrent ? all : all.first(all.size() - kOnlyCurrent);
}

void put_object(Sink& out, Fields fields, const Message& message) {
  JsonCells cells(out);
  const char* before = "";
  for (const Field& field : fields) {
    out.put(before), out.put("\""), out.put(field.name), out.put("\":");
    field.put(cells, message);
    before = ",";
  }
}

}  // namespace

void put_json(Sink& out, Dialect dialect, const Message& message) {
  const bool current = dialect == Dialect::kCurrent;
  out.put("{");
  put_object(out, current ? Fields(kCurrentHead) : Fields(kPublishedHead), message);
  out.put(",\"seg\":[{");
  put_object(out, current ? Fields(kCurrentSegment) : Fields(kPublishedSegment), message);
  out.put("}]}\n");
}

void put_csv_header(Sink& out, Dialect dialect) {
  const char* before = "#";
  for (const Field& field : kCsvHead) out.put(before), out.put(field.name), before = ",";
  for (const Field& field : csv_segment(dialect)) out.put(",seg:"), out.put(field.name);
  out.put("\n");
}

void put_csv(Sink& out, Dialect dialect, const Message& message) {
  CsvCells cells(out);
  const char* before = "";
  for (const Field& field : kCsvHead) out.put(before), field.put(cells, message), before = ",";
  for (const Field& field : csv_segment(dialect)) out.put(","), field.put(cells, message);
  out.put("\n");
}

}  // namespace trikal::report::ldms
