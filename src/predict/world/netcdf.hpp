#pragma once
// Files of NetCDF's classic formats (CDF-1, CDF-2, CDF-5) as a prediction knows them: dimensions, variables, attributes, how
// long the header is and where variables begin.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "predict/machine/value.hpp"

namespace trikal::predict {

struct NetCdfAttribute {
  int type = 0;  // nc_type
  Word count = 0;
  std::string value;  // as the program's memory has it, where it is known and small
};
using NetCdfAttributes = std::map<std::string, NetCdfAttribute>;

struct NetCdfDimension {
  std::string name;
  Word length = 0;  // 0: it grows by records
};

struct NetCdfVariable {
  std::string name;
  int type = 0;
  std::vector<int> dimensions;
  NetCdfAttributes attributes;
  Word begin = 0, bytes = 0;  // of a record, where it has records
};

struct NetCdfContent {
  int format = 1;  // 1, 2, 5
  std::vector<NetCdfDimension> dimensions;
  std::vector<NetCdfVariable> variables;
  NetCdfAttributes attributes;
  Word records = 0, record_bytes = 0, header_bytes = 0;
  Word data_begin = 0;  // where the first variable begins
  Cause cause = kKnown;  // why something in it is not known

  [[nodiscard]] bool has_records(const NetCdfVariable& variable) const;
  [[nodiscard]] Word elements(const NetCdfVariable& variable) const;  // of one record, where it has records
  [[nodiscard]] Word header() const;  // bytes that it takes as it is now
  void lay_out(Word align);  // says where variables begin; what had a place keeps it if it can
  [[nodiscard]] Word size() const;
};

[[nodiscard]] Word netcdf_bytes(int type);  // of an element in the file; 0: no such type
// The header of a file; nothing: it is not one, or damaged.
[[nodiscard]] std::optional<NetCdfContent> read_netcdf(const std::string& path);

// Requests that wait, all of one kind together: turns of a loop that add to them can be counted.
struct NetCdfWaiting {
  Word count = 0, bytes = 0, records = 0;
  bool known = true;
};

struct NetCdfFile {  // behind an id
  bool open = false, writable = true, defining = false, independent = false, alone = false;
  bool opened_alone = false;  // a second time, for one rank
  bool filling = false;  // what is not written is filled
  std::uint32_t file = 0;  // of World::files
  NetCdfContent content;
  Word next_request = 0;
  NetCdfWaiting puts, gets;
};

class NetCdf {
 public:
  [[nodiscard]] Word add(NetCdfFile file);  // its id; slots are used again
  [[nodiscard]] NetCdfFile* at(Word id);
  void close(Word id);

  void numbers(std::vector<Word>& out) const;
  std::size_t step(const std::vector<Word>& steps, std::size_t at, Word turns);

  std::vector<NetCdfFile> files;
  std::map<std::uint32_t, NetCdfContent> left;  // by file: as it was closed
};

}  // namespace trikal::predict
