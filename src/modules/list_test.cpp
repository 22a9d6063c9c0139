#include "modules/list.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "modules/testing/records_test.hpp"

namespace trikal {
namespace {

TEST(Modules, EachIsFoundByItsId) {
  EXPECT_GE(all_modules().size(), kKnownModules);
  for (const ModuleFormat* module : all_modules()) EXPECT_EQ(find_module(module->schema->id), module);
  for (std::size_t id = 0; id < kKnownModules; ++id) EXPECT_NE(find_module(static_cast<ModuleId>(id)), nullptr) << id;
  for (std::size_t id = all_modules().back()->schema->id + 1; id < 256; ++id) {
    EXPECT_EQ(find_module(static_cast<ModuleId>(id)), nullptr) << id;
  }
}

TEST(Modules, NamesAndPrefixesAreUnique) {
  for (const ModuleFormat* module : all_modules()) {
    EXPECT_EQ(find_module(module->schema->name), module);
    EXPECT_EQ(find_module(module->schema->prefix), module);
  }
}

TEST(Modules, CounterNamesAreUniqueAndBeginWithTheModule) {
  std::set<std::string> names;
  std::set<std::string_view> patterns;
  for (const ModuleFormat* module : all_modules()) {
    for (const Counter& counter : module->schema->counters) {
      EXPECT_FALSE(counter.help.empty()) << counter.name;
      EXPECT_TRUE(patterns.insert(counter.name).second) << counter.name;
      EXPECT_TRUE(counter.name.starts_with(std::string(module->schema->prefix) + "_")) << counter.name;
      EXPECT_EQ(counter.labels.empty(), counter.name.find('#') == std::string_view::npos) << counter.name;
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

// Record<> and the C library count on it.
TEST(Modules, IntegersComeBeforeReals) {
  for (const ModuleFormat* module : all_modules()) {
    bool reals = false;
    for (const Counter& counter : module->schema->counters) {
      EXPECT_TRUE(!reals || counter.kind == Kind::kReal) << counter.name;
      reals = counter.kind == Kind::kReal;
    }
  }
}

TEST(Modules, FieldsAndCountersDoNotOverlap) {
  for (const ModuleFormat* module : all_modules()) {
    const ModuleSchema& schema = *module->schema;
    std::set<std::size_t> words;
    for (std::size_t i = 0; i < slots_in(schema.counters); ++i) words.insert(schema.counters_at / 8 + i);
    for (const Field& field : schema.fields) {
      EXPECT_FALSE(field.help.empty()) << field.name;
      for (std::size_t at = field.offset; at < field.offset + field.bytes; at += 8) {
        EXPECT_TRUE(words.insert(at / 8).second) << schema.name << " " << field.name;
      }
    }
    if (schema.shape != Shape::kFixed || words.empty()) continue;
    EXPECT_EQ(*words.begin(), 2U) << schema.name;
    EXPECT_EQ(*words.rbegin() + 1, schema.head_bytes / 8) << schema.name;
    EXPECT_EQ(words.size(), schema.head_bytes / 8 - 2) << schema.name;
  }
}

TEST(Modules, ShapesAndFormsAgree) {
  for (const ModuleFormat* module : all_modules()) {
    for (const Form& form : module->forms) {
      EXPECT_EQ(form.tail == nullptr, module->schema->shape == Shape::kFixed) << module->schema->name;
      EXPECT_EQ(form.upgrade != nullptr, form.tail == nullptr && form.version != module->schema->version);
      EXPECT_EQ(form.head_bytes % 8, 0U);
    }
    EXPECT_EQ(module->forms.back().head_bytes, module->schema->head_bytes) << module->schema->name;
  }
}

// Numbers of either byte order read the same, and what is text stays as it is.
TEST(Modules, FixedRecordsAreSwappedNumberByNumber) {
  for (const ModuleFormat* module : all_modules()) {
    if (module->schema->shape != Shape::kFixed) continue;
    std::set<std::size_t> text;
    for (const Field& field : module->schema->fields) {
      if (field.type != Field::Type::kUuid && field.type != Field::Type::kText) continue;
      for (std::size_t at = field.offset; at < field.offset + field.bytes; at += 8) text.insert(at);
    }
    for (const Form& form : module->forms) {
      modules::testing::expect_same_in_both_orders(form, [&](modules::testing::RecordBytes& record) {
        for (std::size_t at = 0; at < form.head_bytes; at += 8) {
          if (text.contains(at)) record.text("a string", 8);
          else record.u64(0x0102'0304'0506'0708 + at);
        }
      });
    }
  }
}

TEST(Modules, AreFoundByNameAndPrefix) {
  EXPECT_EQ(find_module("mpi-io"), find_module(ModuleId{2}));
  EXPECT_EQ(find_module("bgq"), find_module(ModuleId{7}));
  EXPECT_EQ(find_module("posix"), find_module(ModuleId{1}));
  EXPECT_EQ(find_module("no such module"), nullptr);
}

}  // namespace
}  // namespace trikal
