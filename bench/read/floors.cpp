// What reading a log cannot be faster than, with ordinary means:
//   floors inflate LOG     all regions through zlib's inflate, nothing done with the bytes
//   floors isal LOG        the same with the library trikal uses
//   floors snprintf LOG    every counter line of `parse --base`, one snprintf a line, from records in memory
//   floors segments LOG    every line of `dxt`, one snprintf a line

#include <isa-l/igzip_lib.h>
#include <zlib.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "log/read/reader.hpp"
#include "modules/list.hpp"

namespace {

using trikal::load;
using trikal::log::Batch;
using trikal::log::Extent;
using trikal::log::Reader;

constexpr std::size_t kStage = 1U << 20;

std::vector<Extent> regions(const Reader& reader) {
  std::vector<Extent> all;
  for (const Extent& extent : reader.header().modules) {
    if (extent.length > 0) all.push_back(extent);
  }
  return all;
}

bool inflate_zlib(const std::vector<std::byte>& in, std::vector<unsigned char>& out) {
  z_stream stream{};
  if (inflateInit(&stream) != Z_OK) return false;
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(in.data()));
  stream.avail_in = static_cast<uInt>(in.size());
  int result = Z_OK;
  while (result == Z_OK) {
    stream.next_out = out.data(), stream.avail_out = static_cast<uInt>(out.size());
    result = inflate(&stream, Z_NO_FLUSH);
    if (result == Z_STREAM_END && stream.avail_in > 0) result = inflateReset(&stream);
  }
  inflateEnd(&stream);
  return result == Z_STREAM_END;
}

bool inflate_isal(const std::vector<std::byte>& in, std::vector<unsigned char>& out) {
  auto state = std::make_unique<inflate_state>();
  isal_inflate_init(state.get());
  state->crc_flag = ISAL_ZLIB;
  state->next_in = const_cast<unsigned char*>(reinterpret_cast<const unsigned char*>(in.data()));
  state->avail_in = static_cast<std::uint32_t>(in.size());
  while (state->block_state != ISAL_BLOCK_FINISH) {
    state->next_out = out.data(), state->avail_out = static_cast<std::uint32_t>(out.size());
    if (isal_inflate(state.get()) < 0) return false;
  }
  return true;
}

int inflate_all(const Reader& reader, bool (*inflate_one)(const std::vector<std::byte>&, std::vector<unsigned char>&)) {
  std::vector<unsigned char> out(kStage);
  for (const Extent& extent : regions(reader)) {
    std::vector<std::byte> in(extent.length);
    const auto got = reader.source().read_at(extent.offset, in);
    if (!got || *got != in.size() || !inflate_one(in, out)) return 1;
  }
  return 0;
}

std::string file_of(Reader& reader, std::uint64_t id) {
  const auto names = reader.names();
  return names ? std::string((*names)->name_of(id, "(null)")) : "(null)";
}

class Lines {
 public:
  explicit Lines(Reader& reader) : reader_(reader) {}

  int counters(trikal::ModuleId id) {
    auto records = reader_.records(id);
    if (!records) return 1;
    const trikal::ModuleSchema& schema = (*records)->schema();
    names_.clear();
    for (const trikal::Counter& counter : schema.counters) {
      for (std::size_t i = 0; i < counter.width(); ++i) names_.push_back(trikal::bucket_name(counter, i));
    }
    Batch batch;
    for (;;) {
      const auto more = (*records)->next(batch);
      if (!more) return 1;
      if (!*more) return 0;
      for (std::size_t i = 0; i < batch.count; ++i) record(batch.record(i, schema), schema);
    }
  }

  int segments(trikal::ModuleId id, const char* name) {
    auto records = reader_.records(id);
    if (!records) return 1;
    Batch batch;
    for (;;) {
      const auto more = (*records)->next(batch);
      if (!more) return 1;
      if (!*more) return 0;
      const auto writes = load<std::int64_t>(batch.bytes.data() + 88);
      for (std::size_t at = 0, i = batch.first_item; at + 40 <= batch.items.size(); at += 40, ++i) {
        const std::byte* s = batch.items.data() + at;
        const bool write = static_cast<std::int64_t>(i) < writes;
        put(std::snprintf(line_, sizeof line_, "%8s%8ld%7s%9ld%16ld%16ld%12.4f%12.4f\n", name,
                          load<long>(batch.bytes.data() + 8), write ? "write" : "read",
                          static_cast<long>(i) - (write ? 0 : writes), load<long>(s), load<long>(s + 8),
                          load<double>(s + 16), load<double>(s + 24)));
      }
    }
  }

 private:
  void record(const std::byte* at, const trikal::ModuleSchema& schema) {
    const auto id = load<unsigned long>(at);
    const std::string file = file_of(reader_, id);
    const trikal::log::Mount* mount = reader_.job().mount_of(file);
    const char* path = mount != nullptr ? mount->path.c_str() : "UNKNOWN";
    const char* type = mount != nullptr ? mount->type.c_str() : "UNKNOWN";
    const std::size_t integers = trikal::slots_in(schema.counters, false);
    for (std::size_t slot = 0; slot < names_.size(); ++slot) {
      const std::byte* value = at + schema.counters_at + 8 * slot;
      if (slot < integers) {
        put(std::snprintf(line_, sizeof line_, "%s\t%ld\t%lu\t%s\t%ld\t%s\t%s\t%s\n", schema.name.data(),
                          load<long>(at + 8), id, names_[slot].c_str(), load<long>(value), file.c_str(), path, type));
      } else {
        put(std::snprintf(line_, sizeof line_, "%s\t%ld\t%lu\t%s\t%f\t%s\t%s\t%s\n", schema.name.data(),
                          load<long>(at + 8), id, names_[slot].c_str(), load<double>(value), file.c_str(), path, type));
      }
    }
  }
  void put(int length) { std::fwrite(line_, 1, static_cast<std::size_t>(length), stdout); }

  Reader& reader_;
  std::vector<std::string> names_;
  char line_[8192];
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return std::fprintf(stderr, "usage: floors inflate|isal|snprintf|segments LOG\n"), 2;
  const std::string_view what = argv[1];
  auto source = trikal::log::open_file(argv[2]);
  if (!source) return 1;
  auto reader = Reader::open(std::move(*source));
  if (!reader) return 1;
  if (what == "inflate") return inflate_all(**reader, inflate_zlib);
  if (what == "isal") return inflate_all(**reader, inflate_isal);
  Lines lines(**reader);
  if (what == "snprintf") return lines.counters(trikal::find_module("POSIX")->schema->id);
  if (what == "segments") return lines.segments(trikal::find_module("DXT_POSIX")->schema->id, "X_POSIX");
  return 2;
}
