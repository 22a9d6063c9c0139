#include "modules/pnetcdf_var/capture.hpp"

#include "capture/events/event.hpp"
#include "capture/records/record_pool.hpp"
#include "capture/session/file_parts.hpp"
#include "schema/labels.hpp"

namespace trikal::modules::pnetcdf_var {

constinit capture::HandleTable<Known> variables;

namespace {

using capture::added_time;
using capture::earlier;
using capture::later;
using capture::Locked;

constinit capture::RecordPool<Variable, kSchema> pool;

constexpr std::size_t kFileWord = 2;  // of a record
static_assert(kFields[0].offset == 8 * kFileWord);

// The slots of one direction: reading and writing are counted by the same rules.
struct DirectionSlots {
  std::size_t alone, together, nonblocking, bytes, classes, longest_size;  // integers
  std::size_t start, end, time, longest;                                   // reals
};
consteval std::size_t slot(std::string_view name) { return slot_of(kCounters, name); }

constexpr DirectionSlots kReading = {slot("PNETCDF_VAR_INDEP_READS"),
                                     slot("PNETCDF_VAR_COLL_READS"),
                                     slot("PNETCDF_VAR_NB_READS"),
                                     slot("PNETCDF_VAR_BYTES_READ"),
                                     slot("PNETCDF_VAR_SIZE_READ_AGG_#"),
                                     slot("PNETCDF_VAR_MAX_READ_TIME_SIZE"),
                                     slot("PNETCDF_VAR_F_READ_START_TIMESTAMP"),
                                     slot("PNETCDF_VAR_F_READ_END_TIMESTAMP"),
                                     slot("PNETCDF_VAR_F_READ_TIME"),
                                     slot("PNETCDF_VAR_F_MAX_READ_TIME")};
constexpr DirectionSlots kWriting = {slot("PNETCDF_VAR_INDEP_WRITES"),
                                     slot("PNETCDF_VAR_COLL_WRITES"),
                                     slot("PNETCDF_VAR_NB_WRITES"),
                                     slot("PNETCDF_VAR_BYTES_WRITTEN"),
                                     slot("PNETCDF_VAR_SIZE_WRITE_AGG_#"),
                                     slot("PNETCDF_VAR_MAX_WRITE_TIME_SIZE"),
                                     slot("PNETCDF_VAR_F_WRITE_START_TIMESTAMP"),
                                     slot("PNETCDF_VAR_F_WRITE_END_TIMESTAMP"),
                                     slot("PNETCDF_VAR_F_WRITE_TIME"),
                                     slot("PNETCDF_VAR_F_MAX_WRITE_TIME")};

constexpr std::size_t kRoutinesOf[] = {slot("PNETCDF_VAR_PUT_#"), slot("PNETCDF_VAR_GET_#"), slot("PNETCDF_VAR_IPUT_#"),
                                       slot("PNETCDF_VAR_IGET_#"), slot("PNETCDF_VAR_BPUT_#")};  // by Way

constexpr bool waits(Way way) { return way == Way::kPut || way == Way::kGet; }

void note_times(Variable& variable, const DirectionSlots& slots, Span when, Direction direction,
                std::int64_t bytes) noexcept {
  auto& record = variable.record;
  record.set_real_slot(slots.start, earlier(record.real_slot(slots.start), when.begin));
  record.set_real_slot(slots.end, later(record.real_slot(slots.end), when.end));
  if (record.real_slot(slots.longest) < when.length()) {
    record.set_real_slot(slots.longest, when.length());
    record.slot(slots.longest_size) = bytes;
  }
  double& last = direction == Direction::kRead ? variable.read_end : variable.write_end;
  record.set_real_slot(slots.time, record.real_slot(slots.time) + added_time(when, last));
}

// With the record's lock held.
void count_access(Variable& variable, Span when, Access access, const capture::ShapeWords& shape) noexcept {
  const Direction direction = direction_of(access.way);
  const DirectionSlots& slots = direction == Direction::kRead ? kReading : kWriting;
  const std::int64_t bytes = shape[0];
  auto& record = variable.record;
  record.slot(!waits(access.way) ? slots.nonblocking : access.collective ? slots.together : slots.alone) += 1;
  record.slot(kRoutinesOf[static_cast<std::size_t>(access.way)], static_cast<std::size_t>(access.form)) += 1;
  record.slot(slots.bytes) += bytes;
  record.slot(slots.classes, size_class(bytes)) += 1;
  if (variable.last_direction != direction) {
    if (variable.last_direction != Direction::kNone) record.at<"PNETCDF_VAR_RW_SWITCHES">() += 1;
    variable.last_direction = direction;
  }
  variable.shapes.count(shape,
                        {&record.at<"PNETCDF_VAR_ACCESS#">(), &record.at<"PNETCDF_VAR_ACCESS#_COUNT">(), kShapeWords},
                        {record.base().id, kSchema.id, slot("PNETCDF_VAR_ACCESS#")});
  note_times(variable, slots, when, direction, bytes);
}

VariableOperation operation_of(Access access) noexcept {
  const bool reads = direction_of(access.way) == Direction::kRead;
  if (!waits(access.way)) return reads ? VariableOperation::kNonblockingRead : VariableOperation::kNonblockingWrite;
  if (access.collective) return reads ? VariableOperation::kCollectiveRead : VariableOperation::kCollectiveWrite;
  return reads ? VariableOperation::kRead : VariableOperation::kWrite;
}

void tell(VariableOperation operation, Variable& variable, Span when, std::int64_t bytes = 0) noexcept {
  capture::tell(log::crash::operation_of_module(kSchema.id, static_cast<std::uint32_t>(operation)),
                variable.record.base().id, when, capture::Event::kNoOffset, bytes);
}

}  // namespace

void forget(int file, int count) noexcept {
  Known known;
  for (int variable = 0; variable < count; ++variable) (void)variables.take(handle_of(file, variable), known);
}

Variable* record_of(const capture::File& file, std::string_view name) noexcept {
  if (capture::session.config.is_off(kSchema.id)) return nullptr;
  capture::File* whole = capture::part_of(file, name);
  if (whole == nullptr) return nullptr;
  auto* known = whole->records[capture::kPnetcdfVarSlot].as<Variable>();
  if (known == nullptr) known = pool.make(*whole, capture::kPnetcdfVarSlot);
  if (known != nullptr) known->record.words[kFileWord] = static_cast<std::int64_t>(file.id);
  return known;
}

void describe(Variable& variable, const VariableShape& shape) noexcept {
  const Locked locked(variable.lock);
  if (!locked) return;
  auto& record = variable.record;
  record.at<"PNETCDF_VAR_NDIMS">() = shape.dimensions;
  record.at<"PNETCDF_VAR_NPOINTS">() = shape.elements;
  record.at<"PNETCDF_VAR_DATATYPE_SIZE">() = shape.element_bytes;
  record.at<"PNETCDF_VAR_IS_RECORD_VAR">() = shape.has_records ? 1 : 0;
}

void opened(Variable& variable, Span when, const VariableShape& shape, bool defined) noexcept {
  describe(variable, shape);
  {
    const Locked locked(variable.lock);
    if (!locked) return;
    auto& record = variable.record;
    record.at<"PNETCDF_VAR_OPENS">() += 1;
    record.set_real<"PNETCDF_VAR_F_OPEN_START_TIMESTAMP">(
        earlier(record.real<"PNETCDF_VAR_F_OPEN_START_TIMESTAMP">(), when.begin));
    record.set_real<"PNETCDF_VAR_F_OPEN_END_TIMESTAMP">(
        later(record.real<"PNETCDF_VAR_F_OPEN_END_TIMESTAMP">(), when.end));
    record.set_real<"PNETCDF_VAR_F_META_TIME">(record.real<"PNETCDF_VAR_F_META_TIME">() +
                                               added_time(when, variable.meta_end));
  }
  tell(defined ? VariableOperation::kDefine : VariableOperation::kLookUp, variable, when);
}

void moved(Variable& variable, Span when, Access access, const capture::ShapeWords& shape) noexcept {
  {
    const Locked locked(variable.lock);
    if (!locked) return;
    count_access(variable, when, access, shape);
  }
  tell(operation_of(access), variable, when, shape[0]);
}

void after_fork() noexcept {
  pool.after_fork();
  variables.after_fork();
  capture::free_part_names();
}

}  // namespace trikal::modules::pnetcdf_var
