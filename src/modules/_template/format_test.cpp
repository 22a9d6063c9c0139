#include "modules/_template/format.hpp"

#include <gtest/gtest.h>

#include "modules/testing/records_test.hpp"
#include "schema/record.hpp"

namespace trikal::modules::template_module {
namespace {

TEST(TemplateFormat, Version1GainsTheParent) {
  testing::Upgrade record(kFormat, 1, {"parent_id"});
  ASSERT_TRUE(record.run());
  EXPECT_EQ(record.now("parent_id"), 0);
}

TEST(TemplateFormat, PlacesAreThoseOfTheFormat) {
  EXPECT_EQ(testing::place_of(kSchema, "parent_id"), 16U);
  EXPECT_EQ(testing::place_of(kSchema, "TEMPLATE_OPENS"), 24U);
  EXPECT_EQ(testing::place_of(kSchema, "TEMPLATE_SIZE_WRITE_1G_PLUS"), 216U);
  EXPECT_EQ(testing::place_of(kSchema, "TEMPLATE_F_META_TIME"), 256U);
}

TEST(TemplateFormat, CountersAreReachedByName) {
  Record<kSchema> record;
  record.at<"TEMPLATE_SIZE_READ_#">(2) = 5;
  record.set_real<"TEMPLATE_F_READ_TIME">(0.5);
  EXPECT_EQ(record.words[testing::place_of(kSchema, "TEMPLATE_SIZE_READ_1K_10K") / 8], 5);
  EXPECT_EQ(record.real<"TEMPLATE_F_READ_TIME">(), 0.5);
}

}  // namespace
}  // namespace trikal::modules::template_module
