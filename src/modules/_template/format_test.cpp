#include "modules/_template/format.hpp"

#include <gtest/gtest.h>

#include "modules/testing/records_test.hpp"
#include "schema/record.hpp"

namespace trikal::modules::template_module {
namespace {

// What is on disk must not change by accident.
TEST(TemplateFormat, OffsetsAreThoseOfTheFormat) {
  EXPECT_EQ(testing::offset_of(kSchema, "TEMPLATE_OPENS"), 16U);
  EXPECT_EQ(testing::offset_of(kSchema, "TEMPLATE_SIZE_WRITE_1G_PLUS"), 208U);
  EXPECT_EQ(testing::offset_of(kSchema, "TEMPLATE_F_META_TIME"), 248U);
}

TEST(TemplateFormat, CountersAreReachedByName) {
  Record<kSchema> record;
  record.at<"TEMPLATE_SIZE_READ_#">(2) = 5;
  record.set_real<"TEMPLATE_F_READ_TIME">(0.5);
  EXPECT_EQ(record.words[testing::offset_of(kSchema, "TEMPLATE_SIZE_READ_1K_10K") / 8], 5);
  EXPECT_EQ(record.real<"TEMPLATE_F_READ_TIME">(), 0.5);
}

}  // namespace
}  // namespace trikal::modules::template_module
