// Selections in a dataspace: how many elements, and whether they are regular blocks.

#include <algorithm>
#include <set>

#include "predict/world/hdf5.hpp"

namespace trikal::predict {
namespace {

constexpr std::size_t kMostBoxes = 2048;
using Kind = Hdf5Selection::Kind;

Word product(const std::vector<Word>& values) {
  Word all = 1;
  for (const Word one : values) all *= one;
  return all;
}

// What of `one` lies outside of `hole`, as boxes that do not overlap.
void cut(const Hdf5Box& one, const Hdf5Box& hole, std::vector<Hdf5Box>& out) {
  for (std::size_t d = 0; d < one.low.size(); ++d)
    if (hole.high[d] <= one.low[d] || one.high[d] <= hole.low[d]) return out.push_back(one);
  Hdf5Box rest = one;
  for (std::size_t d = 0; d < one.low.size(); ++d) {
    if (rest.low[d] < hole.low[d]) {
      Hdf5Box part = rest;
      part.high[d] = rest.low[d] = hole.low[d];
      out.push_back(std::move(part));
    }
    if (hole.high[d] < rest.high[d]) {
      Hdf5Box part = rest;
      part.low[d] = rest.high[d] = hole.high[d];
      out.push_back(std::move(part));
    }
  }
}

std::vector<Hdf5Box> without(std::vector<Hdf5Box> boxes, const std::vector<Hdf5Box>& holes) {
  for (const Hdf5Box& hole : holes) {
    std::vector<Hdf5Box> left;
    for (const Hdf5Box& one : boxes) cut(one, hole, left);
    boxes = std::move(left);
  }
  return boxes;
}

// Blocks one by one; nothing: too many of them.
std::optional<std::vector<Hdf5Box>> boxes_of(const Hdf5Space& space) {
  const Hdf5Selection& selection = space.selection;
  if (selection.kind == Kind::kNothing) return std::vector<Hdf5Box>{};
  if (selection.kind == Kind::kAll)
    return std::vector<Hdf5Box>{{std::vector<Word>(space.extent.size(), 0), space.extent}};
  if (selection.kind != Kind::kBlocks) return std::nullopt;
  if (!selection.regular) return selection.boxes;
  if (product(selection.count) > kMostBoxes) return std::nullopt;
  std::vector<Hdf5Box> boxes;
  std::vector<Word> at(selection.start.size(), 0);
  for (Word i = 0; i < product(selection.count); ++i) {
    Hdf5Box& box = boxes.emplace_back();
    for (std::size_t d = 0; d < at.size(); ++d) {
      box.low.push_back(selection.start[d] + at[d] * selection.stride[d]);
      box.high.push_back(box.low.back() + selection.block[d]);
    }
    for (std::size_t d = at.size(); d-- > 0;) {
      if (++at[d] < selection.count[d]) break;
      at[d] = 0;
    }
  }
  return boxes;
}

struct Line {  // blocks along one dimension
  Word start = 0, stride = 1, count = 0, block = 0;
};
// The blocks that the boxes cover there, if they are alike and evenly apart.
std::optional<Line> regular_line(const std::vector<Hdf5Box>& boxes, std::size_t d) {
  std::map<Word, Word> runs;  // from, behind
  for (const Hdf5Box& box : boxes) {
    Word low = box.low[d], high = box.high[d];
    auto next = runs.upper_bound(high);
    while (next != runs.begin() && std::prev(next)->second >= low) {
      --next;
      low = std::min(low, next->first), high = std::max(high, next->second);
      next = runs.erase(next);
    }
    runs[low] = high;
  }
  Line line;
  for (const auto& [low, high] : runs) {
    if (line.count == 0) line.start = low, line.block = high - low;
    if (line.count == 1) line.stride = low - line.start;
    if (high - low != line.block || low != line.start + line.count * line.stride) return std::nullopt;
    ++line.count;
  }
  return line;
}

// As HDF5 does it: blocks that were put together piece by piece are regular if they could have been had at once.
void make_regular(Hdf5Selection& selection) {
  Hdf5Selection whole;
  Word points = 1, there = 0;
  for (std::size_t d = 0; d < selection.boxes[0].low.size(); ++d) {
    const auto line = regular_line(selection.boxes, d);
    if (!line) return;
    whole.start.push_back(line->start), whole.stride.push_back(line->stride);
    whole.count.push_back(line->count), whole.block.push_back(line->block);
    points *= line->count * line->block;
  }
  for (const Hdf5Box& box : selection.boxes) there += box.points();
  if (points != there) return;
  whole.kind = Kind::kBlocks;
  selection = std::move(whole);
}

}  // namespace

Word Hdf5Box::points() const {
  Word all = 1;
  for (std::size_t d = 0; d < low.size(); ++d) all *= high[d] - low[d];
  return all;
}

Word Hdf5Space::elements() const { return empty ? 0 : product(extent); }

Word Hdf5Space::selected() const {
  switch (selection.kind) {
    case Kind::kAll: return elements();
    case Kind::kNothing: return 0;
    case Kind::kPoints: return selection.points;
    case Kind::kBlocks: break;
  }
  if (selection.regular) return product(selection.count) * product(selection.block);
  Word all = 0;
  for (const Hdf5Box& box : selection.boxes) all += box.points();
  return all;
}

Hdf5Box Hdf5Space::bounds() const {
  Hdf5Box out{std::vector<Word>(extent.size(), 0), extent};
  if (selection.kind != Kind::kBlocks) return out;
  for (std::size_t d = 0; d < extent.size(); ++d) {
    if (selection.regular) {
      out.low[d] = selection.start[d];
      out.high[d] = selection.start[d] + (selection.count[d] - 1) * selection.stride[d] + selection.block[d];
      continue;
    }
    out.low[d] = ~Word{0}, out.high[d] = 0;
    for (const Hdf5Box& box : selection.boxes)
      out.low[d] = std::min(out.low[d], box.low[d]), out.high[d] = std::max(out.high[d], box.high[d]);
  }
  return out;
}

bool Hdf5Space::valid() const {
  const Hdf5Box all = bounds();
  for (std::size_t d = 0; d < extent.size(); ++d)
    if (all.high[d] > extent[d]) return false;
  return true;
}

void select_blocks(Hdf5Space& space, Word operation, const Hdf5Selection& blocks) {
  enum : Word { kSet, kOr, kAnd, kXor, kNotB, kNotA };
  const Kind before = space.selection.kind;
  if (operation == kSet || (before == Kind::kAll && operation == kAnd) ||
      (before == Kind::kNothing && (operation == kOr || operation == kXor || operation == kNotA))) {
    space.selection = blocks;
    return;
  }
  if (before == Kind::kAll && operation == kOr) return;
  Hdf5Space other = space;
  other.selection = blocks;
  const auto ours = boxes_of(space), theirs = boxes_of(other);
  if (!ours || !theirs) {  // said by the caller: too many to follow
    space.selection.cause = ~Cause{0};
    return;
  }
  std::vector<Hdf5Box> rest = without(*theirs, *ours), kept = without(*ours, *theirs);  // only in one of them
  if (operation == kOr) kept = *ours, kept.insert(kept.end(), rest.begin(), rest.end());
  if (operation == kAnd) kept = without(*ours, kept);
  if (operation == kXor) kept.insert(kept.end(), rest.begin(), rest.end());
  if (operation == kNotA) kept = rest;
  Hdf5Selection made;
  made.kind = kept.empty() ? Kind::kNothing : Kind::kBlocks;
  made.regular = false;
  made.boxes = std::move(kept);
  made.cause = made.boxes.size() > kMostBoxes ? ~Cause{0} : kKnown;
  if (made.kind == Kind::kBlocks) make_regular(made);
  space.selection = std::move(made);
}

}  // namespace trikal::predict
