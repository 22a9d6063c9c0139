// Records of files that all ranks used: folded along a tree, they are what tools make of all of them at once.

#include "capture/reduce/shared_records.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

#include "capture/reduce/rank_test.hpp"
#include "capture/reduce/word_deltas.hpp"
#include "log/merge_fold.hpp"

namespace trikal::capture {
namespace {

void set_lists(IdLists& lists, const std::vector<std::uint64_t>& ids) {
  const std::array<std::uint64_t, kMostModules> counts{ids.size()};
  ASSERT_TRUE(lists.set(counts, std::as_bytes(std::span(ids))));
}

TEST(IdsOfRanks, AreFoundWithAnIndexAndWithout) {
  std::mt19937_64 random(5);
  std::vector<std::uint64_t> all;
  while (all.size() < 3000) all.push_back(random() % 5 == 0 ? random() % 9000 : random());
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  // Two modules that have some ids in common.
  std::array<std::uint64_t, kMostModules> counts{};
  counts[1] = all.size(), counts[3] = 100;
  std::vector<std::uint64_t> both = all;
  both.insert(both.end(), all.begin(), all.begin() + 100);
  IdLists plain, indexed;
  ASSERT_TRUE(plain.set(counts, std::as_bytes(std::span(both))));
  ASSERT_TRUE(indexed.set(counts, std::as_bytes(std::span(both))));
  indexed.index();
  for (std::size_t i = 0; i < 20000; ++i) {
    const std::uint64_t id = i < all.size() ? all[i] : random() % 9000;
    for (const std::size_t module :
         {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{3}, kMostModules - 1}) {
      EXPECT_EQ(indexed.find(module, id), plain.find(module, id));
      EXPECT_EQ(indexed.contains(module, id), plain.contains(module, id));
    }
    EXPECT_EQ(indexed.contains(id), plain.contains(id));
  }
  for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(indexed.find(1, all[i]), i);
  IdLists none;
  none.index();
  EXPECT_EQ(none.find(0, 7), IdLists::kNowhere);
  indexed.intersect(none);
  EXPECT_FALSE(indexed.contains(all[0]));
}

TEST(RowsOfWords, ComeBackAsTheyWere) {
  std::mt19937_64 random(6);
  for (const std::size_t words : {1, 7, 63, 64, 65, 95, 200, 576}) {
    std::vector<std::vector<std::uint64_t>> rows;
    Buffer message;
    DeltaWriter writer(words, message);
    for (std::uint64_t i = 0; i < 50; ++i) {
      rows.push_back(i == 0 ? std::vector<std::uint64_t>(words) : rows.back());
      for (std::size_t j = random() % (words + 1); j > 0; --j)
        rows.back()[random() % words] = random() >> (random() % 64);
      ASSERT_TRUE(writer.put(3 * i, std::as_bytes(std::span(rows.back())).data()));
    }
    for (const std::size_t kept : {message.size(), message.size() - 8, message.size() - 3, message.size() / 2}) {
      DeltaReader reader(words);
      Bytes left = message.bytes().first(kept);
      std::uint64_t number = 0;
      std::size_t read = 0;
      for (; reader.next(left, number); ++read) {
        ASSERT_EQ(number, 3 * read);
        ASSERT_EQ(std::memcmp(reader.row(), rows[read].data(), 8 * words), 0);
      }
      EXPECT_EQ(read == rows.size(), kept == message.size());
    }
  }
}

TEST(SharedRecordsOfRanks, AreWhatToolsMakeOfThem) {
  const std::vector<std::uint64_t> ids = {3, 8, 11};
  constexpr std::int64_t kRanks = 7;
  log::SharedFold expected(kSchema, ids);
  IdLists lists;
  set_lists(lists, ids);
  SharedRecords root;
  ASSERT_TRUE(root.begin(lists, observers().all()));
  for (std::int64_t i = 0; i < kRanks; ++i) {
    // The first rank lacks some, and has one twice.
    Rank rank(i, i == 0 ? std::vector<std::uint64_t>{3, 5, 3} : std::vector<std::uint64_t>{3, 5, 8, 11});
    const Process process = rank.process();
    log::crash::for_each_record(
        process, kSchema,
        {[](void* fold, Bytes record) { static_cast<log::SharedFold*>(fold)->add(record.data()); }, &expected});
    if (i == 0) {
      ASSERT_TRUE(root.add(process));
      continue;
    }
    // Both messages say the same: of who holds records, and of who has nobody below.
    SharedRecords own;
    Buffer message;
    ASSERT_TRUE(own.begin(lists, observers().all()));
    ASSERT_TRUE(i % 2 == 0 ? own.write_own(process, message) : own.add(process) && own.write(message));
    ASSERT_TRUE(root.combine(message.bytes()));
  }
  Buffer records;
  ASSERT_TRUE(root.finish(0, records));
  std::vector<std::byte> wanted = expected.finish();
  ASSERT_EQ(records.size(), wanted.size());
  std::size_t variance = kSchema.counters_at;
  for (const Counter& counter : kSchema.counters) {
    if (counter.fold == Fold::kVarianceTime) break;
    variance += 8 * counter.width();
  }
  const double ranks_of[] = {kRanks + 1, kRanks - 1, kRanks - 1};  // in the order of first use, as are the records
  for (std::size_t i = 0; i < ids.size(); ++i) {
    std::byte* at = wanted.data() + i * kSchema.head_bytes + variance;
    EXPECT_GT(load<double>(at), 0);
    store(at, settled_variance(load<double>(at), ranks_of[i]));
  }
  EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), records.bytes().begin()));
}

TEST(SharedRecordsOfRanks, HostileMessagesAreRefusedOrHarmless) {
  IdLists lists;
  set_lists(lists, {3, 8, 11});
  Rank rank(1, {3, 8, 11});
  const Process process = rank.process();
  SharedRecords records;
  Buffer message;
  ASSERT_TRUE(records.begin(lists, observers().all()) && records.write_own(process, message));
  const std::vector<std::byte> good(message.bytes().begin(), message.bytes().end());
  const auto combine = [&](const std::vector<std::byte>& bytes) {
    SharedRecords root;
    EXPECT_TRUE(root.begin(lists, observers().all()) && root.add(process));
    return root.combine(bytes);
  };
  EXPECT_TRUE(combine(good));
  for (std::size_t length = 0; length < good.size(); ++length)
    EXPECT_FALSE(combine({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(length)}));
  std::vector<std::byte> longer = good;
  longer.resize(good.size() + 8);
  EXPECT_FALSE(combine(longer));
  std::vector<std::byte> elsewhere = good;
  store(elsewhere.data() + 8, std::uint64_t{3});  // of three files there is no fourth
  EXPECT_FALSE(combine(elsewhere));
  std::mt19937_64 random(8);
  for (int round = 0; round < 5000; ++round) {
    std::vector<std::byte> bad = good;
    for (std::size_t i = random() % 6; i < 6; ++i) bad[random() % bad.size()] = static_cast<std::byte>(random());
    (void)combine(bad);
  }
}

// Sizes of a file, as the map of a rank has them: in the record's four slots, or in a table where those are too few.
using Sizes = std::map<std::int64_t, std::int64_t>;

void add_sizes(Rank& rank, std::uint64_t id, const Sizes& sizes) {
  PosixRecord record = record_of(id, 1, 1);
  log::crash::ValuesSlot<1> table{};
  table.head.id = id, table.head.module = kSchema.id;
  table.head.counter = static_cast<std::uint16_t>(slot_of(kSchema.counters, "POSIX_ACCESS#_ACCESS"));
  std::uint32_t size = 0;
  for (const auto& [value, count] : sizes) table.values[size][0] = value, table.counts[size++] = count;
  table.head.size = size;
  std::array<std::int64_t, 2 * log::crash::kMostValues> rows{};
  for (std::uint32_t i = 0; i < size; ++i) rows[2 * i] = table.values[i][0], rows[2 * i + 1] = table.counts[i];
  rank_four({rows.data(), make_table(rows.data(), size, 1), 1},
            {&record.at<"POSIX_ACCESS#_ACCESS">(), &record.at<"POSIX_ACCESS#_COUNT">(), 1});
  rank.map().add_one(ChunkKind::kRecords, kSchema.id, slot_bytes(record));
  if (size > kTopSlots) rank.map().add_one(ChunkKind::kValues, 0, slot_bytes(table));
}

// Of the only record of a module, the most common first.
std::vector<std::pair<std::int64_t, std::int64_t>> sizes_in(Bytes record) {
  const std::byte* at = record.data() + kSchema.counters_at + 8 * slot_of(kSchema.counters, "POSIX_ACCESS#_ACCESS");
  std::vector<std::pair<std::int64_t, std::int64_t>> found;
  for (std::size_t i = 0; i < kTopSlots; ++i)
    found.emplace_back(load<std::int64_t>(at + 8 * (kTopSlots + i)), load<std::int64_t>(at + 8 * i));
  return found;
}

TEST(SharedRecordsOfRanks, HaveTheMostCommonSizesOfAllRanksTogether) {
  std::mt19937_64 random(21);
  IdLists lists;
  set_lists(lists, {7});
  for (int round = 0; round < 60; ++round) {
    Sizes truth;
    SharedRecords root, middle;
    ASSERT_TRUE(root.begin(lists, observers().all()) && middle.begin(lists, observers().all()));
    const std::int64_t ranks = 2 + round % 15;
    for (std::int64_t i = 0; i < ranks; ++i) {
      Sizes sizes;
      for (std::size_t j = random() % 20; j > 0; --j) {
        const bool own = random() % 2 == 0;
        sizes[static_cast<std::int64_t>(1 + random() % 15) * (own ? 1000 + i : 8)] =
            static_cast<std::int64_t>(1 + random() % (own ? 9 : 4));
      }
      for (const auto& [value, count] : sizes) truth[value] += count;
      Rank rank(i, {});
      add_sizes(rank, 7, sizes);
      // The root holds its own; the second rank too, and sends what it and its children have; the others send their own.
      if (i < 2) {
        ASSERT_TRUE((i == 0 ? root : middle).add(rank.process()));
        continue;
      }
      SharedRecords leaf;
      Buffer message;
      ASSERT_TRUE(leaf.begin(lists, observers().all()) && leaf.write_own(rank.process(), message));
      ASSERT_TRUE((i % 3 == 0 ? root : middle).combine(message.bytes()));
    }
    Buffer message, records;
    ASSERT_TRUE(middle.write(message) && root.combine(message.bytes()) && root.finish(0, records));
    std::vector<std::pair<std::int64_t, std::int64_t>> expected;
    for (const auto& [value, count] : truth) expected.emplace_back(count, value);
    std::ranges::sort(expected, std::greater{});
    expected.resize(kTopSlots);
    EXPECT_EQ(sizes_in(records.bytes()), expected) << "round " << round;
  }
}

TEST(SharedRecordsOfRanks, KeepOfTooManySizesTheMostCommon) {
  IdLists lists;
  set_lists(lists, {7});
  SharedRecords root;
  ASSERT_TRUE(root.begin(lists, observers().all()));
  constexpr std::int64_t kRanks = 100;
  for (std::int64_t i = 0; i < kRanks; ++i) {
    Sizes sizes = {{5, 2}};
    for (std::int64_t j = 1; j < 30; ++j) sizes[1000 * (i + 1) + j] = 3;
    Rank rank(i, {});
    add_sizes(rank, 7, sizes);
    SharedRecords leaf;
    Buffer message;
    ASSERT_TRUE(leaf.begin(lists, observers().all()) && leaf.write_own(rank.process(), message));
    ASSERT_TRUE(i == 0 ? root.add(rank.process()) : root.combine(message.bytes()));
  }
  Buffer records;
  ASSERT_TRUE(root.finish(0, records));
  EXPECT_EQ(sizes_in(records.bytes())[0], (std::pair<std::int64_t, std::int64_t>{2 * kRanks, 5}));
}

TEST(SharedRecordsOfRanks, HostileTablesAreRefusedOrHarmless) {
  IdLists lists;
  set_lists(lists, {7});
  Rank rank(1, {});
  add_sizes(rank, 7, {{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}, {6, 6}});
  SharedRecords leaf;
  Buffer message;
  ASSERT_TRUE(leaf.begin(lists, observers().all()) && leaf.write_own(rank.process(), message));
  const std::vector<std::byte> good(message.bytes().begin(), message.bytes().end());
  const auto combine = [&](const std::vector<std::byte>& bytes) {
    SharedRecords root;
    Buffer records;
    EXPECT_TRUE(root.begin(lists, observers().all()) && root.add(rank.process()));
    return root.combine(bytes) && root.finish(0, records);
  };
  EXPECT_TRUE(combine(good));
  for (std::size_t length = 0; length < good.size(); ++length)
    EXPECT_FALSE(combine({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(length)}));
  const std::size_t table = good.size() - 6 * 16 - 24;  // index, counter, size, then rows of a value and a count
  for (const std::size_t word : {table, table + 8, table + 16, table + 24}) {
    std::vector<std::byte> bad = good;
    store(bad.data() + word, std::uint64_t{1} << 40);
    EXPECT_FALSE(combine(bad)) << word - table;
  }
  std::mt19937_64 random(9);
  for (int round = 0; round < 5000; ++round) {
    std::vector<std::byte> bad = good;
    for (std::size_t i = random() % 6; i < 6; ++i) bad[random() % bad.size()] = static_cast<std::byte>(random());
    (void)combine(bad);
  }
}

TEST(SharedRecordsOfRanks, VariancesLoseLessThanTheClockKnows) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 20000; ++round) {
    const double exact =
        std::ldexp(1 + static_cast<double>(random() >> 12) / 0x1p52, static_cast<int>(random() % 90) - 55);
    const double ranks = 1 + static_cast<double>(random() % (std::uint64_t{1} << (random() % 20)));
    const double off = std::abs(settled_variance(exact, ranks) - exact);
    EXPECT_LE(off, std::sqrt(exact) * 0x1p-21 / std::sqrt(ranks));
    EXPECT_LE(off, 0x1p-21);
    EXPECT_EQ(settled_variance(settled_variance(exact, ranks), ranks), settled_variance(exact, ranks));
  }
  // The smallest there is: one of 32 times is a step longer than the others.
  const double least = 0x1p-40 * 31 / 1024;
  EXPECT_NEAR(settled_variance(least, 32), least, least / 4);
  for (const double same : {0.0, -1.0, HUGE_VAL, 5e-324}) EXPECT_EQ(settled_variance(same, 32), same);
  EXPECT_TRUE(std::isnan(settled_variance(NAN, 32)));
  EXPECT_EQ(settled_variance(0.1, 0), 0.1);
}

}  // namespace
}  // namespace trikal::capture
