// Records on their way up: those of shared files folded, the others packed into streams.

#include <bit>

#include "capture/reduce/packed_map.hpp"
#include "capture/sink/job_ending.hpp"

namespace trikal::capture {

bool JobEnding::send_map(std::int64_t to) noexcept {
  out_.clear();
  const LeftOut left_out{shared_ids_, schemas(), rank_ != names_of()};
  const bool well = pack_map(me_, Contents::kRecords, {}, out_, &left_out);
  const bool posted = messages_.post(to, {Step::kMap, !well, out_.bytes()});
  return sent() && posted && well;
}

// As the owner of a part: the maps of its other members, then all of them packed into streams.
bool JobEnding::pack_own_part() noexcept {
  Buffer maps;
  bool well = true;
  const Part part = plan_.parts[static_cast<std::size_t>(rank_ - block())];
  for (std::int64_t member = rank_ + 1; member < block() + kBlock && member < ranks_; ++member) {
    if (((part >> (member - block())) & 1) == 0) continue;
    const bool came = messages_.receive(member, Step::kMap, in_, until_);
    well = came && well && maps.append(in_.bytes());
  }
  UnpackedMaps others;
  Buffer processes;
  well = well && others.open(maps.bytes()) && processes.put(me_);
  if (!well) return false;
  well = processes.append(std::as_bytes(others.processes(seconds(plan_.start))));
  const std::span all(reinterpret_cast<const log::crash::Process*>(processes.bytes().data()),
                      processes.size() / sizeof(log::crash::Process));
  const PartPlan plan{.shared = &shared_ids_, .grid = &plan_.grid, .names_of = names_of()};
  if (!well || !pack_part(all, observers_, plan, part_, streams_)) return false;
  part_.owner = rank_;
  part_.sent = is_root() || is_sent(streams_.size(), std::popcount(part), ranks_) ? 1 : 0;
  part_.bytes = sizeof part_ + (part_.sent != 0 ? streams_.size() : 0);
  return parts_.put(part_) && (part_.sent == 0 || parts_.append(streams_.bytes()));
}

bool JobEnding::add_collected(Bytes message) noexcept {
  if (message.size() < sizeof(CollectHead)) return false;
  const auto head = load<CollectHead>(message.data());
  message = message.subspan(sizeof head);
  if (head.shared > message.size() || head.parts > message.size() - head.shared ||
      head.rest.bytes != message.size() - head.shared - head.parts)
    return false;
  const Bytes rest = message.subspan(static_cast<std::size_t>(head.shared + head.parts));
  return shared_.combine(message.first(static_cast<std::size_t>(head.shared))) &&
         parts_.append(message.subspan(static_cast<std::size_t>(head.shared), static_cast<std::size_t>(head.parts))) &&
         rest_.add(head.rest, rest);
}

bool JobEnding::receive_collected() noexcept {
  bool well = true;
  for_each_child(rank_, ranks_, [&](std::int64_t child) {
    const bool came = messages_.receive(child, Step::kCollect, in_, until_);
    well = came && well && add_collected(in_.bytes());
  });
  return well;
}

bool JobEnding::collect() noexcept {
  const Part part = plan_.parts[static_cast<std::size_t>(rank_ - block())];
  const std::int64_t packer = block() + std::countr_zero(part);
  bool well = packer <= rank_ && (packer == rank_ ? pack_own_part() : send_map(packer));
  const bool is_leaf = !is_root() && end_below(rank_, ranks_) == rank_ + 1;  // nobody sends us records
  well = shared_.begin(shared_ids_, schemas()) && well;
  if (well && !is_leaf) well = shared_.add(me_);
  log::crash::SelfCost cost = log::crash::self_cost(*me_.map, schemas());
  cost.session += owner_.span(owner_.stopping(), read_counter()).length();
  well = pack_map(me_, Contents::kRest, cost, rest_.own()) && well;
  rest_.count_own();
  well = receive_collected() && well;
  if (is_root()) return well;
  CollectHead head{0, parts_.size(), rest_.head()};
  out_.clear();
  well = well && out_.put(head) && (is_leaf ? shared_.write_own(me_, out_) : shared_.write(out_));
  if (well) {
    head.shared = out_.size() - sizeof head;
    store(out_.all().data(), head);
  }
  well = well && out_.append(parts_.bytes()) && out_.append(rest_.packed());
  return send_up(Step::kCollect, well);
}

}  // namespace trikal::capture
