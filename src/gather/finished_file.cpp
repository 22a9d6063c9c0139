#include "gather/finished_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/hash.hpp"
#include "gather/compact_map.hpp"

namespace trikal::gather {
namespace {

using log::crash::MapView;

struct EntryHead {
  std::uint64_t mark = 0;
  std::uint64_t bytes = 0;  // of the entry, this included
  std::uint64_t base = 0;   // where the entry begins that it is compared with
  std::uint32_t is_base = 0;
  std::uint32_t checksum = 0;  // of what follows
};
static_assert(sizeof(EntryHead) == 32);

constexpr std::uint64_t kMark = 0x454e4f444c4b5254ULL;  // "TRKLDONE"
constexpr std::uint64_t kNoBase = UINT64_MAX;
constexpr std::uint64_t kLargestEntry = std::uint64_t{1} << 30;
constexpr std::size_t kLargestMap = std::size_t{1} << 30;
constexpr std::size_t kMostBases = 1024;  // that a reader keeps, whatever the file says

bool read_at(int descriptor, std::byte* into, std::size_t bytes, std::uint64_t at) {
  for (std::size_t done = 0; done < bytes;) {
    const ssize_t got = ::pread(descriptor, into + done, bytes - done, static_cast<off_t>(at + done));
    if (got == 0 || (got < 0 && errno != EINTR)) return false;
    if (got > 0) done += static_cast<std::size_t>(got);
  }
  return true;
}

// What is there instead of a map that cannot be read.
std::vector<std::byte> empty_map() {
  std::vector<std::byte> map(log::crash::kHeaderBytes);
  auto* header = new (map.data()) log::crash::Header;
  header->magic = log::crash::kMagic;
  header->layout = log::crash::kLayout;
  header->header_bytes = log::crash::kHeaderBytes;
  header->used.store(map.size(), std::memory_order_relaxed);
  return map;
}

}  // namespace

FinishedWriter::~FinishedWriter() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool FinishedWriter::open() {
  if (descriptor_ >= 0) return true;
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
  struct stat status{};
  if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0) return false;
  size_ = static_cast<std::uint64_t>(status.st_size);  // another `trikal run` of the same job may have begun it
  return true;
}

bool FinishedWriter::write(const std::vector<std::byte>& entry) {
  if (entry.size() > most_ - std::min(size_, most_)) return false;
  const ssize_t written = ::write(descriptor_, entry.data(), entry.size());
  if (written == static_cast<ssize_t>(entry.size())) return size_ += entry.size(), true;
  [[maybe_unused]] const int cut = ::ftruncate(descriptor_, static_cast<off_t>(size_));
  return false;
}

bool FinishedWriter::append(const MapView& map) {
  if (full_ || !open()) return false;
  std::vector<std::byte> image = trimmed(map), entry(sizeof(EntryHead));
  const std::string_view program = map.program();
  const auto known = bases_.find(program);
  const bool is_base = known == bases_.end() && bases_.size() < kMostBases && image.size() <= kLargestBase;
  put_difference(image, known != bases_.end() ? Bytes(known->second.map) : Bytes{}, entry);
  const EntryHead head{.mark = kMark,
                       .bytes = entry.size(),
                       .base = known != bases_.end() ? known->second.at : kNoBase,
                       .is_base = is_base ? 1U : 0U,
                       .checksum = crc32c(Bytes(entry).subspan(sizeof(EntryHead)))};
  store(entry.data(), head);
  const std::uint64_t at = size_;
  if (!write(entry)) return full_ = true, false;
  if (is_base) bases_.emplace(program, Base{at, std::move(image)});
  return true;
}

std::unique_ptr<FinishedFile> FinishedFile::open(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return nullptr;
  std::unique_ptr<FinishedFile> file(new FinishedFile(path, descriptor));
  struct stat status{};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) || status.st_uid != ::geteuid()) return nullptr;
  file->read_entries();
  return file;
}

FinishedFile::~FinishedFile() { ::close(descriptor_); }

void FinishedFile::read_entries() {
  std::vector<std::byte> map;
  EntryHead head;
  for (std::uint64_t at = 0; read_at(descriptor_, reinterpret_cast<std::byte*>(&head), sizeof head, at);) {
    const Entry entry{at, head.bytes, head.base};
    if (head.mark != kMark || head.bytes < sizeof head || head.bytes > kLargestEntry || !read_map(entry, map)) return;
    entries_.push_back(entry);
    if (head.is_base != 0 && bases_.size() < kMostBases) bases_.emplace(at, map);
    at += head.bytes;
  }
}

bool FinishedFile::read_map(const Entry& entry, std::vector<std::byte>& map) {
  std::vector<std::byte> bytes(entry.bytes);
  if (!read_at(descriptor_, bytes.data(), bytes.size(), entry.at)) return false;
  const auto head = load<EntryHead>(bytes.data());
  const Bytes difference = Bytes(bytes).subspan(sizeof head);
  const auto base = bases_.find(entry.base);
  if ((entry.base != kNoBase && base == bases_.end()) || crc32c(difference) != head.checksum) return false;
  auto whole = with_difference(base != bases_.end() ? Bytes(base->second) : Bytes{}, difference, kLargestMap);
  if (!whole || !MapView::open(*whole)) return false;
  map = std::move(*whole);
  return true;
}

// The one that was fetched first of those that nobody uses.
FinishedFile::Cached& FinishedFile::free_slot() {
  const auto unused = std::ranges::find(cache_, 0U, &Cached::pins);
  if (cache_.size() >= kCached && unused != cache_.end()) cache_.erase(unused);
  return cache_.emplace_back();
}

log::crash::MapPin FinishedFile::fetch(std::size_t entry) {
  for (Cached& cached : cache_) {
    if (cached.entry == entry) return log::crash::MapPin(&*cached.view, &cached.pins);
  }
  Cached& slot = free_slot();
  slot.entry = entry;
  if (!read_map(entries_[entry], slot.bytes)) slot.bytes = empty_map();
  slot.view = *MapView::open(slot.bytes);
  return log::crash::MapPin(&*slot.view, &slot.pins);
}

}  // namespace trikal::gather
