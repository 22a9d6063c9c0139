#include "capture/reduce/shared_values.hpp"

#include <algorithm>
#include <cstring>

namespace trikal::capture {
namespace {

struct TableHead {
  std::uint64_t index = 0, top = 0, size = 0;
};

bool put_table(std::uint64_t index, std::uint64_t top, const ValueTable& table, Buffer& into) noexcept {
  return into.put(TableHead{index, top, table.size}) &&
         into.append(std::as_bytes(std::span(table.rows, table.size * (table.words + 1))));
}

// Which counter of common values a slot of the record is; kMaxTops: none.
std::size_t top_of(const FoldPlan& plan, const log::crash::MapValues& values) noexcept {
  const std::span tops = plan.tops();
  for (std::size_t i = 0; i < tops.size(); ++i) {
    if (tops[i].counter == values.counter() && tops[i].words() == values.words()) return i;
  }
  return FoldPlan::kMaxTops;
}

}  // namespace

bool OwnValues::find(const log::crash::Process& process, const ModuleSchema& schema, const IdLists& ids,
                     std::size_t module, const FoldPlan& plan) noexcept {
  found_.clear();
  bool whole = true;
  if (plan.tops().empty()) return true;
  log::crash::for_each_values(*process.map, schema, [&](const log::crash::MapValues& values) {
    const std::size_t index = ids.find(module, values.id()), top = top_of(plan, values);
    if (index == IdLists::kNowhere || top == FoldPlan::kMaxTops) return;
    whole = whole && found_.put(Found{index, top, &values.head()});
  });
  auto* first = reinterpret_cast<Found*>(found_.all().data());
  std::sort(first, first + size());
  return whole;
}

void OwnValues::clear_slots(std::size_t index, const FoldPlan& plan, std::byte* record) const noexcept {
  const std::span found = all();
  for (auto next = std::lower_bound(found.begin(), found.end(), Found{index, 0, nullptr});
       next != found.end() && next->index == index; ++next) {
    const FoldPlan::Top& top = plan.tops()[next->top];
    std::memset(record + top.at, 0, 8UL * (top.slots + kTopSlots));
  }
}

void SharedValues::begin(const std::array<std::size_t, kMostModules>& counts) noexcept {
  rows_.clear();
  for (std::size_t i = 0; i < kMostModules; ++i) {
    modules_[i].files = counts[i];
    modules_[i].refs.clear();
  }
}

SharedValues::Ref* SharedValues::refs(Module& module) noexcept {
  const std::size_t bytes = module.files * FoldPlan::kMaxTops * sizeof(Ref);
  if (module.refs.size() == 0) {
    if (!module.refs.grow(bytes)) return nullptr;
    std::memset(module.refs.all().data(), 0, bytes);
  }
  return reinterpret_cast<Ref*>(module.refs.all().data());
}

ValueTable SharedValues::current(std::size_t module, std::size_t at) const noexcept {
  const Bytes refs = modules_[module].refs.bytes();
  if (refs.empty()) return {};
  const auto ref = load<Ref>(refs.data() + at * sizeof(Ref));
  return {reinterpret_cast<const std::int64_t*>(rows_.bytes().data() + ref.at), ref.size, ref.words};
}

bool SharedValues::add(std::size_t module, std::size_t at, const ValueTable& more) noexcept {
  if (more.size == 0) return true;
  Ref* ref = refs(modules_[module]);
  const std::size_t begin = rows_.size(), width = 8 * (more.words + 1);
  if (ref == nullptr || !rows_.grow((ref[at].size + more.size) * width)) return false;
  auto* rows = reinterpret_cast<std::int64_t*>(rows_.all().data() + begin);
  ValueTable mine = current(module, at);  // only now: growing may have moved the rows
  mine.words = more.words;
  std::size_t size = add_tables(mine, more, rows);
  size = keep_most_common(rows, {rows, size, more.words}, kMostRows);
  rows_.shrink(begin + size * width);
  ref[at] = {begin, size, more.words};
  return true;
}

bool SharedValues::write(std::size_t module, const FoldPlan& plan, Buffer& into) const noexcept {
  const std::size_t head = into.size(), files = modules_[module].files;
  std::uint64_t tables = 0;
  if (!into.put(tables)) return false;
  if (modules_[module].refs.size() == 0) return true;
  for (std::size_t i = 0; i < files * FoldPlan::kMaxTops; ++i) {
    const ValueTable table = current(module, i);
    const std::size_t top = i % FoldPlan::kMaxTops;
    if (table.size == 0 || top >= plan.tops().size()) continue;
    if (!put_table(i / FoldPlan::kMaxTops, top, table, into)) return false;
    ++tables;
  }
  store(into.all().data() + head, tables);
  return true;
}

bool SharedValues::write_own(const OwnValues& own, Buffer& into) noexcept {
  return into.put(own.size()) && own.for_each([&](std::uint64_t index, std::uint64_t top, const ValueTable& table) {
    return put_table(index, top, table, into);
  });
}

bool SharedValues::combine(std::size_t module, const FoldPlan& plan, Bytes& message) noexcept {
  if (message.size() < 8) return false;
  const auto tables = load<std::uint64_t>(message.data());
  message = message.subspan(8);
  for (std::uint64_t i = 0; i < tables; ++i) {
    if (message.size() < sizeof(TableHead)) return false;
    const auto head = load<TableHead>(message.data());
    message = message.subspan(sizeof head);
    if (head.index >= modules_[module].files || head.top >= plan.tops().size() || head.size > kMostRows) return false;
    const std::size_t words = plan.tops()[head.top].words();
    const std::size_t bytes = static_cast<std::size_t>(head.size) * 8 * (words + 1);
    if (message.size() < bytes || reinterpret_cast<std::uintptr_t>(message.data()) % 8 != 0) return false;
    const ValueTable table{reinterpret_cast<const std::int64_t*>(message.data()), head.size, words};
    if (!is_table(table) || !add(module, head.index * FoldPlan::kMaxTops + head.top, table)) return false;
    message = message.subspan(bytes);
  }
  return true;
}

bool SharedValues::add_own(std::size_t module, const OwnValues& own) noexcept {
  return own.for_each([&](std::uint64_t index, std::uint64_t top, const ValueTable& table) {
    return add(module, index * FoldPlan::kMaxTops + top, table);
  });
}

}  // namespace trikal::capture
