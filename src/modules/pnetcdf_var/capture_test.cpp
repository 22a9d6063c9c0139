// What calls do to a record. The wrappers are tried by programs: tests/pnetcdf.

#include "modules/pnetcdf_var/capture.hpp"

#include <gtest/gtest.h>

namespace trikal::modules::pnetcdf_var {
namespace {

class VariableCapture : public ::testing::Test {
 protected:
  void SetUp() override {
    capture::session.arena.forget_parents();
    ASSERT_TRUE(capture::session.arena.begin({nullptr, 1U << 20}));
    capture::session.arena.header()->magic = log::crash::kMagic;
    capture::session.files.begin_again(capture::session.arena);
    file_ = capture::session.files.find_or_add("/data/run.nc");
    variable_ = record_of(*file_, "wind");
    ASSERT_NE(variable_, nullptr);
  }

  capture::File* file_ = nullptr;
  Variable* variable_ = nullptr;
};

TEST_F(VariableCapture, IsNamedAfterItsFile) {
  const capture::File* named = capture::session.files.find_or_add("/data/run.nc:wind");
  EXPECT_EQ(variable_->record.base().id, named->id);
  EXPECT_EQ(static_cast<std::uint64_t>(variable_->record.words[2]), file_->id);
  EXPECT_EQ(record_of(*file_, "wind"), variable_);
  EXPECT_NE(record_of(*file_, "rain"), variable_);
}

TEST_F(VariableCapture, ShapeIsDescribed) {
  opened(*variable_, {1, 2}, {.dimensions = 3, .elements = 40, .element_bytes = 8, .has_records = true}, true);
  auto& record = variable_->record;
  EXPECT_EQ(record.at<"PNETCDF_VAR_OPENS">(), 1);
  EXPECT_EQ(record.at<"PNETCDF_VAR_NDIMS">(), 3);
  EXPECT_EQ(record.at<"PNETCDF_VAR_NPOINTS">(), 40);
  EXPECT_EQ(record.at<"PNETCDF_VAR_DATATYPE_SIZE">(), 8);
  EXPECT_EQ(record.at<"PNETCDF_VAR_IS_RECORD_VAR">(), 1);
  EXPECT_EQ(record.real<"PNETCDF_VAR_F_META_TIME">(), 1);
}

TEST_F(VariableCapture, AccessesAreCountedByWayAndForm) {
  moved(*variable_, {1, 2}, {Way::kPut, Form::kVara, true}, {320, 4, 10});
  moved(*variable_, {2, 4}, {Way::kPut, Form::kVar, false}, {5000});
  moved(*variable_, {4, 5}, {Way::kBput, Form::kVarn, false}, {76});
  moved(*variable_, {5, 6}, {Way::kIget, Form::kVars, false}, {320, 4, 10, 0, 0, 0, 2, 3});
  moved(*variable_, {6, 7}, {Way::kGet, Form::kVard, true}, {0});
  auto& record = variable_->record;
  EXPECT_EQ(record.at<"PNETCDF_VAR_COLL_WRITES">(), 1);
  EXPECT_EQ(record.at<"PNETCDF_VAR_INDEP_WRITES">(), 1);
  EXPECT_EQ(record.at<"PNETCDF_VAR_NB_WRITES">(), 1);
  EXPECT_EQ(record.at<"PNETCDF_VAR_NB_READS">(), 1);
  EXPECT_EQ(record.at<"PNETCDF_VAR_COLL_READS">(), 1);
  EXPECT_EQ(record.at<"PNETCDF_VAR_PUT_#">(2), 1);   // VARA
  EXPECT_EQ(record.at<"PNETCDF_VAR_BPUT_#">(5), 1);  // VARN
  EXPECT_EQ(record.at<"PNETCDF_VAR_IGET_#">(3), 1);  // VARS
  EXPECT_EQ(record.at<"PNETCDF_VAR_GET_#">(6), 1);   // VARD
  EXPECT_EQ(record.at<"PNETCDF_VAR_BYTES_WRITTEN">(), 5396);
  EXPECT_EQ(record.at<"PNETCDF_VAR_BYTES_READ">(), 320);
  EXPECT_EQ(record.at<"PNETCDF_VAR_RW_SWITCHES">(), 1);
  EXPECT_EQ(record.at<"PNETCDF_VAR_MAX_WRITE_TIME_SIZE">(), 5000);
  EXPECT_EQ(record.at<"PNETCDF_VAR_SIZE_READ_AGG_#">(0), 1);
  EXPECT_EQ(record.real<"PNETCDF_VAR_F_WRITE_TIME">(), 4);
}

TEST_F(VariableCapture, NumbersAreForgottenWithTheirFile) {
  Known known;
  for (const int variable : {0, 1, 2}) variables.set(handle_of(5, variable), {variable_, {}});
  variables.set(handle_of(6, 1), {variable_, {}});
  forget(5, 3);
  for (const int variable : {0, 1, 2}) EXPECT_FALSE(variables.find(handle_of(5, variable), known));
  EXPECT_TRUE(variables.take(handle_of(6, 1), known));
}

}  // namespace
}  // namespace trikal::modules::pnetcdf_var
