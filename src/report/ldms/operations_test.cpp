#include "report/ldms/operations.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <string>

namespace trikal::report::ldms {
namespace {

using log::crash::Operation;

constexpr const char* kVariables[] = {"DARSHAN_LDMS_ENABLE_ALL", "DARSHAN_LDMS_ENABLE_POSIX",
                                      "DARSHAN_LDMS_ENABLE_STDIO", "DARSHAN_LDMS_ENABLE_MPIIO",
                                      "DARSHAN_LDMS_ENABLE_HDF5"};

std::string enabled_by(std::initializer_list<const char*> names) {
  for (const char* name : kVariables) ::unsetenv(name);
  for (const char* name : names) ::setenv(name, "", 1);  // the value does not matter
  const ModuleSet set = ModuleSet::of_environment();
  for (const char* name : kVariables) ::unsetenv(name);
  std::string text;
  for (const Module module : {Module::kPosix, Module::kStdio, Module::kMpiio, Module::kH5f, Module::kH5d}) {
    if (set.has(module)) text.append(name_of(module)).append(" ");
  }
  return text;
}

// The table has a row for each operation in the order of the enumeration: names tell whether a row is in its slot.
TEST(LdmsOperations, EveryRowIsThatOfItsOperation) {
  for (std::uint32_t i = 0; i < log::crash::kOperations; ++i) {
    const Operation operation{i};
    const auto role = role_of(operation);
    const std::string_view interface = log::crash::interface_of(operation), word = log::crash::word_of(operation);
    EXPECT_EQ(operation_named(word), operation);
    if (!role) continue;
    const std::string_view module = name_of(role->module);
    const std::string_view begins = interface == "MPI-IO" ? "MPIIO" : interface == "HDF5" ? "H5" : interface;
    EXPECT_TRUE(module.starts_with(begins)) << word;
    EXPECT_TRUE(word.ends_with(name_of(role->action))) << word;
  }
}

TEST(LdmsOperations, OnlyOpenReadWriteAndCloseGiveMessages) {
  std::set<std::string_view> silent;
  for (std::uint32_t i = 0; i < log::crash::kOperations; ++i) {
    const auto role = role_of(Operation{i});
    if (!role || role->action == Action::kNone) silent.insert(log::crash::word_of(Operation{i}));
  }
  EXPECT_EQ(silent, (std::set<std::string_view>{"seek", "stat", "fsync", "fdatasync", "truncate", "mmap", "remove",
                                                "rename", "dup", "other", "stream seek", "flush", "MPI sync",
                                                "MPI set view", "HDF5 flush", "HDF5 dataset flush"}));
  EXPECT_FALSE(role_of(log::crash::operation_of_module(3, 1)));
  EXPECT_FALSE(operation_named("no such operation"));
}

TEST(LdmsOperations, FilesOfHdf5AreOnlyOpenedAndClosed) {
  for (std::uint32_t i = 0; i < log::crash::kOperations; ++i) {
    const auto role = role_of(Operation{i});
    EXPECT_TRUE(!role || role->module != Module::kH5f || role->timer == Timer::kMeta);
  }
}

TEST(LdmsOperations, VariablesSayWhichModulesAreOn) {
  EXPECT_EQ(enabled_by({}), "POSIX STDIO MPIIO H5F H5D ");
  EXPECT_EQ(enabled_by({"DARSHAN_LDMS_ENABLE_ALL"}), "POSIX STDIO MPIIO H5F H5D ");
  EXPECT_EQ(enabled_by({"DARSHAN_LDMS_ENABLE_POSIX"}), "POSIX ");
  EXPECT_EQ(enabled_by({"DARSHAN_LDMS_ENABLE_STDIO", "DARSHAN_LDMS_ENABLE_MPIIO"}), "STDIO MPIIO ");
  EXPECT_EQ(enabled_by({"DARSHAN_LDMS_ENABLE_HDF5"}), "H5F H5D ");
  EXPECT_EQ(enabled_by({"DARSHAN_LDMS_ENABLE_ALL", "DARSHAN_LDMS_ENABLE_HDF5"}), "POSIX STDIO MPIIO H5F H5D ");
}

TEST(LdmsOperations, ModulesHaveTheNamesThatPeopleUse) {
  const auto set = ModuleSet::of_names({"posix", "MPI-IO", "hdf5"});
  ASSERT_TRUE(set);
  EXPECT_TRUE(set->has(Module::kPosix) && set->has(Module::kMpiio) && set->has(Module::kH5f) && set->has(Module::kH5d));
  EXPECT_FALSE(set->has(Module::kStdio));
  EXPECT_TRUE(ModuleSet::of_names({"H5D"})->has(Module::kH5d));
  EXPECT_FALSE(ModuleSet::of_names({"H5D"})->has(Module::kH5f));
  EXPECT_FALSE(ModuleSet::of_names({"posix", "lustre"}));
}

}  // namespace
}  // namespace trikal::report::ldms
