#include "report/ldms/messages.hpp"

#include <algorithm>

namespace trikal::report::ldms {
namespace {

// Darshan has rank 0 where there is no MPI.
std::int64_t rank_of(const Event& event) { return std::max<std::int64_t>(event.rank, 0); }

std::string_view or_unknown(std::string_view text) { return text.empty() ? kNotApplicable : text; }

// Who and what: told in full when a file is opened, and left out of all other messages.
void describe(const Event& event, Dialect dialect, Message& message) {
  if (event.process != nullptr) {
    message.uid = event.process->uid, message.job_id = event.process->job_id;
    message.node = or_unknown(event.process->node);
    if (message.is_meta) message.exe = or_unknown(event.process->program);
  }
  message.rank = rank_of(event);
  message.record_id = event.file;
  const bool splits = dialect == Dialect::kPublished && !event.data_set.empty();
  if (splits) message.data_set = event.data_set;
  if (!message.is_meta) return;
  // The name of a dataset's record has both; where the dataset has a field of its own, the file is the rest.
  std::string_view file = event.name;
  if (splits) file.remove_suffix(std::min(file.size(), event.data_set.size() + 1));
  message.file = or_unknown(file);
}

void add_transfer(const Event& event, const OperationRole& role, Message& message) {
  if (role.action != Action::kOpen) message.flushes = event.flushes;
  if (role.action != Action::kRead && role.action != Action::kWrite) return;
  message.max_byte = role.action == Action::kRead ? event.highest_read : event.highest_written;
  message.switches = event.switches;
  message.off = event.offset, message.len = event.length;
  if (role.module != Module::kH5d) return;
  message.pt_sel = event.point_selects, message.irreg_hslab = event.irregular_selects;
  message.reg_hslab = event.regular_selects;
  message.ndims = event.dimensions, message.npoints = event.dataset_elements;
}

}  // namespace

bool Messages::publishes(log::crash::Operation operation) const {
  const auto role = role_of(operation);
  return role && role->action != Action::kNone && modules_.has(role->module);
}

bool Messages::needs(log::crash::Operation operation) const {
  const auto role = role_of(operation);
  if (!role || !modules_.has(role->module)) return false;
  return role->action != Action::kNone || dialect_ == Dialect::kCurrent;
}

// Calls of several threads on one file overlap: as in Darshan, time that was counted already does not count again.
void Messages::count(const Event& event, const OperationRole& role, Message& message) {
  const bool by_file = dialect_ == Dialect::kCurrent;
  Counted& counted = counted_[{event.process_number, by_file ? event.file : 0, role.module}];
  const std::int64_t end = event.begin + event.duration;
  message.end = end;
  if (role.timer != Timer::kNone) {
    const auto timer = static_cast<std::size_t>(role.timer);
    std::int64_t& last = counted.last_end[timer];
    if (end > last) {
      counted.total[timer] += end - std::max(event.begin, last);
      last = end;
    }
    message.total = counted.total[timer];
  }
  if (role.action == Action::kNone) return;
  const std::int64_t calls = ++counted.calls[static_cast<std::size_t>(role.action)];
  ++counted.since_close;
  message.cnt = by_file ? calls : counted.since_close;
  if (role.action == Action::kClose) counted.since_close = 0;
}

bool Messages::make(const Event& event, Message& message) {
  if (!needs(event.operation)) return false;
  const OperationRole role = *role_of(event.operation);
  message = {};
  count(event, role, message);
  if (role.action == Action::kNone) return false;
  message.is_meta = role.action == Action::kOpen;
  message.module = name_of(role.module), message.op = name_of(role.action);
  describe(event, dialect_, message);
  add_transfer(event, role, message);
  message.dur = event.duration;
  if (event.process != nullptr && event.process->start != kNoTime) message.start = event.begin - event.process->start;
  return true;
}

}  // namespace trikal::report::ldms
