#pragma once
// What models of PnetCDF's and of NetCDF's own functions share.

#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {

// Their numbers for what they refuse.
enum class NetCdfProblem : int {
  kBadId = -33,
  kExists = -35,
  kInvalid = -36,
  kReadOnly = -37,
  kNotDefining = -38,
  kDefining = -39,
  kBadCoordinates = -40,
  kNameInUse = -42,
  kNoAttribute = -43,
  kBadType = -45,
  kBadDimension = -46,
  kUnlimitedPosition = -47,
  kNoVariable = -49,
  kNotNetCdf = -51,
  kUnlimitedTwice = -54,
  kNotText = -56,
  kBadCount = -57,
  kBadStride = -58,
  kNotNetCdf4 = -111,
  kNotIndependent = -202,
  kIndependent = -203,
  kMissing = -220,
};
void netcdf_fails(Call& call, NetCdfProblem why);

// Functions of both have the same names but for ncmpi_ or nc_.
[[nodiscard]] inline bool netcdf_by_posix(const Call& call) { return !call.name.starts_with("ncmpi_"); }
[[nodiscard]] inline std::string_view netcdf_bare_name(std::string_view name) {
  return name.substr(name.starts_with("ncmpi_") ? 6 : 3);
}

// NetCDF's own ids begin above those of PnetCDF.
[[nodiscard]] inline Word netcdf_posix_id(Word location) { return (location + 1) << 16; }
[[nodiscard]] inline Word netcdf_posix_slot(Word id) { return (id >> 16) - 1; }
[[nodiscard]] NetCdfFile* netcdf_posix_file(Machine& machine, Value id);

// What is in a file that is opened: left by this program, by a rank before, or on the disk.
[[nodiscard]] bool netcdf_find_content(Machine& machine, NetCdfFile& file);

// [i|b] put_|get_ var[1|a|s|m|n] [_type] [_all]
enum class NetCdfShape : std::uint8_t { kOther, kWhole, kElement, kPart, kStrided, kMapped, kParts };
struct NetCdfFunction {
  NetCdfShape shape = NetCdfShape::kOther;
  bool writes = true, collective = false, waits = false, typed = true;
};
[[nodiscard]] NetCdfFunction netcdf_function_of(std::string_view name);
[[nodiscard]] Word netcdf_type_in_memory(std::string_view name, Word element);
[[nodiscard]] std::size_t netcdf_buffer_argument(NetCdfShape shape);

// The file behind the first argument. Null: then the call returns what comes of it.
[[nodiscard]] NetCdfFile* netcdf_file(Machine& machine, Call& call);
// One of its variables, by an argument.
[[nodiscard]] NetCdfVariable* netcdf_variable(Machine& machine, Call& call, NetCdfFile& file, std::size_t index);

void netcdf_put(Machine& machine, Value to, unsigned bytes, Word value);  // where there is a pointer

// What PnetCDF does by MPI-IO: a view and a transfer.
struct NetCdfMove {
  Word offset = 0, bytes = 0;
  bool writes = true, collective = true, known = true;
};
void netcdf_move(Machine& machine, const Call& call, const NetCdfFile& file, const NetCdfMove& move);
// Records up to there are in the file now; together, the first rank writes how many there are.
void netcdf_grow(Machine& machine, const Call& call, NetCdfFile& file, Word records, bool collective);
// The first rank writes the header.
void netcdf_write_header(Machine& machine, const Call& call, NetCdfFile& file);

[[nodiscard]] Model netcdf_transfer_model(std::string_view name);
[[nodiscard]] Model netcdf_define_model(std::string_view name);
[[nodiscard]] Model netcdf_posix_other(std::string_view name);  // what has no model of its own

}  // namespace trikal::predict
