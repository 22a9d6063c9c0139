#pragma once
// What each call on a variable of Parallel netCDF's means for the counters.

#include <string_view>

#include "capture/records/common_shapes.hpp"
#include "capture/records/record_details.hpp"
#include "capture/records/timer.hpp"
#include "capture/session/hooks.hpp"
#include "capture/session/session.hpp"
#include "capture/tables/handle_table.hpp"
#include "modules/pnetcdf_file/capture_library.hpp"
#include "modules/pnetcdf_var/schema.hpp"
#include "schema/record.hpp"

namespace trikal::modules::pnetcdf_var {

using capture::Span;
using pnetcdf_file::Offset;
using pnetcdf_file::VariableShape;

enum class Direction : std::uint8_t { kNone, kRead, kWrite };

struct alignas(64) Variable {
  Record<kSchema> record;
  capture::Spin lock;
  Direction last_direction = Direction::kNone;
  double read_end = 0, write_end = 0, meta_end = 0;
  capture::CommonShapes shapes;
};

// What is known of a variable's number. Its own shape: once memory is full, one record stands for many variables.
struct Known {
  Variable* variable = nullptr;  // null: not watched
  VariableShape shape;
};
extern constinit capture::HandleTable<Known> variables;
[[nodiscard]] constexpr std::int64_t handle_of(int file, int variable) noexcept {
  return (std::int64_t{file} + 1) << 32 | (static_cast<std::uint32_t>(variable) + 1);
}
// The variables of a file that is closed.
void forget(int file, int count) noexcept;

// The record of a variable of that file, made if there is none.
[[nodiscard]] Variable* record_of(const capture::File& file, std::string_view name) noexcept;
// Defined, or looked up by its name.
void opened(Variable& variable, Span when, const VariableShape& shape, bool defined) noexcept;
// Met by its number alone.
void describe(Variable& variable, const VariableShape& shape) noexcept;

// The routines, in the order of kRoutines.
enum class Form : std::uint8_t { kVar, kVar1, kVara, kVars, kVarm, kVarn, kVard };
enum class Way : std::uint8_t { kPut, kGet, kIput, kIget, kBput };
struct Access {
  Way way = Way::kPut;
  Form form = Form::kVar;
  bool collective = false;
};
[[nodiscard]] constexpr Direction direction_of(Way way) noexcept {
  return way == Way::kGet || way == Way::kIget ? Direction::kRead : Direction::kWrite;
}

// `shape`: bytes, then length and stride in up to five dimensions.
void moved(Variable& variable, Span when, Access access, const capture::ShapeWords& shape) noexcept;

void after_fork() noexcept;

enum class VariableOperation : std::uint8_t {
  kDefine,
  kLookUp,
  kRead,
  kWrite,
  kCollectiveRead,
  kCollectiveWrite,
  kNonblockingRead,
  kNonblockingWrite
};
inline constexpr std::string_view kOperationWords[] = {
    "define",           "look up",          "read", "write", "collective read", "collective write",
    "nonblocking read", "nonblocking write"};

inline constexpr capture::ModuleHooks kHooks = {
    .schema = &kSchema,
    .after_fork = after_fork,
    .operations = capture::own_operations(kSchema, kOperationWords),
    .details = capture::details_of<Variable, kSchema, capture::kPnetcdfVarSlot>};

}  // namespace trikal::modules::pnetcdf_var
