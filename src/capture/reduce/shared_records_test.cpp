// Records of files that all ranks used: folded along a tree, they are what tools make of all of them at once.

#include "capture/reduce/shared_records.hpp"

#include <gtest/gtest.h>

#include <cmath>

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
    for (const std::size_t module : {0, 1, 2, 3, 7}) {
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
