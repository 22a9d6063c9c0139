// What maps leave in the trailer: extra counters, errors, unseen programs, phases, the table of processes.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "base/program_kind.hpp"
#include "log/crash/extras.hpp"
#include "log/crash/notes.hpp"
#include "log/crash/process_table.hpp"
#include "log/crash/trace.hpp"
#include "log/read/reader.hpp"
#include "log/write/tool_writer.hpp"
#include "modules/posix/extra.hpp"
#include "modules/posix/schema.hpp"
#include "modules/stdio/schema.hpp"
#include "schema/record.hpp"
#include "support/map_builder.hpp"

namespace trikal::log::crash {
namespace {

using namespace std::literals;
using trikal::testing::MapBuilder;
using trikal::testing::slot_bytes;

constexpr const ModuleSchema* kSchemas[] = {&modules::posix::kSchema, &modules::stdio::kSchema};
using ExtraRecord = Record<modules::posix::kExtraSchema>;
using PosixRecord = LiveRecord<modules::posix::kSchema>;

// A row as text, column by column.
using Row = std::vector<std::string>;

std::string text_of(const Cell& cell) {
  switch (cell.type) {
    case ColumnType::kI64: return std::to_string(cell.i64());
    case ColumnType::kU64: return std::to_string(cell.u64());
    case ColumnType::kF64: return std::to_string(cell.f64());
    default: return std::string(cell.text);
  }
}

class SectionsTest : public ::testing::Test {
 protected:
  SectionsTest() {
    std::string pattern = ::testing::TempDir() + "trikal-sections-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
  }
  ~SectionsTest() override { std::filesystem::remove_all(folder_); }

  // Writes a log whose trailer has what `put` puts into it.
  void write(const std::function<Status(TrailerWriter&)>& put) {
    reader_.reset();
    auto tool = ToolWriter::create(folder_ + "/log", {.replace = true});
    ASSERT_TRUE(tool);
    Writer& writer = (*tool)->writer();
    ASSERT_TRUE(writer.put_job({}, {.metadata = "", .exe = "app", .mounts = {}}));
    ASSERT_TRUE(writer.begin_names().ok() && writer.end_region().ok());
    const Status status = put(*writer.trailer());
    ASSERT_TRUE(status.ok()) << status.error().what;
    ASSERT_TRUE(writer.finish(0).ok());
    auto source = open_file(folder_ + "/log");
    auto reader = Reader::open(std::move(*source));
    ASSERT_TRUE(reader) << reader.error().what;
    reader_ = std::move(*reader);
  }

  [[nodiscard]] bool has(std::string_view name) { return reader_->trailer()->find(name) != nullptr; }

  [[nodiscard]] std::vector<Row> rows(std::string_view name) {
    std::vector<Row> found;
    const Section* section = reader_->trailer()->find(name);
    if (section == nullptr) return found;
    auto rows = reader_->trailer()->rows(*section);
    EXPECT_TRUE(rows);
    std::span<const Cell> row;
    while (*(*rows)->next(row)) {
      Row cells;
      for (const Cell& cell : row) cells.push_back(text_of(cell));
      found.push_back(std::move(cells));
    }
    return found;
  }

  [[nodiscard]] std::string cell(const Row& row, std::string_view section, std::string_view column) {
    return row.at(reader_->trailer()->find(section)->column(column));
  }

  std::string folder_;
  std::unique_ptr<Reader> reader_;
};

ExtraRecord extra(std::uint64_t id, std::int64_t unlinks) {
  ExtraRecord record;
  record.set_base({id, 0});
  record.at<"POSIX_UNLINKS">() = unlinks;
  record.set_real<"POSIX_F_EXTRA_TIME">(0.5);
  return record;
}

TEST_F(SectionsTest, ProcessesThatAreLeftOutAreCounted) {
  write([](TrailerWriter& trailer) { return put_left_out(trailer, 1234); });
  EXPECT_EQ(rows("processes_left_out"), (std::vector<Row>{{"1234"}}));
  write([](TrailerWriter& trailer) { return put_left_out(trailer, 0); });
  EXPECT_FALSE(has("processes_left_out"));
}

TEST_F(SectionsTest, ExtraCountersHaveARowAFileAndProcess) {
  MapBuilder first, second;
  first.add_one(ChunkKind::kExtras, modules::posix::kSchema.id, slot_bytes(extra(11, 1)));
  second.add_one(ChunkKind::kExtras, modules::posix::kSchema.id, slot_bytes(extra(11, 2)));
  second.add_one(ChunkKind::kExtras, modules::posix::kSchema.id, slot_bytes(extra(12, 3)));
  const auto a = MapView::open(first.bytes()), b = MapView::open(second.bytes());
  const Process processes[] = {{&*a, 0, 0}, {&*b, 7, 0}};
  Extras extras;
  write([&](TrailerWriter& trailer) { return extras.put(trailer, processes, kSchemas); });
  const auto found = rows("posix_extra");
  ASSERT_EQ(found.size(), 3U);
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(cell(found[i], "posix_extra", "id"), i == 2 ? "12" : "11");
    EXPECT_EQ(cell(found[i], "posix_extra", "rank"), i == 0 ? "0" : "7");
    EXPECT_EQ(cell(found[i], "posix_extra", "POSIX_UNLINKS"), std::to_string(i + 1));
    EXPECT_EQ(cell(found[i], "posix_extra", "POSIX_F_EXTRA_TIME"), "0.500000");
  }
  EXPECT_FALSE(has("stdio_extra")) << "nothing to say";
  EXPECT_FALSE(has("errors"));
  for (const Section::ColumnText& column : reader_->trailer()->find("posix_extra")->columns) {
    EXPECT_FALSE(column.help.empty()) << column.name;
  }
}

TEST_F(SectionsTest, OneObjectServesLogAfterLog) {
  MapBuilder map;
  map.add_one(ChunkKind::kExtras, modules::posix::kSchema.id, slot_bytes(extra(11, 1)));
  const auto view = MapView::open(map.bytes());
  const Process processes[] = {{&*view, 0, 0}};
  Extras extras;
  for (int log = 0; log < 10; ++log) {
    write([&](TrailerWriter& trailer) { return extras.put(trailer, processes, kSchemas); });
    EXPECT_EQ(rows("posix_extra").size(), 1U) << log;
  }
}

TEST_F(SectionsTest, ExtraCountersOfAnotherSizeAreLeftOut) {
  MapBuilder map;
  map.add_one(ChunkKind::kExtras, modules::posix::kSchema.id, slot_bytes(std::uint64_t{11}));
  map.add_one(ChunkKind::kExtras, 63, slot_bytes(extra(11, 1)));
  const auto view = MapView::open(map.bytes());
  const Process processes[] = {{&*view, 0, 0}};
  Extras extras;
  write([&](TrailerWriter& trailer) { return extras.put(trailer, processes, kSchemas); });
  EXPECT_FALSE(has("posix_extra"));
}

TEST_F(SectionsTest, ErrorsHaveWordsWhereThereAreAny) {
  MapBuilder map;
  map.add_one(ChunkKind::kErrors, 0, slot_bytes(ErrorSlot{11, ENOENT, modules::posix::kSchema.id, 3}));
  map.add_one(ChunkKind::kErrors, 0, slot_bytes(ErrorSlot{0, 4095, modules::stdio::kSchema.id, 1}));
  map.add_one(ChunkKind::kErrors, 0, slot_bytes(ErrorSlot{11, 0xffffffff, 999, -1}));
  const auto view = MapView::open(map.bytes());
  const Process processes[] = {{&*view, 2, 0}};
  Extras extras;
  write([&](TrailerWriter& trailer) { return extras.put(trailer, processes, kSchemas); });
  EXPECT_EQ(rows("errors"), (std::vector<Row>{{"11", "2", "POSIX", "2", "ENOENT", "3"},
                                              {"0", "2", "STDIO", "4095", "", "1"},
                                              {"11", "2", "", "4294967295", "", "-1"}}));
}

TEST(ErrorWord, OfEveryNumberIsUniqueOrEmpty) {
  EXPECT_EQ(error_word(EAGAIN), "EAGAIN");
  EXPECT_EQ(error_word(EDQUOT), "EDQUOT");
  EXPECT_EQ(error_word(0), "");
  EXPECT_EQ(error_word(-1), "");
  EXPECT_EQ(error_word(std::numeric_limits<std::int64_t>::max()), "");
  std::vector<std::string_view> words;
  for (int number = 1; number < 256; ++number) {
    if (!error_word(number).empty()) words.push_back(error_word(number));
  }
  std::ranges::sort(words);
  EXPECT_EQ(std::ranges::adjacent_find(words), words.end());
  EXPECT_GE(words.size(), 40U);
}

std::size_t add_unseen(MapBuilder& map, std::uint32_t why, std::string_view path, std::uint32_t path_bytes) {
  UnseenSlot slot;
  slot.why = why, slot.path_bytes = path_bytes, slot.count = 2;
  std::memcpy(slot.path, path.data(), path.size());
  return map.add_one(ChunkKind::kUnseen, 0, slot_bytes(slot));
}

TEST_F(SectionsTest, UnseenProgramsAreNamedWhateverTheMapSays) {
  MapBuilder map;
  add_unseen(map, static_cast<std::uint32_t>(Unseen::kMusl), "/bin/x", 6);
  add_unseen(map, 0xffffffff, std::string(UnseenSlot::kPathBytes, 'p'), 0xffffffff);
  const auto view = MapView::open(map.bytes());
  const Process processes[] = {{&*view, -1, 0}};
  write([&](TrailerWriter& trailer) { return put_notes(trailer, processes); });
  const auto found = rows("unseen");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0], (Row{"77", "musl", "2", "/bin/x"}));
  EXPECT_EQ(found[1].back(), std::string(UnseenSlot::kPathBytes, 'p'));
  EXPECT_FALSE(has("phases"));
}

TEST_F(SectionsTest, PhasesAreOnTheJobsClock) {
  MapBuilder map;
  PhaseSlot ended{.begin = 1, .end = 2, .thread = 4, .depth = 1, .name_bytes = 4};
  std::memcpy(ended.name, "load", 4);
  PhaseSlot open{.begin = 3, .end = 0, .name_bytes = 0xffffffff};
  std::memset(open.name, 'x', sizeof open.name);
  map.add_one(ChunkKind::kPhases, 0, slot_bytes(ended));
  map.add_one(ChunkKind::kPhases, 0, slot_bytes(open));
  const auto view = MapView::open(map.bytes());
  const Process processes[] = {{&*view, 5, 10.0}};
  write([&](TrailerWriter& trailer) { return put_notes(trailer, processes); });
  EXPECT_EQ(
      rows("phases"),
      (std::vector<Row>{{"77", "5", "4", "1", "11.000000", "12.000000", "load"},
                        {"77", "5", "0", "0", "13.000000", "0.000000", std::string(PhaseSlot::kNameBytes, 'x')}}));
}

TEST_F(SectionsTest, HintsOfAllRanksAreSaidOnce) {
  HintSlot common{.id = 3, .key_bytes = 8, .value_bytes = 1}, own{.id = 3, .key_bytes = 0xffffffff, .value_bytes = 1};
  std::memcpy(common.key, "cb_nodes", 8), common.value[0] = '4';
  std::memset(own.key, 'k', sizeof own.key), own.value[0] = '5';
  MapBuilder first, second;
  for (MapBuilder* map : {&first, &second}) {
    map->header().job.ranks = 2;
    map->add_one(ChunkKind::kHints, 0, slot_bytes(common));
  }
  second.add_one(ChunkKind::kHints, 0, slot_bytes(own));
  const auto a = MapView::open(first.bytes()), b = MapView::open(second.bytes());
  const Process processes[] = {{&*a, 0, 0}, {&*b, 1, 0}};
  write([&](TrailerWriter& trailer) { return put_notes(trailer, processes); });
  EXPECT_EQ(rows("mpiio_hints"),
            (std::vector<Row>{{"3", "-1", "cb_nodes", "4"}, {"3", "1", std::string(HintSlot::kKeyBytes, 'k'), "5"}}));
}

TEST_F(SectionsTest, TheProcessTableTellsWhoAndHow) {
  MapBuilder ended, killed;
  ended.set_text("./app\0a b\0"sv, "/home/app", "");
  ended.header().exit_status = 3;
  std::memcpy(ended.header().host, "node7", 5);
  std::memset(killed.header().host, 'h', sizeof killed.header().host);  // no end, as a wild pointer leaves it
  ended.header().self.missed = 4;
  killed.header().job.end_sec = 0;
  killed.header().job.ranks = 8;
  killed.header().identity.generation = 2;
  const auto a = MapView::open(ended.bytes()), b = MapView::open(killed.bytes());
  write([&](TrailerWriter& trailer) {
    Status status = begin_process_table(trailer);
    if (status.ok()) status = put_process(trailer, {&*a, 0, 999, "exited", {42, 0.25, 0.5}});
    if (status.ok()) status = put_process(trailer, {&*b, -1, 999, "killed", {}});
    return status.ok() ? trailer.end_section() : status;
  });
  const auto found = rows("processes");
  ASSERT_EQ(found.size(), 2U);
  const auto is = [&](std::size_t row, std::string_view column, std::string_view value) {
    EXPECT_EQ(cell(found[row], "processes", column), value) << row << ' ' << column;
  };
  is(0, "start", "1.000000"), is(0, "end", "3.000000"), is(0, "ended", "exited"), is(0, "status", "3");
  is(0, "missed", "4"), is(0, "exe", "/home/app"), is(0, "argv", "./app 'a b'"), is(0, "rank", "0");
  is(0, "host", "node7"), is(1, "host", std::string(kHostBytes, 'h'));
  is(0, "mpi_ranks", "0"), is(1, "mpi_ranks", "8");
  is(0, "calls", "42"), is(0, "call_cost", "0.250000"), is(0, "session_cost", "0.500000");
  is(1, "end", "0.000000"), is(1, "ended", "killed"), is(1, "generation", "2"), is(1, "argv", ""), is(1, "rank", "-1");
}

PosixRecord read_often(std::int64_t reads) {
  PosixRecord record;
  record.set_base({11, 0});
  record.at<"POSIX_OPENS">() = 2;
  record.at<"POSIX_READS">() = reads;
  record.at<"POSIX_SEQ_READS">() = reads;  // part of those
  record.at<"POSIX_MMAPS">() = -1;         // not observed
  return record;
}

TEST(SelfCost, IsCallsTimesWhatOneTakes) {
  MapBuilder map;
  constexpr ModuleId kPosix = modules::posix::kSchema.id, kStdio = modules::stdio::kSchema.id;
  map.add_one(ChunkKind::kRecords, kPosix, slot_bytes(read_often(1000)));
  map.add_one(ChunkKind::kRecords, kPosix, slot_bytes(read_often(500)));
  map.add_one(ChunkKind::kExtras, kPosix, slot_bytes(extra(11, 3)));
  map.add_one(ChunkKind::kErrors, 0, slot_bytes(ErrorSlot{11, ENOENT, kPosix, 7}));
  map.add_one(ChunkKind::kErrors, 0, slot_bytes(ErrorSlot{11, ENOENT, kStdio, 2}));
  map.header().self.costs[0] = {kPosix, 50000};
  map.header().self.costs[1] = {kStdio, 20000};
  map.header().self.session = 1500;
  const SelfCost cost = self_cost(*MapView::open(map.bytes()), kSchemas);
  EXPECT_EQ(cost.calls, 1514U + 2);
  EXPECT_NEAR(cost.noting, 1514 * 50e-9 + 2 * 20e-9, 1e-12);
  EXPECT_NEAR(cost.session, 1.5e-6, 1e-15);
}

TEST(SelfCost, CountsBriefRecordsThatHaveNotMoved) {
  MapBuilder map;
  constexpr ModuleId kPosix = modules::posix::kSchema.id;
  BriefRecord<modules::posix::kSchema> brief;
  brief.at<"POSIX_OPENS">() = 3, brief.at<"POSIX_STATS">() = 4;
  brief.set_base({11, 0});
  map.add_one(ChunkKind::kBriefs, kPosix, slot_bytes(brief));
  brief.set_base({12, kMoved});
  map.add_one(ChunkKind::kBriefs, kPosix, slot_bytes(brief));
  EXPECT_EQ(self_cost(*MapView::open(map.bytes()), kSchemas).calls, 7U);
}

TEST(SelfCost, OfAMapThatLiesIsANumber) {
  MapBuilder map;
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  for (int i = 0; i < 3; ++i) map.add_one(ChunkKind::kRecords, 1, slot_bytes(read_often(kMost)));
  map.add_one(ChunkKind::kRecords, 1, slot_bytes(std::uint64_t{1}));
  map.header().self.costs[0] = {1, 0xffffffff};
  map.header().self.session = ~std::uint64_t{0};
  const SelfCost cost = self_cost(*MapView::open(map.bytes()), kSchemas);
  EXPECT_GE(cost.noting, 0);
  EXPECT_GE(cost.session, 0);
  EXPECT_EQ(self_cost(*MapView::open(MapBuilder().bytes()), kSchemas).calls, 0U);
}

std::string shell_text(std::string_view arguments) {
  return std::string(CommandText(arguments, CommandText::Form::kQuoted).text());
}

TEST(CommandText, CanBeGivenToAShell) {
  EXPECT_EQ(shell_text("a\0b-c\0"sv), "a b-c");
  EXPECT_EQ(shell_text("echo\0it's\0$HOME\0"sv), R"(echo 'it'\''s' '$HOME')");
  EXPECT_EQ(shell_text("a\0\0b\0"sv), "a '' b") << "an empty argument is one";
  EXPECT_EQ(shell_text("new\nline\0"sv), "'new\nline'");
  EXPECT_EQ(shell_text("cut off in the midd"sv), "'cut off in the midd'");
  EXPECT_EQ(shell_text(""), "");
  EXPECT_EQ(CommandText("a b\0c\0"sv, CommandText::Form::kSpaced).text(), "a b c");
}

TEST(CommandText, OfQuotesAloneStaysInsideItsBuffer) {
  const std::string quotes(kTextBytes, '\'');
  EXPECT_EQ(shell_text(quotes).size(), 2 * kTextBytes);
}

TEST_F(SectionsTest, TracedCallsThatNoRecordHas) {
  MapBuilder map;
  for (const std::uint32_t interface : {kTracePosix, kTraceStdio}) {
    TracedSlot file;
    file.id = 40, file.interface = interface, file.events = 3;
    map.add_one(ChunkKind::kTraced, 0, slot_bytes(file));
  }
  const auto event = [](Operation operation, std::uint64_t begin, std::int64_t offset, std::uint32_t traced) {
    return TraceEvent{begin, 1000000000, offset, 10, traced, static_cast<std::uint32_t>(operation), 6};
  };
  trikal::testing::add_trace_stream(
      map, 0,
      std::vector{event(Operation::kOpen, 1000000000, -1, 0), event(Operation::kWrite, 2000000000, 0, 0),
                  event(Operation::kStreamWrite, 3000000000, 5, 1), event(Operation::kSync, 4000000000, -1, 9)});
  const MapView view = *MapView::open(map.bytes());
  const Process process{&view, 5, 0.5};
  write([&](TrailerWriter& trailer) { return put_traced_calls(trailer, {&process, 1}); });
  EXPECT_EQ(rows("traced_calls"),
            (std::vector<Row>{{"40", "5", "77", "POSIX", "open", "-1", "10", "1.500000", "2.500000", "7"},
                              {"40", "5", "77", "STDIO", "stream write", "5", "10", "3.500000", "4.500000", "7"}}));
}

}  // namespace
}  // namespace trikal::log::crash
