#include "support/log_builder.hpp"

#include <bzlib.h>
#include <zlib.h>

#include <bit>
#include <cstring>
#include <stdexcept>

namespace trikal::testing {
namespace {

using log::Codec;

Buffer deflated(Bytes plain) {
  uLongf size = compressBound(plain.size());
  Buffer out(size);
  const int result = compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                               reinterpret_cast<const Bytef*>(plain.data()), plain.size(), 6);
  if (result != Z_OK) throw std::runtime_error("compress2");
  out.resize(size);
  return out;
}

Buffer bzipped(Bytes plain) {
  auto size = static_cast<unsigned>(plain.size() + plain.size() / 50 + 1024);
  Buffer out(size);
  std::vector<char> in(plain.size() + 1);  // the library wants it mutable, and not null
  if (!plain.empty()) std::memcpy(in.data(), plain.data(), plain.size());
  const int result = BZ2_bzBuffToBuffCompress(reinterpret_cast<char*>(out.data()), &size, in.data(),
                                              static_cast<unsigned>(plain.size()), 9, 0, 30);
  if (result != BZ_OK) throw std::runtime_error("BZ2_bzBuffToBuffCompress");
  out.resize(size);
  return out;
}

const char* version_text(int minor) {
  switch (minor) {
    case 0: return "3.00";
    case 10: return "3.10";
    case 20: return "3.20";
    case 21: return "3.21";
    default: return "3.41";
  }
}

}  // namespace

Buffer bytes_of(std::string_view text) {
  const auto* at = reinterpret_cast<const std::byte*>(text.data());
  return {at, at + text.size()};
}

std::string text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

void append(Buffer& to, Bytes more) { to.insert(to.end(), more.begin(), more.end()); }

Packer& Packer::u32(std::uint32_t value) {
  std::byte raw[4];
  store(raw, foreign_ ? byteswap(value) : value);
  append(bytes_, raw);
  return *this;
}

Packer& Packer::u64(std::uint64_t value) {
  std::byte raw[8];
  store(raw, foreign_ ? byteswap(value) : value);
  append(bytes_, raw);
  return *this;
}

Packer& Packer::f64(double value) { return u64(std::bit_cast<std::uint64_t>(value)); }

Packer& Packer::text(std::string_view text) {
  append(bytes_, bytes_of(text));
  return *this;
}

Packer& Packer::padded(std::string_view text, std::size_t bytes) {
  const std::size_t end = bytes_.size() + bytes;
  append(bytes_, bytes_of(text.substr(0, bytes)));
  bytes_.resize(end);
  return *this;
}

Packer& Packer::fill(std::uint64_t value, std::size_t words) {
  for (; words > 0; --words) u64(value);
  return *this;
}

Buffer pack(Bytes plain, Codec codec) {
  switch (codec) {
    case Codec::kZlib: return deflated(plain);
    case Codec::kBzip2: return bzipped(plain);
    case Codec::kNone: break;
  }
  return {plain.begin(), plain.end()};
}

Buffer pack_cut(Bytes plain, Codec codec, std::span<const std::size_t> cuts) {
  Buffer out;
  std::size_t at = 0;
  for (const std::size_t cut : cuts) {
    append(out, pack(plain.subspan(at, cut - at), codec));
    at = cut;
  }
  append(out, pack(plain.subspan(at), codec));
  return out;
}

Buffer job_bytes(const JobParts& job, int minor, bool foreign) {
  Packer packer(foreign);
  packer.i64(job.uid).i64(job.start);
  if (minor >= 41) packer.i64(job.start_ns);
  packer.i64(job.end);
  if (minor >= 41) packer.i64(job.end_ns);
  packer.i64(job.nprocs).i64(job.job_id).padded(job.metadata, log::kMetadata).text(job.text);
  return packer.take();
}

Buffer name_bytes(std::span<const std::pair<std::uint64_t, std::string>> names, int minor, bool foreign) {
  Packer packer(foreign);
  for (const auto& [id, name] : names) {
    packer.u64(id);
    if (minor < 10) packer.u32(static_cast<std::uint32_t>(name.size())).text(name);
    else packer.text(name).text(std::string_view("\0", 1));
  }
  return packer.take();
}

LogParts& LogParts::with_usual_job() {
  job = pack(job_bytes({}, minor, foreign), codec);
  return *this;
}

LogParts& LogParts::with_names(std::span<const std::pair<std::uint64_t, std::string>> list) {
  names = pack(name_bytes(list, minor, foreign), codec);
  return *this;
}

LogParts& LogParts::with_module(std::size_t index, std::uint32_t version, Bytes plain) {
  modules[index] = {version, pack(plain, codec)};
  return *this;
}

Buffer LogParts::build() const {
  const bool old = minor < 41;
  const std::size_t slots = old ? 16 : 64;
  const std::size_t header_bytes = old ? 360 : 1328;
  Packer header(foreign);
  header.padded(version_text(minor), 8).u64(6567223);
  header.padded(std::string(1, static_cast<char>(codec)), old ? 4 : 8);
  if (old) header.u32(static_cast<std::uint32_t>(partial));
  else header.u64(partial);
  std::uint64_t at = header_bytes + job.size();
  header.u64(at).u64(names.size());
  at += names.size();
  for (std::size_t i = 0; i < slots; ++i) {
    const auto found = modules.find(i);
    header.u64(found == modules.end() ? 0 : at).u64(found == modules.end() ? 0 : found->second.packed.size());
    if (found != modules.end()) at += found->second.packed.size();
  }
  for (std::size_t i = 0; i < slots; ++i) {
    const auto found = modules.find(i);
    header.u32(found == modules.end() ? 0 : found->second.version);
  }
  Buffer file = header.take();
  if (file.size() != header_bytes) throw std::runtime_error("the header has a wrong size");
  append(file, job);
  append(file, names);
  for (const auto& [index, module] : modules) append(file, module.packed);
  return file;
}

void fixed_record(Packer& to, std::uint64_t id, std::int64_t rank, std::size_t words, std::uint64_t first) {
  to.u64(id).i64(rank);
  for (std::size_t i = 0; i < words; ++i) to.u64(first + i);
}

void trace_record(Packer& to, std::uint64_t id, std::int64_t writes, std::int64_t reads, bool thread) {
  to.u64(id).i64(3).i64(0).padded("node1", 64).i64(writes).i64(reads);
  for (std::int64_t i = 0; i < writes + reads; ++i) {
    to.i64(1000 + i).i64(8).f64(static_cast<double>(i)).f64(static_cast<double>(i) + 0.5);
    if (thread) to.u64(42);
  }
}

}  // namespace trikal::testing
