#pragma once
// What models of PnetCDF's functions share.

#include "predict/models/list.hpp"
#include "predict/models/streams.hpp"

namespace trikal::predict {

// PnetCDF's numbers for what it refuses.
enum class NetCdfProblem : int {
  kBadId = -33,
  kExists = -35,
  kReadOnly = -37,
  kNotDefining = -38,
  kDefining = -39,
  kBadPlace = -40,
  kNameInUse = -42,
  kNoAttribute = -43,
  kBadType = -45,
  kBadDimension = -46,
  kNoVariable = -49,
  kNotNetCdf = -51,
  kBadCount = -57,
  kNotIndependent = -202,
  kIndependent = -203,
  kMissing = -220,
};
void netcdf_fails(Call& call, NetCdfProblem why);

// The file behind the first argument. Null: then the call returns what comes of it.
[[nodiscard]] NetCdfFile* netcdf_file(Machine& machine, Call& call);
// One of its variables, by an argument.
[[nodiscard]] NetCdfVariable* netcdf_variable(Machine& machine, Call& call, NetCdfFile& file, std::size_t place);

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
[[nodiscard]] Model netcdf_attribute_model(std::string_view name);

}  // namespace trikal::predict
