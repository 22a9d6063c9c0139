#include "log/read/reader.hpp"

#include <gtest/gtest.h>

#include "support/log_builder.hpp"

namespace trikal::log {
namespace {

using testing::Buffer;
using testing::LogParts;
using testing::Packer;

constexpr ModuleId kPosix = 1, kStdio = 9;

Buffer records(std::size_t count, std::size_t words, bool foreign) {
  Packer packer(foreign);
  for (std::size_t i = 0; i < count; ++i) testing::fixed_record(packer, i + 1, 0, words);
  return packer.take();
}

LogParts usual(Codec codec = Codec::kZlib, bool foreign = false) {
  LogParts parts{.foreign = foreign, .codec = codec};
  const std::vector<std::pair<std::uint64_t, std::string>> names = {{1, "/a"}, {2, "/b"}};
  parts.with_usual_job().with_names(names);
  parts.with_module(kPosix, 4, records(5, 86, foreign)).with_module(kStdio, 2, records(3, 29, foreign));
  return parts;
}

std::unique_ptr<Reader> open(Buffer file, bool salvage = false) {
  auto reader = Reader::open(from_memory(std::move(file)), {.salvage = salvage});
  EXPECT_TRUE(reader) << (reader ? "" : reader.error().what);
  return reader ? std::move(*reader) : nullptr;
}

Error refusal(Buffer file, bool salvage = false) {
  auto reader = Reader::open(from_memory(std::move(file)), {.salvage = salvage});
  return reader ? Error{} : reader.error();
}

struct Count {
  std::size_t records = 0;
  Error error;
};

Count count(Reader& reader, ModuleId id) {
  auto stream = reader.records(id);
  if (!stream) return {.records = 0, .error = stream.error()};
  Count result;
  Batch batch;
  for (;;) {
    auto more = (*stream)->next(batch);
    if (!more) result.error = more.error();
    if (!more || !*more) return result;
    result.records += batch.count;
  }
}

TEST(Reader, EverythingInEveryCodecAndOrder) {
  for (const Codec codec : {Codec::kZlib, Codec::kBzip2, Codec::kNone}) {
    for (const bool foreign : {false, true}) {
      const auto reader = open(usual(codec, foreign).build());
      EXPECT_EQ(reader->job().exe, "/bin/app -x");
      EXPECT_EQ(reader->modules(), (std::vector<ModuleId>{kPosix, kStdio}));
      EXPECT_EQ((*reader->names())->name_of(2, "?"), "/b");
      EXPECT_EQ(*reader->names(), *reader->names()) << "read once, kept";
      EXPECT_EQ(count(*reader, kPosix).records, 5U);
      EXPECT_EQ(count(*reader, kStdio).records, 3U);
      EXPECT_EQ(count(*reader, kStdio).records, 3U) << "a second time";
      EXPECT_TRUE(reader->damage().empty());
    }
  }
}

TEST(Reader, WhatIsNotThereIsToldApart) {
  LogParts parts = usual();
  parts.modules[2] = {99, Buffer(10)};  // a version nobody knows
  parts.modules[40] = {1, Buffer(10)};  // a module nobody knows
  const auto reader = open(parts.build());
  EXPECT_EQ(count(*reader, 3).error.code, ErrorCode::kMissing);
  EXPECT_EQ(count(*reader, 200).error.code, ErrorCode::kMissing);
  EXPECT_EQ(count(*reader, 2).error.code, ErrorCode::kUnsupported);
  EXPECT_EQ(count(*reader, 40).error.code, ErrorCode::kUnsupported);
  EXPECT_EQ(reader->modules(), (std::vector<ModuleId>{kPosix, kStdio}));
}

// Cut at every byte behind the header. Without salvage: an error at opening. With it: what lies before the cut.
TEST(Reader, TruncatedAnywhere) {
  const Buffer file = usual().build();
  const Header header = open(file)->header();
  const auto end_of = [](const Extent& extent) { return extent.offset + extent.length; };
  for (std::size_t size = header.bytes; size < file.size(); ++size) {
    const Buffer part(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
    const Error error = refusal(part);
    ASSERT_EQ(error.code, ErrorCode::kTruncated) << size;
    ASSERT_EQ(error.offset, size);
    const auto reader = open(part, true);
    ASSERT_FALSE(reader->damage().empty());
    if (size >= end_of(header.job)) {
      ASSERT_EQ(reader->job().exe, "/bin/app -x") << size;
    }
    if (size >= end_of(header.names)) {
      ASSERT_EQ((*reader->names())->entries().size(), 2U) << size;
    }
    const Count posix = count(*reader, kPosix);
    if (size >= end_of(header.modules[kPosix])) {
      ASSERT_EQ(posix.records, 5U) << size;
    } else if (size <= header.modules[kPosix].offset) {
      ASSERT_EQ(posix.error.code, ErrorCode::kMissing) << size;
    } else {
      ASSERT_EQ(posix.error.code, ErrorCode::kNone) << "salvaging ends, it does not fail";
    }
  }
}

TEST(Reader, SalvageTellsWhatWasLost) {
  LogParts parts = usual();
  const Buffer plain = records(40, 86, false);
  parts.modules[kPosix].packed = testing::pack_cut(plain, Codec::kZlib, std::vector<std::size_t>{704 * 30});
  parts.modules[kPosix].packed.back() ^= std::byte{1};
  const Buffer file = parts.build();
  EXPECT_EQ(count(*open(file), kPosix).error.code, ErrorCode::kDamaged);
  const auto reader = open(file, true);
  const Count posix = count(*reader, kPosix);
  EXPECT_GE(posix.records, 30U);
  ASSERT_EQ(reader->damage().size(), 1U);
  const Damage damage = reader->damage().front();
  EXPECT_EQ(damage.where, "POSIX");
  EXPECT_EQ(damage.severity, Damage::Severity::kLoss);
  EXPECT_EQ(damage.salvaged, posix.records);
  EXPECT_GE(damage.error.offset, reader->header().modules[kPosix].offset);
  EXPECT_EQ(count(*reader, kStdio).records, 3U) << "the other modules are as they were";
}

TEST(Reader, ABadJobDoesNotHideTheRest) {
  LogParts parts = usual();
  parts.job = testing::pack(Buffer(100), Codec::kZlib);
  EXPECT_EQ(refusal(parts.build()).code, ErrorCode::kDamaged);
  const auto reader = open(parts.build(), true);
  EXPECT_EQ(reader->job().nprocs, 0);
  EXPECT_EQ(reader->damage().front().where, "job");
  EXPECT_EQ(count(*reader, kPosix).records, 5U);
}

TEST(Reader, ABadNameDoesNotHideTheOnesBefore) {
  LogParts parts = usual();
  Buffer plain = testing::name_bytes(std::vector<std::pair<std::uint64_t, std::string>>{{1, "/a"}});
  testing::append(plain, Buffer(3, std::byte{1}));
  parts.names = testing::pack(plain, Codec::kZlib);
  const Buffer file = parts.build();
  EXPECT_FALSE(open(file)->names());
  const auto reader = open(file, true);
  EXPECT_EQ((*reader->names())->name_of(1, "?"), "/a");
  ASSERT_EQ(reader->damage().size(), 1U);
  EXPECT_EQ(reader->damage().front().where, "names");
  EXPECT_EQ(reader->damage().front().salvaged, 1U);
}

TEST(Reader, ARegionThatEndsInsideARecordIsReportedEitherWay) {
  LogParts parts = usual();
  Buffer plain = records(5, 86, false);
  plain.resize(plain.size() - 1);
  parts.with_module(kPosix, 4, plain);
  for (const bool salvage : {false, true}) {
    const auto reader = open(parts.build(), salvage);
    EXPECT_EQ(count(*reader, kPosix).records, 4U);
    ASSERT_EQ(reader->damage().size(), 1U);
    EXPECT_EQ(reader->damage().front().error.code, ErrorCode::kTruncated);
    EXPECT_EQ(reader->damage().front().salvaged, 4U);
  }
}

TEST(Reader, OddMountLinesAreNoted) {
  LogParts parts = usual();
  parts.job = testing::pack(testing::job_bytes({.text = "./app\nodd"}), Codec::kZlib);
  const auto reader = open(parts.build());
  ASSERT_EQ(reader->damage().size(), 1U);
  EXPECT_EQ(reader->damage().front().severity, Damage::Severity::kNote);
}

// A region that lies inside the header, in both ways of reading.
TEST(Reader, LyingMaps) {
  Buffer file = usual().build();
  store(file.data() + NewHeader::kMapAt + 16 * kPosix, std::uint64_t{16});
  EXPECT_EQ(refusal(file).code, ErrorCode::kDamaged);
  const auto reader = open(file, true);
  EXPECT_EQ(reader->damage().front().where, "file");
  EXPECT_EQ(count(*reader, kPosix).error.code, ErrorCode::kMissing);
  EXPECT_EQ(count(*reader, kStdio).records, 3U);
}

TEST(Reader, LargeRegionsAreReadAheadWithTheSameResult) {
  Packer packer;
  std::uint64_t state = 1;
  constexpr std::size_t kRecords = 3000;
  for (std::size_t i = 0; i < kRecords; ++i) {
    packer.u64(i).i64(0);
    for (int word = 0; word < 86; ++word) packer.u64(state = state * 6364136223846793005U + 1442695040888963407U);
  }
  LogParts parts = usual();
  parts.with_module(kPosix, 4, packer.take());
  ASSERT_GT(parts.modules[kPosix].packed.size(), 1U << 20);
  for (const bool threads : {false, true}) {
    auto reader = Reader::open(from_memory(parts.build()), {.threads = threads});
    ASSERT_TRUE(reader);
    EXPECT_EQ(count(**reader, kPosix).records, kRecords);
  }
}

TEST(Reader, LimitsReachEveryRegion) {
  LogParts parts = usual();
  parts.with_module(kPosix, 4, Buffer(704 * 2000));
  auto reader = Reader::open(from_memory(parts.build()), {.limits = {.expanded = 1 << 20}});
  ASSERT_TRUE(reader);
  EXPECT_EQ(count(**reader, kPosix).error.code, ErrorCode::kLimit);
  EXPECT_EQ(refusal(Buffer{}).code, ErrorCode::kNotALog);
  EXPECT_EQ(refusal(Buffer{}, true).code, ErrorCode::kNotALog) << "nothing to salvage";
}

class CountingSource final : public Source {
 public:
  CountingSource(Buffer file, std::size_t& reads) : file_(from_memory(std::move(file))), reads_(reads) {}
  Result<std::size_t> read_at(std::uint64_t offset, MutableBytes out) const override {
    ++reads_;
    return file_->read_at(offset, out);
  }
  [[nodiscard]] std::uint64_t size() const override { return file_->size(); }

 private:
  std::unique_ptr<Source> file_;
  std::size_t& reads_;
};

// Every table asks for the names: names that expand to the limit were expanded anew each time.
TEST(Reader, NamesThatCannotBeReadAreNotTriedAgain) {
  LogParts parts = usual();
  parts.names = testing::pack(Buffer(100000), Codec::kZlib);
  std::size_t reads = 0;
  auto reader = Reader::open(std::make_unique<CountingSource>(parts.build(), reads), {.limits = {.expanded = 5000}});
  ASSERT_TRUE(reader);
  const auto first = (*reader)->names();
  ASSERT_FALSE(first);
  const std::size_t before = reads;
  const auto second = (*reader)->names();
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, first.error().code);
  EXPECT_EQ(second.error().offset, first.error().offset);
  EXPECT_EQ(reads, before);
}

}  // namespace
}  // namespace trikal::log
