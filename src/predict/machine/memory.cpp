#include "predict/machine/memory.hpp"

#include <algorithm>
#include <cstring>

namespace trikal::predict {
namespace {

constexpr Word kWholePages = 64;  // from so many pages on, forgetting is a note instead of bytes

Word page_number(Word address) { return address / Memory::kPageBytes; }
std::size_t offset_in_page(Word address) { return address % Memory::kPageBytes; }

}  // namespace

Memory::PagePointer Memory::made(Word page) const {
  auto fresh = std::make_shared<Page>();
  auto after = forgotten_.upper_bound(page);
  if (after == forgotten_.begin()) return fresh;
  const auto& [end, cause] = std::prev(after)->second;
  if (page >= end) return fresh;
  fresh->unknown.set();
  fresh->all_known = false;
  fresh->causes.fill(cause);
  return fresh;
}

const Memory::Page* Memory::page_of(Word address) const {
  const Word number = page_number(address);
  if (number == near_number_) return near_;
  const auto found = pages_.find(number);
  if (found == pages_.end()) return nullptr;
  near_number_ = number;
  return near_ = found->second.get();
}

Memory::Page& Memory::writable(Word page) {
  const std::uint64_t epoch = epochs_.empty() ? 0 : epochs_.back();
  if (page == near_number_ && near_->epoch >= epoch) return *const_cast<Page*>(near_);
  PagePointer& here = pages_[page];
  if (!here) {
    if (!epochs_.empty()) journal_.push_back({page, nullptr});
    here = made(page);
    here->epoch = epoch;
  } else if (here->epoch < epoch) {
    journal_.push_back({page, here});
    here = std::make_shared<Page>(*here);
    here->epoch = epoch;
  }
  near_number_ = page, near_ = here.get();
  return *here;
}

Value Memory::load(Word address, unsigned bytes) const {
  Value value;
  tell_read(address, bytes);
  if (offset_in_page(address) + bytes <= kPageBytes && bytes <= 8) {
    if (const Page* page = page_of(address); page != nullptr && page->all_known) {
      std::memcpy(&value.bits, page->data.data() + offset_in_page(address), bytes);
      return value;
    }
  }
  for (unsigned i = 0; i < bytes;) {
    const Page* page = page_of(address + i);
    const std::size_t at = offset_in_page(address + i);
    const unsigned here = static_cast<unsigned>(std::min<Word>(bytes - i, kPageBytes - at));
    if (page == nullptr) {
      if (const Cause cause = cause_at(address + i); cause != kKnown) return Value::unknown(cause);
    } else {
      for (unsigned k = 0; k < here; ++k) {
        if (page->unknown[at + k]) return Value::unknown(page->causes[(at + k) / 8]);
        if (!page->doubts.empty() && page->doubts[at + k] != 0) seen = value.doubt = page->doubts[at + k];
        if (i + k < 8) value.bits |= Word{page->data[at + k]} << (8 * (i + k));
      }
    }
    i += here;
  }
  return value;
}

void Memory::set_doubt(Page& page, std::size_t at, std::size_t bytes, Doubt doubt) {
  if (doubt == 0 && page.doubts.empty()) return;
  page.all_known = false;  // a quick look does not see it
  page.doubts.resize(kPageBytes);
  std::fill_n(page.doubts.begin() + static_cast<std::ptrdiff_t>(at), bytes, doubt);
}

void Memory::put(Word address, std::uint8_t byte, Cause cause, Doubt doubt) {
  Page& page = writable(page_number(address));
  const std::size_t at = offset_in_page(address);
  page.data[at] = byte;
  set_doubt(page, at, 1, doubt);
  if (cause == kKnown && page.all_known) return;
  page.unknown[at] = cause != kKnown;
  if (cause != kKnown) page.causes[at / 8] = cause, page.all_known = false;
}

void Memory::store(Word address, unsigned bytes, Value value) {
  tell(address, bytes);
  const Doubt doubt = value.doubt != 0 ? value.doubt : doubt_of_writing();
  if (value.known() && doubt == 0 && offset_in_page(address) + bytes <= kPageBytes && bytes <= 8) {
    if (Page& page = writable(page_number(address)); page.all_known) {
      std::memcpy(page.data.data() + offset_in_page(address), &value.bits, bytes);
      return;
    }
  }
  for (unsigned i = 0; i < bytes; ++i)
    put(address + i, i < 8 ? static_cast<std::uint8_t>(value.bits >> (8 * i)) : std::uint8_t{0}, value.cause, doubt);
}

void Memory::write(Word address, const void* data, std::size_t bytes) {
  tell(address, bytes);
  const auto* from = static_cast<const std::uint8_t*>(data);
  while (bytes > 0) {
    Page& page = writable(page_number(address));
    const std::size_t at = offset_in_page(address), here = std::min<std::size_t>(bytes, kPageBytes - at);
    std::memcpy(page.data.data() + at, from, here);
    for (std::size_t i = 0; !page.all_known && i < here; ++i) page.unknown[at + i] = false;
    set_doubt(page, at, here, doubt_of_writing());
    address += here, from += here, bytes -= here;
  }
}

void Memory::fill(Word address, Word bytes, std::uint8_t byte) {
  tell(address, bytes);
  std::array<std::uint8_t, kPageBytes> piece;
  piece.fill(byte);
  for (Word done = 0; done < bytes;) {
    const Word here = std::min<Word>(bytes - done, kPageBytes - offset_in_page(address + done));
    const bool needless =
        byte == 0 && doubt_of_writing() == 0 && untouched(address + done) && cause_at(address + done) == kKnown;
    if (!needless) write(address + done, piece.data(), here);
    done += here;
    if (done >= Word{1} << 26) return;  // what a loop would read of the rest is as good as zero
  }
}

void Memory::forget_in_page(Word address, Word bytes, Cause cause) {
  Page& page = writable(page_number(address));
  page.all_known = false;
  for (std::size_t at = offset_in_page(address), end = at + bytes; at < end; ++at)
    page.unknown[at] = true, page.causes[at / 8] = cause;
}

void Memory::forget(Word address, Word bytes, Cause cause) {
  tell(address, bytes);
  const Word end = address + bytes;
  if (bytes >= kWholePages * kPageBytes && epochs_.empty()) {
    const Word first = page_number(address + kPageBytes - 1), behind = page_number(end);
    near_number_ = ~Word{0};
    if (behind - first < pages_.size())
      for (Word page = first; page < behind; ++page) pages_.erase(page);
    else std::erase_if(pages_, [&](const auto& entry) { return entry.first >= first && entry.first < behind; });
    forgotten_[first] = {behind, cause};
    forget(address, first * kPageBytes - address, cause);
    forget(behind * kPageBytes, end - behind * kPageBytes, cause);
    return;
  }
  constexpr Word kMost = Word{1} << 24;  // while two ways are tried, which costs a copy of each page
  for (Word done = 0; done < std::min(bytes, kMost);) {
    const Word here = std::min<Word>(bytes - done, kPageBytes - offset_in_page(address + done));
    forget_in_page(address + done, here, cause);
    done += here;
  }
}

void Memory::copy(Word to, Word from, Word bytes) {
  constexpr Word kMost = Word{1} << 24;
  tell(to, bytes);
  std::vector<Value> taken(std::min(bytes, kMost));
  for (Word i = 0; i < taken.size(); ++i) taken[i] = load(from + i, 1);
  for (Word i = 0; i < taken.size(); ++i)
    put(to + i, static_cast<std::uint8_t>(taken[i].bits), taken[i].cause,
        taken[i].doubt != 0 ? taken[i].doubt : in_doubt);
}

Word Memory::digest(Word address, Word bytes) const {
  Word sum = 0xcbf29ce484222325 + bytes;
  for (Word i = 0; i < bytes;) {
    const auto here = static_cast<unsigned>(std::min<Word>(8, bytes - i));
    const Value word = load(address + i, here);
    if (!word.known()) return 0;
    sum = (sum ^ word.bits) * 0x9e3779b97f4a7c15;
    sum ^= sum >> 29;
    i += here;
  }
  return sum | 1;
}

bool Memory::read(Word address, void* data, std::size_t bytes) const {
  auto* to = static_cast<std::uint8_t*>(data);
  for (std::size_t i = 0; i < bytes; ++i) {
    const Value byte = load(address + i, 1);
    if (!byte.known()) return false;
    to[i] = static_cast<std::uint8_t>(byte.bits);
  }
  return true;
}

bool Memory::text(Word address, std::string& out, Cause* cause) const {
  constexpr std::size_t kLongest = 1 << 20;
  out.clear();
  while (out.size() < kLongest) {
    const Value byte = load(address + out.size(), 1);
    if (!byte.known()) {
      if (cause != nullptr) *cause = byte.cause;
      return false;
    }
    if (byte.bits == 0) return true;
    out.push_back(static_cast<char>(byte.bits));
  }
  return false;
}

Cause Memory::cause_at(Word address) const {
  if (const Page* page = page_of(address))
    return page->unknown[offset_in_page(address)] ? page->causes[offset_in_page(address) / 8] : kKnown;
  const auto after = forgotten_.upper_bound(page_number(address));
  if (after == forgotten_.begin()) return kKnown;
  const auto& [end, cause] = std::prev(after)->second;
  return page_number(address) < end ? cause : kKnown;
}

bool Memory::untouched(Word address) const { return page_of(address) == nullptr && cause_at(address) == kKnown; }

void Memory::keep_extent(Word address, Word bytes) {
  const auto found = extents_.find(address);
  if (found != extents_.end() && found->second == bytes) return;
  extents_.erase(extents_.lower_bound(address), extents_.lower_bound(address + std::max<Word>(1, bytes)));
  extents_[address] = bytes;
}

std::optional<Memory::Range> Memory::extent_around(Word address) const {
  auto found = extents_.upper_bound(address);
  if (found == extents_.begin() || (--found)->first + found->second <= address) return std::nullopt;
  return Range{found->first, found->second};
}

std::size_t Memory::begin_journal() {
  near_number_ = ~Word{0};
  epochs_.push_back(++next_epoch_);
  return journal_.size();
}

Memory::Pages Memory::roll_back(std::size_t mark) {
  Pages now;
  near_number_ = ~Word{0};
  for (std::size_t i = journal_.size(); i > mark; --i) {
    const Entry& entry = journal_[i - 1];
    now.try_emplace(entry.page, pages_[entry.page]);
    if (entry.before) pages_[entry.page] = entry.before;
    else pages_.erase(entry.page);
  }
  epochs_.pop_back();
  journal_.resize(mark);
  return now;
}

void Memory::adopt(const Pages& pages) {
  for (const auto& [number, page] : pages) {
    Page& to = writable(number);
    const std::uint64_t epoch = to.epoch;
    to = *page;
    to.epoch = epoch;
  }
  near_number_ = ~Word{0};
}

void Memory::merge(const Pages& one, const Pages& other, Cause cause) {
  Pages all = one;
  all.insert(other.begin(), other.end());
  for (const auto& [number, unused] : all) {
    const auto in_one = one.find(number), in_other = other.find(number);
    const PagePointer before = pages_.contains(number) ? pages_[number] : made(number);
    const Page& a = in_one == one.end() || !in_one->second ? *before : *in_one->second;
    const Page& b = in_other == other.end() || !in_other->second ? *before : *in_other->second;
    Page& to = writable(number);
    for (std::size_t i = 0; i < kPageBytes; ++i) {
      const bool lost = a.unknown[i], other_lost = b.unknown[i];  // `to` may be one of them
      const bool same = lost == other_lost && (lost || a.data[i] == b.data[i]);
      const Cause why = lost ? a.causes[i / 8] : other_lost ? b.causes[i / 8] : cause;
      to.data[i] = a.data[i];
      to.unknown[i] = lost || !same;
      if (to.unknown[i]) to.causes[i / 8] = why, to.all_known = false;
      const Doubt doubt = !a.doubts.empty() && a.doubts[i] != 0 ? a.doubts[i]
                          : b.doubts.empty()                    ? Doubt{0}
                                                                : b.doubts[i];
      set_doubt(to, i, 1, doubt);
    }
  }
}

}  // namespace trikal::predict
