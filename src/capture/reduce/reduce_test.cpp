// What ranks send each other at their end: written, read, joined, and not believed.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "capture/reduce/packed_map.hpp"
#include "capture/reduce/part.hpp"
#include "capture/reduce/rank_survey.hpp"
#include "capture/reduce/rank_test.hpp"
#include "capture/reduce/rest.hpp"
#include "log/codec/decoder.hpp"
#include "log/crash/trace.hpp"

namespace trikal::capture {
namespace {

std::vector<std::uint64_t> ids_in(const IdLists& lists, std::size_t module = 0) {
  const auto span = lists.of(module);
  return {span.begin(), span.end()};
}

TEST(SurveyOfRanks, KeepsWhatAllHave) {
  Rank one(1, {5, 3, 9, 7}), two(2, {3, 4, 5, 9}), three(3, {9, 3});
  Survey survey, other, last;
  ASSERT_TRUE(survey.count(one.process(), observers()) && other.count(two.process(), observers()) &&
              last.count(three.process(), observers()));
  for (Survey* from : {&other, &last}) {
    Buffer message;
    ASSERT_TRUE(from->write(message) && survey.merge(message.bytes(), {}));
  }
  EXPECT_EQ(ids_in(survey.ids), (std::vector<std::uint64_t>{3, 9}));
  EXPECT_EQ(survey.head.ranks, 3);
  EXPECT_EQ(survey.head.modules, 1U);
}

TEST(SurveyOfRanks, FirstRankNeedNotHaveIt) {
  Rank zero(0, {1}), one(1, {5, 6}), two(2, {6, 7});
  Survey survey, first, second;
  ASSERT_TRUE(survey.count(zero.process(), observers()) && first.count(one.process(), observers()) &&
              second.count(two.process(), observers()));
  Buffer a, b;
  ASSERT_TRUE(first.write(a) && second.write(b));
  ASSERT_TRUE(survey.merge(a.bytes(), {.first = true, .share_own = false}) &&
              survey.merge(b.bytes(), {.share_own = false}));
  EXPECT_EQ(ids_in(survey.ids), (std::vector<std::uint64_t>{6}));
}

TEST(SurveyOfRanks, TwoRecordsOfOneIdAreNotShared) {
  Rank one(1, {5, 5, 6});
  Survey survey;
  ASSERT_TRUE(survey.count(one.process(), observers()));
  EXPECT_EQ(ids_in(survey.ids), (std::vector<std::uint64_t>{6}));
}

TEST(SurveyOfRanks, HostileMessagesAreRefused) {
  Rank one(1, {5, 6, 7});
  Survey survey, into;
  ASSERT_TRUE(survey.count(one.process(), observers()) && into.count(one.process(), observers()));
  Buffer message;
  ASSERT_TRUE(survey.write(message));
  for (std::size_t size = 0; size < message.size(); ++size)
    EXPECT_FALSE(into.merge(message.bytes().first(size), {})) << size;
  auto head = load<SurveyHead>(message.bytes().data());
  const auto refused = [&](const SurveyHead& changed) {
    store(message.all().data(), changed);
    return !into.merge(message.bytes(), {});
  };
  SurveyHead changed = head;
  changed.ids[0] = ~std::uint64_t{0};
  EXPECT_TRUE(refused(changed));
  changed = head, changed.ids[1] = 1;
  EXPECT_TRUE(refused(changed));
  changed = head, changed.grid = {1, 1e300, 5};
  EXPECT_TRUE(refused(changed));
  changed = head, changed.ranks = 0;
  EXPECT_TRUE(refused(changed));
  store(message.all().data(), head);
  store(message.all().data() + sizeof head, std::uint64_t{100});  // no longer ascending
  EXPECT_FALSE(into.merge(message.bytes(), {}));
}

TEST(PackedMaps, AreTheSameMaps) {
  MapBuilder everything = trikal::testing::map_of_everything();
  const auto view = MapView::open(everything.bytes());
  ASSERT_TRUE(view);
  Buffer packed;
  ASSERT_TRUE(pack_map({&*view, 4, 0}, Contents::kRecords, {}, packed));
  ASSERT_TRUE(pack_map({&*view, 5, 0}, Contents::kRest, {.calls = 77}, packed));
  UnpackedMaps maps;
  ASSERT_TRUE(maps.open(packed.bytes()));
  const auto processes = maps.processes(999);
  ASSERT_EQ(processes.size(), 2U);
  EXPECT_EQ(processes[0].rank, 4);
  EXPECT_EQ(processes[1].rank, 5);
  EXPECT_EQ(maps.cost(1).calls, 77U);
  EXPECT_GT(processes[0].shift, 0);
  EXPECT_EQ(processes[0].map->arguments(), view->arguments());
  const auto chunks = [](const MapView& map, bool records) {
    std::size_t bytes = 0;
    map.for_each_chunk([&](const log::crash::Chunk& chunk, Bytes slots) {
      const bool wanted = log::crash::holds_records(chunk) || chunk.kind == ChunkKind::kNames ||
                          chunk.kind == ChunkKind::kRuns || chunk.kind == ChunkKind::kTrace;
      const bool of_neither = chunk.kind == ChunkKind::kTraced || chunk.kind == ChunkKind::kTraceRules;
      if (wanted == records && chunk.kind != ChunkKind::kOther && !of_neither) bytes += slots.size();
    });
    return bytes;
  };
  EXPECT_EQ(chunks(*processes[0].map, true), chunks(*view, true));
  EXPECT_EQ(chunks(*processes[0].map, false), 0U);
  EXPECT_EQ(chunks(*processes[1].map, false), chunks(*view, false));
  for (const Process& process : processes)
    EXPECT_EQ(log::crash::TracedFiles(*process.map).all().size(), log::crash::TracedFiles(*view).all().size());
}

TEST(PackedMaps, HostileOnesAreRefusedOrHarmless) {
  MapBuilder everything = trikal::testing::map_of_everything();
  const auto view = MapView::open(everything.bytes());
  Buffer packed;
  ASSERT_TRUE(view && pack_map({&*view, 4, 0}, Contents::kRecords, {}, packed));
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    std::vector<std::byte> bytes(packed.bytes().begin(), packed.bytes().end());
    bytes.resize(random() % 2 != 0 ? bytes.size() : random() % bytes.size());
    for (int j = 0; j < 3 && !bytes.empty(); ++j)
      bytes[random() % std::min<std::size_t>(bytes.size(), 5000)] = static_cast<std::byte>(random());
    UnpackedMaps maps;
    if (!maps.open(bytes)) continue;
    for (const Process& process : maps.processes(0)) {
      for (const ModuleSchema* schema : observers().all())
        log::crash::for_each_record(process, *schema,
                                    {[](void*, Bytes record) { EXPECT_FALSE(record.empty()); }, nullptr});
    }
  }
}

std::vector<std::byte> unpacked(Bytes packed) {
  const auto decoder = log::make_decoder(log::Codec::kZlib);
  std::vector<std::byte> plain(1 << 20);
  decoder->begin_stream();
  const auto step = decoder->decode(packed, plain);
  EXPECT_TRUE(step && step->stream_end);
  plain.resize(step ? step->produced : 0);
  return plain;
}

TEST(RestOfRanks, WhoDoesNotFitIsCounted) {
  Rest rest(100);
  const std::vector<std::byte> bytes(60);
  ASSERT_TRUE(rest.own().append(std::span(bytes).first(30)));
  rest.count_own();
  EXPECT_TRUE(rest.add({60, 8, 0}, bytes));  // fits
  EXPECT_TRUE(rest.add({60, 7, 2}, bytes));  // does not, and two were left out below
  EXPECT_TRUE(rest.add({10, 1, 0}, std::span(bytes).first(10)));
  EXPECT_EQ(rest.packed().size(), 100U);
  EXPECT_EQ(rest.head().bytes, 100U);
  EXPECT_EQ(rest.head().ranks, 10U);
  EXPECT_EQ(rest.head().left_out, 9U);
}

TEST(PackedMaps, SharedFilesAreLeftOut) {
  Rank one(1, {5, 6, 7});
  const std::uint64_t shared[] = {6};
  IdLists lists;
  ASSERT_TRUE(lists.set(std::array<std::uint64_t, kMostModules>{1}, std::as_bytes(std::span(shared))));
  for (const bool names : {true, false}) {
    Buffer packed;
    const LeftOut left_out{lists, observers().all(), names};
    ASSERT_TRUE(pack_map(one.process(), Contents::kRecords, {}, packed, &left_out));
    UnpackedMaps maps;
    ASSERT_TRUE(maps.open(packed.bytes()));
    const MapView& map = *maps.processes(0)[0].map;
    std::vector<std::uint64_t> records, named;
    log::crash::for_each_slot(map, kSchema,
                              [&](const std::byte* slot) { records.push_back(load<std::uint64_t>(slot)); });
    map.for_each_chunk([&](const log::crash::Chunk& chunk, Bytes slots) {
      if (chunk.kind != ChunkKind::kNames) return;
      log::crash::for_each_name(slots, [&](std::uint64_t id, std::string_view) { named.push_back(id); });
    });
    EXPECT_EQ(records, (std::vector<std::uint64_t>{5, 7}));
    EXPECT_EQ(named, names ? (std::vector<std::uint64_t>{5, 7}) : (std::vector<std::uint64_t>{5, 6, 7}));
  }
}

TEST(PartsOfALog, AreAboutWhatIsNotShared) {
  const Member member{1, 1000, 10};
  EXPECT_EQ(member.without(0), 1000U);
  EXPECT_EQ(member.without(9), 100U);
  EXPECT_EQ(member.without(10), 0U);
  EXPECT_EQ(member.without(11), 1000U);  // it has not got all of them: nothing is known
  EXPECT_EQ((Member{1, 5, 0}.without(0)), 0U);
}

TEST(PartsOfALog, AreSentWhereTheRootCanHoldThemAll) {
  EXPECT_TRUE(is_sent(45'000, 1, 32));
  EXPECT_TRUE(is_sent(45'000, 64, 64));
  EXPECT_FALSE(is_sent(45'000, 1, 120'000));  // 5 GB
  EXPECT_TRUE(is_sent(3'000, 64, 120'000));
  EXPECT_FALSE(is_sent(kSentPart + 1, 64, 64));
  EXPECT_FALSE(is_sent(1, 0, 64));
}

TEST(PartsOfALog, HaveWhatIsNotShared) {
  Rank one(1, {5, 6, 7}), two(2, {6, 7, 8});
  const Process processes[] = {one.process(), two.process()};
  const std::uint64_t shared[] = {6};
  IdLists lists;
  ASSERT_TRUE(lists.set(std::array<std::uint64_t, kMostModules>{1}, std::as_bytes(std::span(shared))));
  const TimeGrid grid;
  PartHead head;
  Buffer streams;
  ASSERT_TRUE(pack_part(processes, observers(), {.shared = &lists, .grid = &grid, .names_of = 2}, head, streams));
  const auto names = unpacked(streams.bytes().first(head.regions[0].packed));
  EXPECT_EQ(names.size(), head.regions[0].plain);
  const std::string_view text(reinterpret_cast<const char*>(names.data()), names.size());
  for (const char* name : {"/data/5", "/data/6", "/data/7", "/data/8"}) {
    EXPECT_NE(text.find(name), std::string_view::npos) << name;  // 6 from rank 2, as told
    EXPECT_EQ(text.find(name), text.rfind(name)) << name;        // 7 once
  }
  const auto records = unpacked(streams.bytes().subspan(head.regions[0].packed, head.regions[1].packed));
  ASSERT_EQ(records.size(), 4 * kSchema.head_bytes);
  std::vector<std::pair<std::uint64_t, std::int64_t>> found;
  for (std::size_t at = 0; at < records.size(); at += kSchema.head_bytes)
    found.emplace_back(load<std::uint64_t>(records.data() + at), load<std::int64_t>(records.data() + at + 8));
  EXPECT_EQ(found, (std::vector<std::pair<std::uint64_t, std::int64_t>>{{5, 1}, {7, 1}, {7, 2}, {8, 2}}));
  EXPECT_EQ(head.regions[2].packed, 0U);  // no heatmaps
}

TEST(PartsOfALog, HostileMessagesAreRefused) {
  PartHead head{.bytes = sizeof(PartHead) + 4, .sent = 1};
  head.regions[0] = {4, 10};
  Buffer message;
  ASSERT_TRUE(message.put(head) && message.put(std::uint32_t{0}));
  const auto sound = [&] { return for_each_part(message.bytes(), [](const PartHead&, Bytes) { return true; }); };
  EXPECT_TRUE(sound());
  for (std::size_t size = 1; size < message.size(); ++size)
    EXPECT_FALSE(for_each_part(message.bytes().first(size), [](const PartHead&, Bytes) { return true; }));
  PartHead changed = head;
  changed.regions[0].packed = 5;
  store(message.all().data(), changed);
  EXPECT_FALSE(sound());
  changed = head, changed.bytes = 8;
  store(message.all().data(), changed);
  EXPECT_FALSE(sound());
  changed = head, changed.regions[1].packed = ~std::uint64_t{0};
  store(message.all().data(), changed);
  EXPECT_FALSE(sound());
}

}  // namespace
}  // namespace trikal::capture
