// The log itself: by the root alone, or by everybody who has much to write.

#include <fcntl.h>

#include "capture/rare.hpp"
#include "capture/raw.hpp"
#include "capture/sink/job_ending.hpp"
#include "capture/sink/job_writer.hpp"
#include "capture/sink/writing.hpp"
#include "capture/tables/placed.hpp"

namespace trikal::capture {
namespace {

constexpr std::size_t kMostPath = 4096;

// Orders are in ascending order of their owners, as parts come in.
Bytes orders_within(Bytes orders, std::int64_t begin, std::int64_t end) noexcept {
  const auto owner_at = [&](std::size_t at) { return load<Order>(orders.data() + at).owner; };
  std::size_t first = 0;
  while (first < orders.size() && owner_at(first) < begin) first += sizeof(Order);
  std::size_t last = first;
  while (last < orders.size() && owner_at(last) < end) last += sizeof(Order);
  return orders.subspan(first, last - first);
}

}  // namespace

bool JobEnding::write_streams(const char* path, Bytes orders) noexcept {
  const Bytes mine = orders_within(orders, rank_, rank_ + 1);
  if (mine.size() != sizeof(Order)) return mine.empty() && (part_.sent != 0 || part_.bytes == 0);
  const auto order = load<Order>(mine.data());
  const log::FileCalls& calls = raw_file_calls();
  const int file = calls.open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0);
  if (file < 0) return false;
  log::Output output;
  output.attach(calls, file, {}, 0, log::kNoSizeLimit);
  Status status;
  std::size_t at = 0;
  for (std::size_t region = 0; region < kRegions; ++region) {
    const auto bytes = static_cast<std::size_t>(part_.regions[region].packed);
    if (status.ok()) status = output.write_at(order.offsets[region], streams_.bytes().subspan(at, bytes));
    at += bytes;
  }
  return calls.close(file) == 0 && status.ok();
}

bool JobEnding::pass_orders_on(Outcome outcome, std::string_view path, Bytes orders) noexcept {
  const OrdersHead head{outcome, path.size()};
  out_.clear();
  bool well = out_.put(head) && out_.append(std::as_bytes(std::span(path.data(), path.size()))) && out_.append(orders);
  const std::size_t front = sizeof head + path.size();
  for_each_child(rank_, ranks_, [&](std::int64_t child) {
    const bool failed = !well || outcome == Outcome::kFailed;
    bool posted = messages_.post(child, {Step::kOrders, failed, out_.bytes().first(failed ? 0 : front)});
    if (!failed && outcome == Outcome::kWriteYours) {
      const Bytes theirs = orders_within(out_.bytes().subspan(front), child, end_below(child, ranks_));
      posted = messages_.post(child, {Step::kOrders, false, theirs}) && posted;
    }
    well = posted && well;
  });
  return sent() && well && outcome != Outcome::kFailed;
}

// Whether every rank below has written what it was told to.
bool JobEnding::all_done(bool mine) noexcept {
  for_each_child(rank_, ranks_,
                 [&](std::int64_t child) { mine = messages_.receive(child, Step::kDone, in_, until_) && mine; });
  out_.clear();
  return is_root() ? mine : send_up(Step::kDone, mine);
}

bool JobEnding::write_as_root(bool collected) noexcept {
  TRIKAL_RARE static constinit Storage<JobWriter> writer_storage;
  TRIKAL_RARE static constinit Storage<UnpackedMaps> maps_storage;
  const Placed<JobWriter> writer(writer_storage, owner_.config, schemas());
  const Placed<UnpackedMaps> maps(maps_storage);
  const JobWriter::Job job{me_.map,       ranks_,   plan_.start,    plan_.end,
                           plan_.modules, &shared_, parts_.bytes(), rest_.head().left_out};
  Buffer orders;
  Status status;
  bool well = collected && maps->open(rest_.packed());
  if (well) status = writer->begin(job, orders);
  well = well && status.ok();
  const bool by_all = well && orders.size() > 0;
  if (by_all) {
    well = pass_orders_on(Outcome::kWriteYours, writer->temporary(), orders.bytes());
    well = all_done(true) && well;
  }
  if (well) status = writer->finish(job, *maps);
  well = well && status.ok();
  if (!well) writer->abandon();
  if (!status.ok()) owner_.say("the job's log was not written, each process writes its own", status.error().what);
  // The log has its name: whatever becomes of this message, it is not taken back.
  (void)pass_orders_on(well ? Outcome::kWritten : Outcome::kFailed, {}, {});
  return well;
}

bool JobEnding::write_as_told() noexcept {
  TRIKAL_RARE static constinit char path[kMostPath];
  for (;;) {
    const bool came = messages_.receive(parent_of(rank_), Step::kOrders, in_, until_);
    if (!came || in_.size() < sizeof(OrdersHead)) return pass_orders_on(Outcome::kFailed, {}, {});
    const auto head = load<OrdersHead>(in_.bytes().data());
    if (head.outcome == Outcome::kWritten) {
      (void)pass_orders_on(Outcome::kWritten, {}, {});
      return true;
    }
    if (head.outcome != Outcome::kWriteYours || head.path_bytes >= kMostPath ||
        head.path_bytes != in_.size() - sizeof head)
      return pass_orders_on(Outcome::kFailed, {}, {});
    std::memcpy(path, in_.bytes().data() + sizeof head, head.path_bytes);
    path[head.path_bytes] = '\0';
    bool well = messages_.receive(parent_of(rank_), Step::kOrders, in_, until_) && in_.size() % sizeof(Order) == 0;
    if (!well) in_.clear();
    well = pass_orders_on(Outcome::kWriteYours, path, in_.bytes()) && well;
    (void)all_done(write_streams(path, in_.bytes()) && well);
  }
}

bool JobEnding::write(bool collected) noexcept { return is_root() ? write_as_root(collected) : write_as_told(); }

}  // namespace trikal::capture
