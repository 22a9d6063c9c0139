// Every module's table through the fold plan, against a plain reading of its rules one counter at a time: a
// counter that the plan forgets, or takes for its neighbour, shows here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "modules/list.hpp"
#include "schema/fold.hpp"
#include "schema/top_four.hpp"

namespace trikal {
namespace {

struct Sides {
  const std::byte* into;
  const std::byte* from;
};

double real_at(const std::byte* record, std::size_t at) { return load<double>(record + at); }
std::int64_t int_at(const std::byte* record, std::size_t at) { return load<std::int64_t>(record + at); }

std::size_t offset_of(const ModuleSchema& schema, std::string_view suffix) {
  std::size_t at = schema.counters_at;
  for (const Counter& counter : schema.counters) {
    if (counter.name == std::string(schema.prefix).append(suffix)) return at;
    at += 8 * counter.width();
  }
  ADD_FAILURE() << schema.name << " has no " << suffix;
  return 0;
}

// Which side a counter that goes with another comes from.
bool takes_from(const ModuleSchema& schema, Fold fold, const Sides& two) {
  const auto larger = [&](std::string_view leader) {
    const std::size_t at = offset_of(schema, leader);
    return real_at(two.from, at) > real_at(two.into, at);
  };
  switch (fold) {
    case Fold::kWithMaxRead: return larger("_F_MAX_READ_TIME");
    case Fold::kWithMaxWrite: return larger("_F_MAX_WRITE_TIME");
    case Fold::kSlowestRank:
    case Fold::kSlowestBytes:
    case Fold::kSlowestTime: return larger("_F_SLOWEST_RANK_TIME");
    case Fold::kFastestRank:
    case Fold::kFastestBytes:
    case Fold::kFastestTime: {
      const std::size_t at = offset_of(schema, "_F_FASTEST_RANK_TIME");
      return real_at(two.from, at) < real_at(two.into, at);
    }
    default: return false;
  }
}

double expected_real(const ModuleSchema& schema, Fold fold, const Sides& two, std::size_t at) {
  const double a = real_at(two.into, at);
  const double b = real_at(two.from, at);
  switch (fold) {
    case Fold::kSum: return a + b;
    case Fold::kMax: return std::max(a, b);
    case Fold::kMin: return std::min(a, b);
    case Fold::kMinNonZero: return a == 0 || (b > 0 && b < a) ? b : a;
    default: return takes_from(schema, fold, two) ? b : a;
  }
}

std::int64_t expected_int(const ModuleSchema& schema, Fold fold, const Sides& two, std::size_t at) {
  const std::int64_t a = int_at(two.into, at);
  const std::int64_t b = int_at(two.from, at);
  switch (fold) {
    case Fold::kSum: return a + b;
    case Fold::kSumClamped: return a + b < 0 ? -1 : a + b;
    case Fold::kMax: return std::max(a, b);
    case Fold::kMin: return std::min(a, b);
    case Fold::kAny: return a == 1 || b == 1 ? 1 : 0;
    default: return takes_from(schema, fold, two) ? b : a;
  }
}

std::vector<std::int64_t> expected_tops(const Sides& two, std::size_t at, std::size_t slots) {
  const auto words = [&](const std::byte* record) {
    std::vector<std::int64_t> list(slots + 4);
    std::memcpy(list.data(), record + at, 8 * list.size());
    return list;
  };
  std::vector<std::int64_t> mine = words(two.into);
  const std::vector<std::int64_t> theirs = words(two.from);
  merge_ranks({mine.data(), mine.data() + slots, slots / 4}, theirs.data(), theirs.data() + slots);
  return mine;
}

void expect_folded(const ModuleSchema& schema, const Sides& two, const std::byte* result) {
  std::size_t at = schema.counters_at;
  for (const Counter& counter : schema.counters) {
    if (counter.fold == Fold::kTopValues) {
      const auto expected = expected_tops(two, at, counter.width());
      EXPECT_EQ(std::memcmp(result + at, expected.data(), 8 * expected.size()), 0) << counter.name;
    } else if (counter.fold != Fold::kTopCounts) {
      for (std::size_t i = 0; i < counter.width(); ++i) {
        const std::size_t slot = at + 8 * i;
        if (counter.kind == Kind::kReal) {
          EXPECT_EQ(real_at(result, slot), expected_real(schema, counter.fold, two, slot)) << counter.name;
        } else {
          EXPECT_EQ(int_at(result, slot), expected_int(schema, counter.fold, two, slot)) << counter.name;
        }
      }
    }
    at += 8 * counter.width();
  }
}

// Small numbers, so that ties, zeroes and -1 are common.
std::vector<std::byte> random_record(const ModuleSchema& schema, std::mt19937_64& random) {
  std::vector<std::byte> record(schema.head_bytes);
  std::size_t at = schema.counters_at;
  for (const Counter& counter : schema.counters) {
    for (std::size_t i = 0; i < counter.width(); ++i, at += 8) {
      const auto number = static_cast<std::int64_t>(random() % 12) - 1;
      if (counter.kind == Kind::kReal) store(record.data() + at, static_cast<double>(number) / 4);
      else store(record.data() + at, number);
    }
  }
  return record;
}

TEST(Folds, EveryCounterOfEveryFixedModule) {
  std::mt19937_64 random(5);
  for (const ModuleFormat* module : all_modules()) {
    const ModuleSchema& schema = *module->schema;
    if (schema.shape != Shape::kFixed) continue;
    const FoldPlan plan(schema);
    for (int round = 0; round < 200; ++round) {
      const std::vector<std::byte> into = random_record(schema, random);
      const std::vector<std::byte> from = random_record(schema, random);
      std::vector<std::byte> result = into;
      plan.combine_ranks(result.data(), from.data());
      expect_folded(schema, {into.data(), from.data()}, result.data());
      if (::testing::Test::HasFailure()) return;
    }
  }
}

// The fields that are not counters belong to the file and stay.
TEST(Folds, LeaveFieldsAlone) {
  std::mt19937_64 random(6);
  for (const ModuleFormat* module : all_modules()) {
    const ModuleSchema& schema = *module->schema;
    if (schema.shape != Shape::kFixed) continue;
    std::vector<std::byte> into = random_record(schema, random);
    std::vector<std::byte> from = random_record(schema, random);
    for (const Field& field : schema.fields) std::fill_n(into.begin() + field.offset, field.bytes, std::byte{0x5a});
    FoldPlan(schema).combine_ranks(into.data(), from.data());
    for (const Field& field : schema.fields) {
      EXPECT_EQ(std::count(into.begin() + field.offset, into.begin() + field.offset + field.bytes, std::byte{0x5a}),
                field.bytes)
          << schema.name << " " << field.name;
    }
  }
}

}  // namespace
}  // namespace trikal
