#include "log/write/writer.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/hash.hpp"
#include "log/write/extension_modules.hpp"

namespace trikal::log {
namespace {

Error misuse(const char* what) { return {.code = ErrorCode::kUsage, .what = what}; }
Error system_error(const char* what) { return {.code = ErrorCode::kSystem, .sys_errno = errno, .what = what}; }

void store_extent(std::byte* at, const Extent& extent) {
  store(at, extent.offset);
  store(at + 8, extent.length);
}

}  // namespace

Status Writer::settle(Status status) {
  if (!status && health_) health_ = status;
  return status;
}

Status Writer::create(const WriteTarget& target, const WriteOptions& options) {
  if (phase_ != Phase::kClosed || !health_) return misuse("a writer writes one log");
  if (memory_.output.empty()) return misuse("a writer needs a buffer");
  target_ = target, options_ = options;
  calls_ = options.calls != nullptr ? options.calls : &system_calls();
  const Status chosen = choose_encoder();
  if (!chosen) return settle(chosen);
  const Status opened = open_target();
  if (!opened) return settle(opened);
  output_.attach(*calls_, descriptor_, memory_.output, NewHeader::kBytes, options_.size_limit);
  packer_.attach(output_, options_.encoder);
  phase_ = Phase::kJob;
  return {};
}

Status Writer::choose_encoder() {
  if (options_.encoder.ready()) return {};
  auto zlib = make_zlib_encoder(memory_.encoder, options_.level);
  if (!zlib) return zlib.error();
  options_.encoder = *zlib;
  return {};
}

Status Writer::open_target() {
  if (target_.descriptor >= 0) {
    descriptor_ = target_.descriptor;
    return {};
  }
  const bool direct = target_.temporary == nullptr;
  const int existing = direct && target_.replace ? O_TRUNC : O_EXCL;
  const char* path = direct ? target_.path : target_.temporary;
  do {
    descriptor_ = calls_->open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | existing, target_.mode);
  } while (descriptor_ < 0 && errno == EINTR);
  if (descriptor_ < 0) return system_error("cannot create the log");
  created_ = true;
  return {};
}

Status Writer::begin_region(std::uint64_t region) {
  if (!health_) return health_;
  region_ = region, region_start_ = output_.offset(), region_plain_ = 0;
  region_first_stream_ = stream_count_, region_indexed_ = true;
  return {};
}

// Rows of the trailer may refer to it.
void Writer::keep_command(std::string_view command) noexcept {
  if (command.empty() || command.size() > memory_.rows.size() / 2) return;
  std::memcpy(memory_.rows.data(), command.data(), command.size());
  command_ = {reinterpret_cast<const char*>(memory_.rows.data()), command.size()};
}

Result<JobFit> Writer::put_job(const JobNumbers& numbers, const JobText& text) {
  if (!health_) return health_.error();
  if (phase_ != Phase::kJob) return misuse("the job comes first, and once");
  const JobRegion job(numbers, text);
  keep_command(job.command());
  Status done = begin_region(kJobRegionNumber);
  phase_ = Phase::kInJob;
  if (done) done = append(job.bytes());
  if (done) done = end_stream();
  phase_ = Phase::kNames;
  if (!done) return done.error();
  return job.fit();
}

Status Writer::begin_names() {
  if (!health_) return health_;
  if (phase_ != Phase::kNames) return misuse("the names come right behind the job");
  phase_ = Phase::kInNames;
  return begin_region(kNamesRegion);
}

Status Writer::put_name(std::uint64_t id, std::string_view name) {
  if (!health_) return health_;
  if (phase_ != Phase::kInNames) return misuse("a name outside of the names");
  constexpr std::byte kNul[1] = {};
  std::byte head[8];
  store(head, id);
  name = name.substr(0, name.find('\0'));
  Status done = append(head);
  if (done) done = append(std::as_bytes(std::span{name.data(), name.size()}));
  return done ? append(kNul) : done;
}

Status Writer::begin_module(ModuleId module, std::uint32_t version) {
  if (!health_) return health_;
  if (phase_ != Phase::kModules) return misuse("modules come behind the names, one after the other");
  if (module >= kModuleSlots || module <= last_module_ || version == 0)
    return misuse("modules come in ascending order");
  last_module_ = module;
  versions_[module] = version;
  phase_ = Phase::kInModule;
  return begin_region(module);
}

Status Writer::begin_module(const ModuleSchema& schema, std::uint32_t version) {
  if (!can_store(schema)) return misuse("a log without a trailer cannot hold this module");
  const Status begun = begin_module(schema.id, version);
  if (begun && schema.id >= kKnownModules) extensions_[schema.id] = &schema;
  return begun;
}

Status Writer::in_region() const {
  if (!health_) return health_;
  const bool inside = phase_ == Phase::kInJob || phase_ == Phase::kInNames || phase_ == Phase::kInModule;
  if (!inside) return misuse("bytes outside of a region");
  return {};
}

Status Writer::append(Bytes plain) {
  const Status ready = in_region();
  if (!ready) return ready;
  while (!plain.empty()) {
    if (!packer_.open()) {
      stream_start_ = output_.offset();
      const Status begun = settle(packer_.begin());
      if (!begun) return begun;
    }
    const std::uint64_t space =
        options_.stream_bytes > 0 ? options_.stream_bytes - packer_.plain_bytes() : plain.size();
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(space, plain.size()));
    const Status done = settle(packer_.append(plain.first(count)));
    if (!done) return done;
    plain = plain.subspan(count);
    if (packer_.plain_bytes() == options_.stream_bytes) {
      const Status ended = end_stream();
      if (!ended) return ended;
    }
  }
  return {};
}

Status Writer::end_stream() {
  if (!health_) return health_;
  if (!packer_.open()) return {};
  const Status ended = settle(packer_.end());
  if (ended) note_stream({stream_start_, output_.offset() - stream_start_}, packer_.plain_bytes());
  return ended;
}

// A region is in the index with all of its streams, or not at all.
void Writer::note_stream(Extent packed, std::uint64_t plain_bytes) {
  if (region_indexed_ && stream_count_ < memory_.streams.size()) {
    memory_.streams[stream_count_++] = {region_, packed, {region_plain_, plain_bytes}};
  } else {
    region_indexed_ = false;
    stream_count_ = region_first_stream_;
  }
  region_plain_ += plain_bytes;
}

Status Writer::append_stream(Bytes packed, std::uint64_t plain_bytes) {
  Status done = in_region();
  if (done) done = end_stream();
  if (!done) return done;
  const Extent extent{output_.offset(), packed.size()};
  done = settle(output_.append(packed));
  if (done) note_stream(extent, plain_bytes);
  return done;
}

Status Writer::reserve_stream(std::uint64_t packed_bytes, std::uint64_t plain_bytes) {
  Status done = in_region();
  if (done) done = end_stream();
  if (!done) return done;
  const Extent extent{output_.offset(), packed_bytes};
  done = settle(output_.skip(packed_bytes));
  if (done) note_stream(extent, plain_bytes);
  return done;
}

Status Writer::end_region() {
  Status done = in_region();
  if (done) done = end_stream();
  if (!done) return done;
  const Extent extent{region_start_, output_.offset() - region_start_};
  if (phase_ == Phase::kInNames) names_ = extent;
  else modules_[region_] = extent;
  phase_ = Phase::kModules;
  return {};
}

TrailerWriter* Writer::trailer() {
  if (!health_ || !options_.trailer) return nullptr;
  if (phase_ == Phase::kTrailer) return &trailer_;
  const MutableBytes rows = memory_.rows.subspan(command_.size());
  if (phase_ != Phase::kModules || !settle(trailer_.begin(output_, packer_, rows, command_))) return nullptr;
  phase_ = Phase::kTrailer;
  return &trailer_;
}

// Where a region of one stream lies is in the header.
std::size_t Writer::drop_single_streams() {
  const std::span all = memory_.streams.first(stream_count_);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool with_next = i + 1 < all.size() && all[i + 1].region == all[i].region;
    if (with_next || all[i].plain.offset > 0) all[kept++] = all[i];
  }
  return kept;
}

Status Writer::put_streams_section() {
  stream_count_ = drop_single_streams();
  if (stream_count_ == 0) return {};
  Status done = trailer_.begin_section(kStreamsSection);
  for (const StreamEntry& stream : memory_.streams.first(stream_count_)) {
    for (const std::uint64_t value :
         {stream.region, stream.packed.offset, stream.packed.length, stream.plain.offset, stream.plain.length}) {
      if (done) done = trailer_.put_u64(value);
    }
  }
  return done ? trailer_.end_section() : done;
}

Status Writer::put_extensions() {
  std::array<ExtensionRegion, kModuleSlots> regions{};
  for (std::size_t i = 0; i < kModuleSlots; ++i) regions[i] = {extensions_[i], versions_[i], modules_[i]};
  return put_extension_modules(trailer_, regions);
}

Status Writer::put_trailer(Bytes header) {
  if (trailer() == nullptr) return health_;
  Status done = put_extensions();
  if (done) done = put_streams_section();
  return done ? trailer_.finish(crc32c(header)) : done;
}

Status Writer::finish(std::uint64_t partial) {
  if (!health_) return health_;
  if (phase_ == Phase::kNames) {  // no names: their offset is set all the same, or the job would have no end
    const Status done = begin_names();
    if (!done || !end_region()) return health_;
  }
  if (phase_ != Phase::kModules && phase_ != Phase::kTrailer) return misuse("a log is finished behind its regions");
  const auto header = header_bytes(partial);
  Status done = options_.trailer ? put_trailer(header) : Status{};
  if (done) done = output_.flush();
  if (done) done = output_.write_at(0, header);
  if (done) done = publish();
  if (!done) return settle(done);
  phase_ = Phase::kClosed;
  health_ = misuse("this log is finished");
  return {};
}

Status Writer::publish() {
  if (target_.descriptor >= 0) return {};
  const int closed = calls_->close(descriptor_);
  descriptor_ = -1;
  // A file system across the net may say only now that it was full. After EINTR it is closed too.
  if (closed != 0 && errno != EINTR) return system_error("cannot write the log");
  if (target_.temporary != nullptr) {
    const auto rename = target_.replace ? calls_->rename : calls_->rename_new;
    while (rename(target_.temporary, target_.path) != 0) {
      const char* another = errno == EEXIST && target_.another != nullptr ? target_.another(target_.context) : nullptr;
      if (another == nullptr) return system_error("cannot give the log its name");
      target_.path = another;
    }
  }
  created_ = false;
  return {};
}

void Writer::abandon() {
  if (descriptor_ >= 0 && target_.descriptor < 0) calls_->close(descriptor_);
  descriptor_ = -1;
  if (created_) calls_->unlink(target_.temporary != nullptr ? target_.temporary : target_.path);
  created_ = false;
  phase_ = Phase::kClosed;
  if (health_) health_ = misuse("this log was abandoned");
}

std::array<std::byte, NewHeader::kBytes> Writer::header_bytes(std::uint64_t partial) const {
  using At = NewHeader;
  std::array<std::byte, At::kBytes> header{};
  std::memcpy(header.data(), kNewestVersion, std::strlen(kNewestVersion));
  store(header.data() + At::kMagicAt, kMagic);
  store(header.data() + At::kCodecAt, static_cast<std::uint8_t>(packer_.codec()));
  store(header.data() + At::kPartialAt, partial);
  store_extent(header.data() + At::kNamesAt, names_);
  for (std::size_t i = 0; i < At::kModules; ++i) {
    if (extensions_[i] != nullptr) continue;
    store_extent(header.data() + At::kMapAt + 16 * i, modules_[i]);
    store(header.data() + At::kVersionsAt + 4 * i, versions_[i]);
  }
  return header;
}

}  // namespace trikal::log
