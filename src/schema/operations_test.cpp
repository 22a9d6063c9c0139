#include "schema/operations.hpp"

#include <gtest/gtest.h>

namespace trikal {
namespace {

constexpr Counter kCounters[] = {
    {"X_OPENS", Unit::kCalls, Fold::kSum, ""},
    {"X_INDEP_READS", Unit::kCalls, Fold::kSum, ""},
    {"X_COLL_READS", Unit::kCalls, Fold::kSum, ""},
    {"X_WRITES", Unit::kCalls, Fold::kSum, ""},
    {"X_SEQ_READS", Unit::kCalls, Fold::kSum, ""},
    {"X_BYTES_READ", Unit::kBytes, Fold::kSum, ""},
    {"X_BYTES_WRITTEN", Unit::kBytes, Fold::kSum, ""},
    real("X_F_READ_TIME", Unit::kSeconds, Fold::kSum, ""),
    real("X_F_META_TIME", Unit::kSeconds, Fold::kSum, ""),
};

ModuleSchema schema() {
  ModuleSchema schema{};
  schema.prefix = "X";
  schema.counters = kCounters;
  schema.roles = roles_of("X", kCounters);
  return schema;
}

TEST(OperationSlots, AreFoundByName) {
  const auto slots = operation_slots(schema());
  EXPECT_EQ(slots[0].calls, (std::vector<std::size_t>{1, 2}));  // a sequential read is one of these already
  EXPECT_EQ(slots[1].calls, (std::vector<std::size_t>{3}));
  EXPECT_EQ(slots[2].calls, (std::vector<std::size_t>{0}));
  EXPECT_EQ(slots[0].bytes, 5U);
  EXPECT_EQ(slots[0].seconds, 7U);
  EXPECT_EQ(slots[1].seconds, kNoSlot);
  EXPECT_EQ(slots[2].seconds, 8U);
}

TEST(OperationSlots, AreOnlyWhatTheSchemaCallsCalls) {
  static constexpr std::size_t kCalls[] = {1, 3};
  ModuleSchema own = schema();
  own.calls = kCalls;
  const auto slots = operation_slots(own);
  EXPECT_EQ(slots[0].calls, (std::vector<std::size_t>{1}));
  EXPECT_EQ(slots[1].calls, (std::vector<std::size_t>{3}));
  EXPECT_TRUE(slots[2].calls.empty());
}

}  // namespace
}  // namespace trikal
