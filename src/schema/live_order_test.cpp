#include "schema/live_order.hpp"

#include <gtest/gtest.h>

#include <set>

#include "schema/record.hpp"

namespace trikal {
namespace {

constexpr std::string_view kLabels[] = {"A", "B", "C"};
constexpr Counter kTable[] = {
    {"T_OPENS", Unit::kCalls, Fold::kSum, ""},
    {"T_SIZE_#", Unit::kCalls, Fold::kSum, "", kLabels},
    {"T_READS", Unit::kCalls, Fold::kSum, ""},
    real("T_F_TIME", Unit::kSeconds, Fold::kSum, ""),
};
constexpr auto kSlots = live_slots<slots_in(kTable)>(kTable, {"T_F_TIME", "T_SIZE_#"});
constexpr ModuleSchema kSchema = {.id = 1,
                                  .name = "T",
                                  .prefix = "T",
                                  .version = 1,
                                  .shape = Shape::kFixed,
                                  .head_bytes = 16 + 8 * slots_in(kTable),
                                  .counters_at = 16,
                                  .counters = kTable,
                                  .fields = {},
                                  .totals = false,
                                  .roles = {},
                                  .help = "",
                                  .live_slots = kSlots};

TEST(LiveOrder, PutsTheNamedFirstAndTheOthersBehind) {
  EXPECT_EQ(kSlots, (std::array<std::uint16_t, 6>{4, 1, 2, 3, 5, 0}));
  EXPECT_EQ(std::set<std::uint16_t>(kSlots.begin(), kSlots.end()).size(), kSlots.size());
}

TEST(LiveOrder, ALogHasTheOrderOfTheTable) {
  LiveRecord<kSchema> live;
  live.set_base({7, 3});
  live.at<"T_OPENS">() = 1;
  for (std::size_t bucket = 0; bucket < 3; ++bucket) live.at<"T_SIZE_#">(bucket) = 10 + static_cast<int>(bucket);
  live.slot(slot_of(kTable, "T_READS")) = 2;
  live.set_real<"T_F_TIME">(0.5);
  EXPECT_EQ(live.words[2], std::bit_cast<std::int64_t>(0.5));

  std::array<std::int64_t, 8> log{};
  to_log_order(kSchema, reinterpret_cast<const std::byte*>(live.words.data()),
               reinterpret_cast<std::byte*>(log.data()));
  EXPECT_EQ(log, (std::array<std::int64_t, 8>{7, 3, 1, 10, 11, 12, 2, std::bit_cast<std::int64_t>(0.5)}));
}

}  // namespace
}  // namespace trikal
