#include "analyze/dataset/vocabulary.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "modules/list.hpp"

namespace trikal::analyze {
namespace {

// Where there is no such term: an empty one, without a module.
Term found(std::string_view name) { return find_term(name).value_or(Term{}); }

TEST(Vocabulary, FindsCountersInAnyCase) {
  const Term term = found("posix_bytes_read");
  ASSERT_NE(term.module, nullptr);
  EXPECT_EQ(term.name(), "POSIX_BYTES_READ");
  EXPECT_EQ(term.module->schema->name, "POSIX");
  EXPECT_EQ(term.since, 1U);
  EXPECT_EQ(found("POSIX_DUPS").since, 4U);
  EXPECT_FALSE(find_term("POSIX_BYTES_REA"));
  EXPECT_FALSE(find_term(""));
}

TEST(Vocabulary, OneOfARunOrAllOfIt) {
  EXPECT_EQ(found("MPIIO_SIZE_READ_AGG_1K_10K").bucket, 2U);
  EXPECT_EQ(found("POSIX_SIZE_READ_#").bucket, kWholeRun);
  EXPECT_EQ(found("POSIX_SIZE_READ_*").name(), "POSIX_SIZE_READ_*");
  EXPECT_EQ(found("H5D_ACCESS2_STRIDE_D3").name(), "H5D_ACCESS2_STRIDE_D3");
}

TEST(Vocabulary, WhatOnlyListingsName) {
  EXPECT_EQ(found("HEATMAP_READ_BIN_17").counter.name, "HEATMAP_READ_BIN_#");
  EXPECT_EQ(found("LUSTRE_COMP12_OST_ID_3").counter.name, "LUSTRE_COMP#_OST_ID_#");
  EXPECT_EQ(found("lustre_comp1_stripe_size").counter.unit, Unit::kBytes);
  EXPECT_FALSE(find_term("LUSTRE_COMP_STRIPE_SIZE"));
  EXPECT_EQ(found("PNETCDF_VAR_FILE_REC_ID").counter.unit, Unit::kId);
}

TEST(Vocabulary, EveryNameIsFoundAgain) {
  const std::vector<std::string> names = all_names();
  const std::set<std::string> unique(names.begin(), names.end());
  EXPECT_EQ(unique.size(), names.size());
  const char* full = std::getenv("TRIKAL_FULL");
  // Each is looked for among all: every seventh, with scripts/test --full every one.
  const std::size_t step = full != nullptr && full[0] == '1' ? 1 : 7;
  for (std::size_t at = 0; at < names.size(); at += step) {
    const std::string& name = names[at];
    if (find_module(name) != nullptr) continue;
    const Term term = found(name);
    ASSERT_NE(term.module, nullptr) << name;
    EXPECT_EQ(term.name(), name);
    EXPECT_FALSE(term.counter.help.empty()) << name;
  }
}

}  // namespace
}  // namespace trikal::analyze
