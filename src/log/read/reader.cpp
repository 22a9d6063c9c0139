#include "log/read/reader.hpp"

#include <algorithm>
#include <thread>

#include "base/hash.hpp"
#include "log/read/extension_modules.hpp"
#include "log/read/name_region.hpp"
#include "log/read/parallel_region.hpp"
#include "log/read/restored_items.hpp"
#include "modules/list.hpp"

namespace trikal::log {
namespace {

// More would only wait for the one who uses the bytes.
constexpr unsigned kMostThreads = 8;

// Ends at damage instead of failing, and tells the reader; also tells of bytes behind the last record.
class CarefulStream final : public RecordStream {
 public:
  CarefulStream(std::unique_ptr<RecordStream> stream, const RecordOrigin& origin, Reader& reader)
      : RecordStream(origin), stream_(std::move(stream)), reader_(reader) {}

  Result<bool> next(Batch& batch) override {
    if (ended_) return false;
    auto more = stream_->next(batch);
    records_read_ = stream_->records_read();
    leftover_ = stream_->leftover_bytes();
    file_offset_ = stream_->file_offset();
    if (more && *more) return true;
    ended_ = true;
    const std::string where(schema().name);
    if (!more) {
      if (!reader_.options().salvage) return more.error();
      reader_.note({.where = where, .error = more.error(), .salvaged = records_read_});
    } else if (leftover_ > 0) {
      const Error error{
          .code = ErrorCode::kTruncated, .offset = file_offset_, .what = "the region ends inside a record"};
      reader_.note({.where = where, .error = error, .salvaged = records_read_});
    }
    return false;
  }

 private:
  std::unique_ptr<RecordStream> stream_;
  Reader& reader_;
  bool ended_ = false;
};

}  // namespace

Result<std::unique_ptr<Reader>> Reader::open(std::unique_ptr<Source> source, const ReadOptions& options) {
  std::unique_ptr<Reader> reader(new Reader(std::move(source), options));
  auto header = read_header(*reader->source_);
  if (!header) return header.error();
  reader->header_ = *header;
  const Status fits = check_extents(*header, reader->source_->size());
  if (!fits) {
    if (!options.salvage) return fits.error();
    clip_extents(reader->header_, reader->source_->size());
    reader->note({.where = "file", .error = fits.error()});
  }
  add_extension_modules(*reader->source_, reader->header_);
  const Status job = reader->load_job();
  if (!job) {
    if (!options.salvage) return job.error();
    reader->note({.where = "job", .error = job.error()});
  }
  return reader;
}

std::unique_ptr<BlockStream> Reader::open_extent(const Extent& extent, std::uint64_t region) {
  if (!options_.threads || extent.length < options_.ahead_bytes) {
    return open_region(*source_, extent, header_.codec, options_.limits);
  }
  const unsigned threads = std::min(std::thread::hardware_concurrency(), kMostThreads);
  if (threads > 1 && trailer() != nullptr) {
    std::vector<StreamEntry> streams = streams_.of(region, extent);
    const bool within = streams.size() > 1 && streams.back().plain.offset <= options_.limits.expanded &&
                        streams.back().plain.length <= options_.limits.expanded - streams.back().plain.offset;
    if (within) {
      auto stream = open_parallel(*source_, extent, header_.codec, options_.limits, std::move(streams), threads);
      if (stream != nullptr) return stream;
    }
  }
  return read_ahead(open_region(*source_, extent, header_.codec, options_.limits));
}

std::unique_ptr<BlockStream> Reader::plain_bytes(ModuleId module) {
  return open_extent(header_.modules[module], module);
}

const Trailer* Reader::trailer() {
  std::call_once(trailer_once_, [this] { load_trailer(); });
  return trailer_ ? &*trailer_ : nullptr;
}

// Damage in the trailer never keeps anybody from reading the log.
void Reader::load_trailer() {
  auto found = Trailer::read(*source_, end_of_regions(header_), options_.limits, job_.exe);
  if (!found) return note({.where = "trailer", .error = found.error()});
  trailer_ = std::move(*found);
  if (!trailer_) return;
  for (const std::string& module : unknown_extension_modules(*trailer_)) {
    const Error error{.code = ErrorCode::kUnsupported, .what = "records of a module this tool does not know"};
    note({.severity = Damage::Severity::kNote, .where = module, .error = error});
  }
  std::vector<std::byte> raw(header_.bytes);
  auto got = source_->read_at(0, raw);
  if (!got || *got < raw.size() || crc32c(raw) != trailer_->header_crc()) {
    const Error error{
        .code = ErrorCode::kDamaged, .offset = 0, .what = "the header is not the one the log was written with"};
    return note({.where = "header", .error = error});
  }
  const Status loaded = streams_.load(*trailer_);
  if (!loaded) note({.severity = Damage::Severity::kNote, .where = "trailer", .error = loaded.error()});
}

Status Reader::load_job() {
  // What a crash file (which is not compressed) has behind the text is none of the job's.
  ByteReader bytes(open_region(*source_, header_.job, header_.codec, options_.limits));
  std::vector<std::byte> plain(kJobRegion);
  auto got = bytes.read(plain);
  if (!got) return got.error();
  plain.resize(*got);
  const auto beyond = header_.codec == Codec::kNone ? Result<Bytes>(Bytes{}) : bytes.peek();
  auto parsed = parse_job(plain, header_);
  if (!parsed) return parsed.error();
  job_ = std::move(parsed->job);
  if (beyond && !beyond->empty()) {
    return Error{
        .code = ErrorCode::kDamaged, .offset = header_.job.offset, .what = "the job region holds more than a job"};
  }
  if (parsed->odd_mount_lines > 0) {
    const Error error{
        .code = ErrorCode::kDamaged, .offset = header_.job.offset, .what = "a line of the mount table is unreadable"};
    note({.severity = Damage::Severity::kNote, .where = "job", .error = error});
  }
  return {};
}

Result<const NameTable*> Reader::names() {
  if (!names_loaded_) {
    names_loaded_ = true;
    ByteReader bytes(open_extent(header_.names, kNamesRegion));
    names_read_ = read_names(bytes, header_, options_.limits, names_);
    if (!names_read_ && options_.salvage) {
      note({.where = "names", .error = names_read_.error(), .salvaged = names_.entries().size()});
      names_read_ = {};
    }
  }
  if (!names_read_) return names_read_.error();
  return &names_;
}

std::vector<ModuleId> Reader::modules() const {
  std::vector<ModuleId> ids;
  for (std::size_t i = 0; i < kModuleSlots; ++i) {
    const ModuleFormat* format = find_module(static_cast<ModuleId>(i));
    const bool readable = format != nullptr && format->form(header_.module_versions[i]) != nullptr;
    if (readable && header_.modules[i].length > 0) ids.push_back(static_cast<ModuleId>(i));
  }
  return ids;
}

Result<std::unique_ptr<RecordStream>> Reader::records(ModuleId module) {
  if (module >= kModuleSlots || header_.modules[module].length == 0) {
    return Error{.code = ErrorCode::kMissing, .what = "the log has no data of this module"};
  }
  const ModuleFormat* format = find_module(module);
  if (format == nullptr) return Error{.code = ErrorCode::kUnsupported, .what = "a module this tool does not know"};
  const Form* form = format->form(header_.module_versions[module]);
  if (form == nullptr) {
    return Error{.code = ErrorCode::kUnsupported,
                 .offset = header_.modules[module].offset,
                 .what = "a version of this module's records that this tool does not know"};
  }
  const RecordOrigin origin{format, form, header_.foreign, options_.limits.memory};
  auto stream = make_record_stream(open_extent(header_.modules[module], module), origin);
  const Trailer* narrow = form->widen != nullptr ? trailer() : nullptr;
  if (narrow != nullptr) {
    const auto tell = [this](const Error& error) { note({.where = "trailer", .error = error}); };
    stream = restore_items(std::move(stream), origin, *narrow, tell);
  }
  return std::unique_ptr<RecordStream>(std::make_unique<CarefulStream>(std::move(stream), origin, *this));
}

std::vector<Damage> Reader::damage() const {
  const std::lock_guard lock(mutex_);
  return damage_;
}

Status Reader::tolerate(std::string where, const Error& error) {
  if (!options_.salvage) return error;
  note({.where = std::move(where), .error = error});
  return {};
}

void Reader::note(Damage damage) {
  const std::lock_guard lock(mutex_);
  // A region that is read twice has its damage told once.
  const bool known = std::ranges::any_of(damage_, [&](const Damage& d) {
    return d.where == damage.where && d.error.offset == damage.error.offset && d.error.code == damage.error.code;
  });
  if (!known) damage_.push_back(std::move(damage));
}

}  // namespace trikal::log
