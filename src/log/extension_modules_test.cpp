// Logs with a module that Darshan has no id for: the template, which is in the list that this test is linked with.

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "log/copy.hpp"
#include "log/merge.hpp"
#include "log/read/extension_modules.hpp"
#include "log/trailer/extension_modules.hpp"
#include "log/write/temp_log_test.hpp"
#include "modules/_template/format.hpp"
#include "modules/list.hpp"
#include "modules/posix/schema.hpp"
#include "schema/record.hpp"

namespace trikal::log {
namespace {

using modules::template_module::kSchema;
using TemplateRecord = Record<kSchema>;
constexpr ModuleId kTemplate = kSchema.id;

TemplateRecord record_of(std::uint64_t id, std::int64_t rank, std::int64_t writes) {
  TemplateRecord record;
  record.set_base({id, rank});
  record.at<"TEMPLATE_WRITES">() = writes;
  record.set_real<"TEMPLATE_F_WRITE_TIME">(0.5);
  return record;
}

Status put_extension(Writer& writer, const ModuleSchema& schema, std::span<const TemplateRecord> records) {
  Status done = writer.begin_module(schema, schema.version);
  if (done) done = writer.append(std::as_bytes(records));
  return done ? writer.end_region() : done;
}

class ExtensionModules : public testing::Test {
 protected:
  ExtensionModules() {
    parts_.numbers.nprocs = 2;
    parts_.names = {{1, "/data/one"}};
    parts_.modules = [this](Writer& writer) {
      Record<modules::posix::kSchema> posix;
      posix.set_base({1, 0});
      const Status done = put_module(writer, modules::posix::kSchema.id, 4, std::as_bytes(std::span{&posix, 1}));
      return done ? put_extension(writer, *schema_, records_) : done;
    };
  }

  std::unique_ptr<Reader> written(const ToolWriteOptions& options = {}) {
    write_log(folder_.file("log"), parts_, options);
    return read_log(folder_.file("log"));
  }
  static std::int64_t writes(Reader& reader, std::size_t record) {
    const std::vector<std::byte> bytes = record_bytes(reader, kTemplate);
    EXPECT_GE(bytes.size(), (record + 1) * sizeof(TemplateRecord));
    if (bytes.size() < (record + 1) * sizeof(TemplateRecord)) return -1;
    return load<TemplateRecord>(bytes.data() + record * sizeof(TemplateRecord)).at<"TEMPLATE_WRITES">();
  }

  TempFolder folder_;
  LogParts parts_;
  const ModuleSchema* schema_ = &kSchema;
  std::vector<TemplateRecord> records_ = {record_of(1, 0, 3), record_of(1, 1, 4)};
};

TEST_F(ExtensionModules, AreReadLikeAnyOther) {
  ASSERT_NE(find_module(kTemplate), nullptr) << "linked with the wrong list";
  auto reader = written();
  EXPECT_EQ(reader->modules(), (std::vector<ModuleId>{modules::posix::kSchema.id, kTemplate}));
  EXPECT_EQ(writes(*reader, 0), 3);
  EXPECT_EQ(writes(*reader, 1), 4);
  EXPECT_TRUE(reader->damage().empty());
}

TEST_F(ExtensionModules, AreNotInTheHeader) {
  written();
  auto source = open_file(folder_.file("log"));
  const auto header = read_header(**source);
  ASSERT_TRUE(header);
  EXPECT_EQ(header->modules[kTemplate], Extent{});
  EXPECT_EQ(header->module_versions[kTemplate], 0U);
  EXPECT_GT(header->modules[modules::posix::kSchema.id].length, 0U);
}

TEST_F(ExtensionModules, AreDescribed) {
  auto reader = written();
  const Section* columns = reader->trailer()->find(kExtensionColumnsSection.name);
  ASSERT_NE(columns, nullptr);
  auto rows = reader->trailer()->rows(*columns);
  ASSERT_TRUE(rows);
  std::span<const Cell> row;
  std::size_t count = 0;
  bool found = false;
  while (true) {
    const auto more = (*rows)->next(row);
    ASSERT_TRUE(more);
    if (!*more) break;
    ++count;
    EXPECT_EQ(row[0].text, "TEMPLATE");
    if (row[1].text != "TEMPLATE_SIZE_WRITE_#" || row[2].text != "1G_PLUS") continue;
    found = true;
    EXPECT_EQ(row[3].text, "i64");
    EXPECT_EQ(row[4].u64(), 208U);
    EXPECT_EQ(row[5].text, "calls");
  }
  EXPECT_EQ(count, 2 + slots_in(kSchema.counters));
  EXPECT_TRUE(found);
}

TEST_F(ExtensionModules, InStreamsOfAnySize) {
  records_.assign(1000, record_of(1, 0, 7));
  auto reader = written({.stream_bytes = 4096});
  EXPECT_EQ(record_bytes(*reader, kTemplate).size(), 1000 * sizeof(TemplateRecord));
  EXPECT_EQ(writes(*reader, 999), 7);
}

TEST_F(ExtensionModules, ACopyHasThem) {
  auto reader = written();
  CopyReport report;
  {
    auto tool = ToolWriter::create(folder_.file("copy"));
    ASSERT_TRUE(tool);
    ASSERT_TRUE(copy_log(*reader, (*tool)->writer(), {}, report));
  }
  auto copy = read_log(folder_.file("copy"));
  EXPECT_EQ(record_bytes(*copy, kTemplate), record_bytes(*reader, kTemplate));
  EXPECT_TRUE(report.warnings.empty());
}

TEST_F(ExtensionModules, ALogWithoutTrailerCannotHoldThem) {
  auto reader = written();
  CopyReport report;
  {
    auto tool = ToolWriter::create(folder_.file("copy"), {.trailer = false});
    ASSERT_TRUE(tool);
    ASSERT_TRUE(copy_log(*reader, (*tool)->writer(), {}, report));
    EXPECT_FALSE((*tool)->writer().can_store(kSchema));
  }
  auto copy = read_log(folder_.file("copy"));
  EXPECT_EQ(copy->modules(), (std::vector<ModuleId>{modules::posix::kSchema.id}));
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_NE(report.warnings[0].find("TEMPLATE left out"), std::string::npos);
}

TEST_F(ExtensionModules, AMergeFoldsThem) {
  write_log(folder_.file("a"), parts_);
  records_ = {record_of(1, 0, 10), record_of(1, 1, 20)};
  write_log(folder_.file("b"), parts_);
  std::vector<MergeInput> inputs;
  for (const char* name : {"a", "b"}) {
    inputs.push_back({name, [path = folder_.file(name)]() -> Result<std::unique_ptr<Reader>> {
                        auto source = open_file(path);
                        if (!source) return source.error();
                        return Reader::open(std::move(*source));
                      }});
  }
  MergeReport report;
  {
    auto tool = ToolWriter::create(folder_.file("merged"));
    ASSERT_TRUE(tool);
    const Status done = merge_logs(inputs, (*tool)->writer(), {.fold_shared = true}, report);
    ASSERT_TRUE(done) << done.error().what;
  }
  auto merged = read_log(folder_.file("merged"));
  std::int64_t sum = 0;
  const std::vector<std::byte> bytes = record_bytes(*merged, kTemplate);
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(TemplateRecord))
    sum += load<TemplateRecord>(bytes.data() + at).at<"TEMPLATE_WRITES">();
  EXPECT_EQ(sum, 3 + 4 + 10 + 20);
  EXPECT_TRUE(report.warnings.empty()) << report.warnings.front();
}

TEST_F(ExtensionModules, OneThatNobodyKnowsIsTold) {
  ModuleSchema other = kSchema;
  other.name = "SOMEBODYS";
  schema_ = &other;
  auto reader = written();
  EXPECT_EQ(reader->modules(), (std::vector<ModuleId>{modules::posix::kSchema.id}));
  ASSERT_NE(reader->trailer(), nullptr);
  EXPECT_EQ(unknown_extension_modules(*reader->trailer()), std::vector<std::string>{"SOMEBODYS"});
  const std::vector<Damage> damage = reader->damage();
  ASSERT_EQ(damage.size(), 1U);
  EXPECT_EQ(damage[0].where, "SOMEBODYS");
  EXPECT_EQ(damage[0].severity, Damage::Severity::kNote);
  CopyReport report;
  auto tool = ToolWriter::create(folder_.file("copy"));
  ASSERT_TRUE(copy_log(*reader, (*tool)->writer(), {}, report));
  ASSERT_EQ(report.warnings.size(), 1U);
  EXPECT_EQ(report.warnings[0], "module SOMEBODYS is unknown and left out");
}

// Last: nothing shows them again.
TEST_F(ExtensionModules, WhoSpeaksForDarshanDoesNotSeeThem) {
  write_log(folder_.file("log"), parts_);
  hide_extension_modules();
  auto reader = read_log(folder_.file("log"));
  EXPECT_EQ(reader->modules(), (std::vector<ModuleId>{modules::posix::kSchema.id}));
  EXPECT_NE(reader->trailer(), nullptr);
  EXPECT_TRUE(reader->damage().empty());
}

}  // namespace
}  // namespace trikal::log
