#pragma once
// For tests: logs in a folder that goes away, written by a function and read back.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "log/read/reader.hpp"
#include "log/write/tool_writer.hpp"

namespace trikal::log {

// Appends a value as it lies in memory: records with a tail are put together this way.
template <class T>
void put(std::vector<std::byte>& bytes, const T& value) {
  const auto* begin = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), begin, begin + sizeof value);
}

class TempFolder {
 public:
  TempFolder() {
    std::string pattern = testing::TempDir() + "trikal-test-XXXXXX";
    path_ = ::mkdtemp(pattern.data());
  }
  ~TempFolder() { std::filesystem::remove_all(path_); }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// What a log of the tests is made of; the modules and the trailer are filled by functions.
struct LogParts {
  JobNumbers numbers{.uid = 1000, .start_sec = 100, .end_sec = 200, .nprocs = 1, .job_id = 42};
  std::string metadata, exe = "./app";
  std::vector<MountText> mounts;
  std::vector<std::pair<std::uint64_t, std::string>> names;
  std::function<Status(Writer&)> modules, sections;
  std::uint64_t partial = 0;
};

inline Status put_parts(Writer& writer, const LogParts& parts) {
  auto fit = writer.put_job(parts.numbers, {parts.metadata, parts.exe, parts.mounts});
  Status done = fit ? Status{} : fit.error();
  if (done) done = writer.begin_names();
  for (const auto& [id, name] : parts.names) {
    if (done) done = writer.put_name(id, name);
  }
  if (done) done = writer.end_region();
  if (done && parts.modules) done = parts.modules(writer);
  if (done && parts.sections) done = parts.sections(writer);
  return done ? writer.finish(parts.partial) : done;
}

inline void write_log(const std::string& path, const LogParts& parts, const ToolWriteOptions& options = {}) {
  auto tool = ToolWriter::create(path, options);
  ASSERT_TRUE(tool) << tool.error().what;
  const Status done = put_parts((*tool)->writer(), parts);
  ASSERT_TRUE(done) << done.error().what;
}

inline Status put_module(Writer& writer, ModuleId module, std::uint32_t version, Bytes bytes) {
  Status done = writer.begin_module(module, version);
  if (done) done = writer.append(bytes);
  return done ? writer.end_region() : done;
}

inline std::unique_ptr<Reader> read_log(const std::string& path, const ReadOptions& options = {}) {
  auto source = open_file(path);
  EXPECT_TRUE(source) << path;
  if (!source) return nullptr;
  auto reader = Reader::open(std::move(*source), options);
  EXPECT_TRUE(reader) << path << ": " << (reader ? "" : reader.error().what);
  return reader ? std::move(*reader) : nullptr;
}

// A module's records, heads and items one behind the other.
inline std::vector<std::byte> record_bytes(Reader& reader, ModuleId module) {
  std::vector<std::byte> all;
  auto records = reader.records(module);
  EXPECT_TRUE(records) << (records ? "" : records.error().what);
  if (!records) return all;
  Batch batch;
  for (;;) {
    auto more = (*records)->next(batch);
    EXPECT_TRUE(more) << (more ? "" : more.error().what);
    if (!more || !*more) return all;
    if (batch.first_item == 0) all.insert(all.end(), batch.bytes.begin(), batch.bytes.end());
    all.insert(all.end(), batch.items.begin(), batch.items.end());
  }
}

}  // namespace trikal::log
