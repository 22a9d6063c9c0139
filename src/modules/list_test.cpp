#include "modules/list.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace trikal {
namespace {

TEST(Modules, IdsAreTheirPlaces) {
  std::set<ModuleId> ids;
  for (const ModuleFormat* module : all_modules()) EXPECT_TRUE(ids.insert(module->schema->id).second);
}

TEST(Modules, CounterNamesAreUniqueAndBeginWithTheModule) {
  std::set<std::string> names;
  for (const ModuleFormat* module : all_modules()) {
    for (const Counter& counter : module->schema->counters) {
      EXPECT_FALSE(counter.help.empty()) << counter.name;
      for (std::size_t i = 0; i < counter.width(); ++i) {
        EXPECT_TRUE(names.insert(bucket_name(counter, i)).second) << bucket_name(counter, i);
      }
    }
  }
}

TEST(Modules, TheLastFormIsTheNewest) {
  for (const ModuleFormat* module : all_modules()) {
    ASSERT_FALSE(module->forms.empty()) << module->schema->name;
    EXPECT_EQ(module->forms.back().version, module->schema->version);
  }
}

TEST(Modules, AreFoundByNameAndPrefix) {
  EXPECT_EQ(find_module("posix"), find_module(ModuleId{1}));
  EXPECT_EQ(find_module("no such module"), nullptr);
}

}  // namespace
}  // namespace trikal
