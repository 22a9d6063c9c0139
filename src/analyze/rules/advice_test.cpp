// What is advised to whom.

#include "analyze/rules/advice.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace trikal::analyze {
namespace {

std::string advice_for(std::string_view code, SiteUse site, std::vector<SiteUse> others = {}) {
  Run run;
  run.sites = std::move(others);
  run.sites.push_back(site);
  std::vector<Finding> findings(1);
  findings[0].code = code, findings[0].fix = "the rule's own";
  FileEvidence file;
  file.sites.push_back(std::move(site));
  findings[0].files.push_back(std::move(file));
  advise_by_caller(run, findings);
  return findings[0].fix;
}

bool says(const std::string& advice, std::string_view words) { return advice.find(words) != std::string::npos; }

TEST(Advice, IsInTheLanguageOfTheProgram) {
  EXPECT_TRUE(
      says(advice_for("flushed-lines", {.source = "a.cpp", .through = "libstdc++.so.6 (std::ostream::flush())"}),
           "std::endl"));
  EXPECT_TRUE(says(advice_for("flushed-lines", {.source = "a.f90", .through = "libgfortran.so.5 (_gfortran_st_flush)"}),
                   "FLUSH(unit)"));
  EXPECT_TRUE(
      says(advice_for("small-writes", {.source = "a.f90", .through = "libgfortran.so.5 (_gfortran_st_write_done)"}),
           "GFORTRAN_UNBUFFERED_ALL"));
  EXPECT_TRUE(says(advice_for("flushed-lines", {.source = "/src/app.py"}), "flush=True"));
  EXPECT_TRUE(says(advice_for("reopen", {.source = "/src/app.py"}), "with open("));
}

TEST(Advice, IsThatOfTheLibraryInBetween) {
  EXPECT_TRUE(says(advice_for("small-writes", {.source = "a.c", .through = "libhdf5_serial.so.103 (H5Dwrite)"}),
                   "H5Pset_chunk_cache"));
  EXPECT_TRUE(
      says(advice_for("reopen", {.source = "a.py", .through = "_multiarray_umath.cpython-311.so"}), "a.tofile(f)"));
  EXPECT_TRUE(
      says(advice_for("sync-per-write", {.source = "a.py", .through = "libsqlite3.so.0 < _sqlite3.so"}), "COMMIT"));
  EXPECT_TRUE(says(advice_for("small-chunks", {.source = "a.py", .through = "h5d.so"}), "chunks=..."));
}

TEST(Advice, KnowsWhichMpiItIs) {
  const SiteUse mpi = {.file = 7, .interface = "MPI-IO", .source = "a.c"};
  EXPECT_TRUE(says(advice_for("no-collectives", mpi, {{.file = 7, .interface = "POSIX", .through = "libmpich.so.12"}}),
                   "romio_cb_write"));
  const SiteUse below = {.file = 7, .interface = "POSIX", .through = "mca_fbtl_posix.so < mca_io_ompio.so"};
  EXPECT_TRUE(says(advice_for("no-collectives", mpi, {below}), "romio321"));
  EXPECT_EQ(advice_for("no-collectives", mpi, {{.file = 8, .interface = "POSIX", .through = "libmpich.so.12"}}),
            "the rule's own");
}

TEST(Advice, IsTheRulesOwnWhereNobodyIsKnown) {
  EXPECT_EQ(advice_for("small-writes", {.source = "a.c"}), "the rule's own");
  EXPECT_EQ(advice_for("imbalance", {.source = "a.py"}), "the rule's own");
}

}  // namespace
}  // namespace trikal::analyze
