#include "predict/machine/memory.hpp"

#include <algorithm>
#include <cstring>

namespace trikal::predict {
namespace {

constexpr Word kWholePages = 64;  // from so many pages on, forgetting is a note instead of bytes

Word page_number(Word address) { return address / Memory::kPageBytes; }
std::size_t place(Word address) { return address % Memory::kPageBytes; }

}  // namespace

Memory::PagePointer Memory::made(Word page) const {
  auto fresh = std::make_shared<Page>();
  auto after = forgotten_.upper_bound(page);
  if (after == forgotten_.begin()) return fresh;
  const auto& [end, cause] = std::prev(after)->second;
  if (page >= end) return fresh;
  fresh->unknown.set();
  fresh->causes.fill(cause);
  return fresh;
}

const Memory::Page* Memory::page_of(Word address) const {
  const auto found = pages_.find(page_number(address));
  return found == pages_.end() ? nullptr : found->second.get();
}

Memory::Page& Memory::writable(Word page) {
  PagePointer& here = pages_[page];
  const std::uint64_t epoch = epochs_.empty() ? 0 : epochs_.back();
  if (!here) {
    if (!epochs_.empty()) journal_.push_back({page, nullptr});
    here = made(page);
    here->epoch = epoch;
  } else if (here->epoch < epoch) {
    journal_.push_back({page, here});
    here = std::make_shared<Page>(*here);
    here->epoch = epoch;
  }
  return *here;
}

Value Memory::load(Word address, unsigned bytes) const {
  Value value;
  for (unsigned i = 0; i < bytes;) {
    const Page* page = page_of(address + i);
    const std::size_t at = place(address + i);
    const unsigned here = static_cast<unsigned>(std::min<Word>(bytes - i, kPageBytes - at));
    if (page == nullptr) {
      if (const Cause cause = cause_at(address + i); cause != kKnown) return Value::unknown(cause);
    } else {
      for (unsigned k = 0; k < here; ++k) {
        if (page->unknown[at + k]) return Value::unknown(page->causes[(at + k) / 8]);
        if (i + k < 8) value.bits |= Word{page->data[at + k]} << (8 * (i + k));
      }
    }
    i += here;
  }
  return value;
}

void Memory::put(Word address, std::uint8_t byte, Cause cause) {
  Page& page = writable(page_number(address));
  const std::size_t at = place(address);
  page.data[at] = byte;
  page.unknown[at] = cause != kKnown;
  if (cause != kKnown) page.causes[at / 8] = cause;
}

void Memory::store(Word address, unsigned bytes, Value value) {
  for (unsigned i = 0; i < bytes; ++i)
    put(address + i, i < 8 ? static_cast<std::uint8_t>(value.bits >> (8 * i)) : std::uint8_t{0}, value.cause);
}

void Memory::write(Word address, const void* data, std::size_t bytes) {
  const auto* from = static_cast<const std::uint8_t*>(data);
  while (bytes > 0) {
    Page& page = writable(page_number(address));
    const std::size_t at = place(address), here = std::min<std::size_t>(bytes, kPageBytes - at);
    std::memcpy(page.data.data() + at, from, here);
    for (std::size_t i = 0; i < here; ++i) page.unknown[at + i] = false;
    address += here, from += here, bytes -= here;
  }
}

void Memory::fill(Word address, Word bytes, std::uint8_t byte) {
  std::array<std::uint8_t, kPageBytes> piece;
  piece.fill(byte);
  for (Word done = 0; done < bytes;) {
    const Word here = std::min<Word>(bytes - done, kPageBytes - place(address + done));
    const bool needless = byte == 0 && untouched(address + done) && cause_at(address + done) == kKnown;
    if (!needless) write(address + done, piece.data(), here);
    done += here;
    if (done >= Word{1} << 26) return;  // what a loop would read of the rest is as good as zero
  }
}

void Memory::forget(Word address, Word bytes, Cause cause) {
  const Word end = address + bytes;
  if (bytes >= kWholePages * kPageBytes && epochs_.empty()) {
    const Word first = page_number(address + kPageBytes - 1), behind = page_number(end);
    if (behind - first < pages_.size())
      for (Word page = first; page < behind; ++page) pages_.erase(page);
    else std::erase_if(pages_, [&](const auto& entry) { return entry.first >= first && entry.first < behind; });
    forgotten_[first] = {behind, cause};
    forget(address, first * kPageBytes - address, cause);
    forget(behind * kPageBytes, end - behind * kPageBytes, cause);
    return;
  }
  const Word most = std::min<Word>(bytes, kWholePages * kPageBytes);
  for (Word i = 0; i < most; ++i) put(address + i, 0, cause);
}

void Memory::copy(Word to, Word from, Word bytes) {
  constexpr Word kMost = Word{1} << 24;
  std::vector<std::pair<std::uint8_t, Cause>> taken(std::min(bytes, kMost));
  for (Word i = 0; i < taken.size(); ++i) {
    const Value byte = load(from + i, 1);
    taken[i] = {static_cast<std::uint8_t>(byte.bits), byte.cause};
  }
  for (Word i = 0; i < taken.size(); ++i) put(to + i, taken[i].first, taken[i].second);
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
    return page->unknown[place(address)] ? page->causes[place(address) / 8] : kKnown;
  const auto after = forgotten_.upper_bound(page_number(address));
  if (after == forgotten_.begin()) return kKnown;
  const auto& [end, cause] = std::prev(after)->second;
  return page_number(address) < end ? cause : kKnown;
}

bool Memory::untouched(Word address) const { return page_of(address) == nullptr && cause_at(address) == kKnown; }

std::size_t Memory::begin_journal() {
  epochs_.push_back(++next_epoch_);
  return journal_.size();
}

Memory::Pages Memory::roll_back(std::size_t mark) {
  Pages now;
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
      if (to.unknown[i]) to.causes[i / 8] = why;
    }
  }
}

}  // namespace trikal::predict
