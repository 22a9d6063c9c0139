#include "predict/world/netcdf_buffer.hpp"

#include <algorithm>

namespace trikal::predict {

NetCdfBuffer::NetCdfBuffer(Word block, bool fresh, bool shared) : block_(block), shared_(shared) {
  if (!fresh || shared) return;
  position_ = 0;
  pages_.begin = 0, pages_.capacity = 2 * block;
}

// Where it is, is asked for before each read but the first.
Word NetCdfBuffer::read(NetCdfPort& port, Word offset, Word bytes) {
  if (position_ != kNowhere) port.seek();
  port.looked_same(position_, offset);
  if (position_ != offset) port.seek();
  const Word got = port.read(offset, bytes);
  position_ = offset + got;
  return got;
}

void NetCdfBuffer::write(NetCdfPort& port, Word offset, Word bytes) {
  port.looked_same(position_, offset);
  if (position_ != offset) port.seek();
  port.write(offset, bytes);
  position_ = offset + bytes;
}

// All that the next steps depend on: which block, one or two of them, and how they lie to those that are here.
void NetCdfBuffer::tell(NetCdfPort& port, const Pages& pages, Word offset, Word bytes, Word begin, Word want) const {
  port.looked(begin, offset), port.looked(offset, begin + block_ - 1);
  port.looked(offset + bytes, begin + want), port.looked(begin + want - block_ + 1, offset + bytes);
  port.looked_same(begin, pages.begin), port.looked_same(begin, pages.begin + block_);
  port.looked_same(begin + block_, pages.begin);
  port.looked_same(pages.capacity, block_), port.looked(pages.filled, block_), port.looked_same(pages.filled, 0);
  port.looked(offset - begin + bytes, pages.filled);
  port.looked_same(pages.changed ? 1 : 0, 0);
}

void NetCdfBuffer::read_upper(NetCdfPort& port, Pages& pages) {
  pages.filled = block_ + read(port, pages.begin + block_, block_);
  pages.capacity = 2 * block_;
}

// The lower block becomes the upper one, which is written if it has to be.
void NetCdfBuffer::read_below(NetCdfPort& port, Pages& pages, Word begin) {
  if (pages.filled > block_) {
    if (pages.changed) write(port, pages.begin + block_, pages.filled - block_);
    pages.filled = pages.capacity = block_;
  }
  const Word above = pages.filled;
  pages.filled = read(port, begin, block_);
  pages.begin = begin;
  pages.capacity = above > 0 ? 2 * block_ : block_;
  if (above > 0) pages.filled = block_ + above;
}

void NetCdfBuffer::replace(NetCdfPort& port, Pages& pages, Word begin, Word want) {
  if (pages.changed) {
    write(port, pages.begin, pages.filled);
    pages.changed = pages.writes = false;
  }
  pages.filled = read(port, begin, want);
  pages.begin = begin, pages.capacity = want;
}

void NetCdfBuffer::get(NetCdfPort& port, Pages& pages, Word offset, Word bytes, bool writes) {
  const Word begin = offset / block_ * block_;
  const Word want = (offset - begin + bytes + block_ - 1) / block_ * block_;
  Word end = offset - begin + bytes;  // of what is asked for, within the buffer
  tell(port, pages, offset, bytes, begin, want);
  if (begin == pages.begin) {
    if (want > pages.capacity) read_upper(port, pages);
  } else if (pages.begin != kNowhere && pages.capacity > block_ && begin == pages.begin + block_) {
    if (want == block_) {
      end += block_;
    } else {  // the upper block becomes the lower one
      if (pages.changed) write(port, pages.begin, block_);
      pages.begin = begin;
      read_upper(port, pages);
    }
  } else if (pages.begin != kNowhere && begin + block_ == pages.begin) {
    read_below(port, pages, begin);
  } else {
    replace(port, pages, begin, want);
  }
  pages.filled = std::max(pages.filled, end);
  pages.writes = pages.writes || writes;
}

void NetCdfBuffer::take(NetCdfPort& port, Word offset, Word bytes, bool writes) {
  if (shared_) {
    (void)read(port, offset, bytes);
    if (writes) write(port, offset, bytes);
    return;
  }
  second_.reset();
  get(port, pages_, offset, bytes, writes);
  pages_.changed = pages_.changed || writes;
}

void NetCdfBuffer::take_all(NetCdfPort& port, Word offset, Word bytes, bool writes) {
  while (bytes > 0) {
    const Word part = std::min(bytes, block_);
    take(port, offset, part, writes);
    offset += part, bytes -= part;
  }
}

// What was only read is forgotten: whoever syncs wants to see what others wrote.
void NetCdfBuffer::flush(NetCdfPort& port) {
  if (shared_) return;
  if (pages_.changed) {
    write(port, pages_.begin, pages_.filled);
    pages_.changed = pages_.writes = false;
  } else if (!pages_.writes) {
    pages_.begin = kNowhere, pages_.filled = 0;
  }
}

void NetCdfBuffer::copy(NetCdfPort& port, Word to, Word from, Word bytes) {
  get(port, pages_, to, bytes, true);
  if (!second_) {
    second_ = pages_;
    second_->changed = second_->writes = false;
  }
  get(port, *second_, from, bytes, false);
  pages_.changed = true;
}

void NetCdfBuffer::move(NetCdfPort& port, Word to, Word from, Word bytes) {
  const Word lower = std::min(to, from), all = std::max(to, from) - lower + bytes;
  if (to == from) return;
  if (shared_) return take(port, lower, all, true);
  if (all <= block_) {
    get(port, pages_, lower, all, true);
    pages_.changed = true;
    return;
  }
  for (Word left = bytes; left > 0;) {  // from the end on, where it moves up
    const Word part = std::min(left, block_), at = to > from ? left - part : bytes - left;
    copy(port, to + at, from + at, part);
    left -= part;
  }
}

void NetCdfBuffer::numbers(std::vector<Word>& out) const {
  out.insert(out.end(), {position_, pages_.begin, pages_.capacity, pages_.filled});
}

std::size_t NetCdfBuffer::step(const std::vector<Word>& steps, std::size_t at, Word iterations) {
  for (Word* one : {&position_, &pages_.begin, &pages_.capacity, &pages_.filled}) *one += steps[at++] * iterations;
  return at;
}

}  // namespace trikal::predict
