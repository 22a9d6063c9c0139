#pragma once
// Files of NetCDF's classic formats (CDF-1, CDF-2, CDF-5) as a prediction knows them: dimensions, variables, attributes, how
// long the header is and where variables begin.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "predict/machine/value.hpp"
#include "predict/world/netcdf_buffer.hpp"

namespace trikal::predict {

struct NetCdfAttribute {
  int type = 0;  // nc_type
  Word count = 0;
  std::string value;  // as the program's memory has it, where it is known and small
};

// In the order they were made in, which is that of the header; there are few.
class NetCdfAttributes {
 public:
  using Named = std::pair<std::string, NetCdfAttribute>;
  [[nodiscard]] NetCdfAttribute* find(std::string_view name);
  NetCdfAttribute& operator[](std::string_view name);  // made where it is not there
  [[nodiscard]] std::size_t size() const { return all_.size(); }
  [[nodiscard]] auto begin() const { return all_.begin(); }
  [[nodiscard]] auto end() const { return all_.end(); }

 private:
  std::vector<Named> all_;
};

struct NetCdfDimension {
  std::string name;
  Word length = 0;  // 0: it grows by records
};

struct NetCdfVariable {
  std::string name;
  int type = 0;
  std::vector<int> dimensions;
  NetCdfAttributes attributes{};
  Word begin = 0, bytes = 0;  // of a record, where it has records
  bool unfilled = false;  // what is not written is left as it is
};

// A part of the header that is written or read at once; long values of an attribute come in several.
struct NetCdfPart {
  Word bytes = 0;
  bool splits = false;
};

// Space that is left free and multiples that are kept to: behind the header, and between variables and records.
struct NetCdfSpacing {
  Word header_free = 0, align = 4, data_free = 0, record_align = 4;
};

struct NetCdfContent {
  int format = 1;  // 1, 2, 5
  std::vector<NetCdfDimension> dimensions;
  std::vector<NetCdfVariable> variables;
  NetCdfAttributes attributes{};
  Word records = 0, record_bytes = 0, header_bytes = 0;
  Word data_begin = 0;  // where the first variable begins
  Word record_begin = 0;  // and the first record
  Cause cause = kKnown;  // why something in it is not known

  [[nodiscard]] bool has_records(const NetCdfVariable& variable) const;
  [[nodiscard]] Word elements(const NetCdfVariable& variable) const;  // of one record, where it has records
  [[nodiscard]] std::size_t record_variables() const;
  [[nodiscard]] std::vector<NetCdfPart> header_parts() const;
  [[nodiscard]] Word header() const;  // bytes that it takes as it is now
  void lay_out(const NetCdfSpacing& spacing);  // says where variables begin; what had an offset keeps it if it can
  void pack_records();  // those of one variable alone lie together without gaps
  [[nodiscard]] Word size() const;
  [[nodiscard]] Word least_size() const;  // that NetCDF makes a file when it closes it
};

[[nodiscard]] Word netcdf_bytes(int type);  // of an element in the file; 0: no such type
[[nodiscard]] bool netcdf_is_hdf5(const std::string& path);
// The header of a file; nothing: it is not one, or damaged.
[[nodiscard]] std::optional<NetCdfContent> read_netcdf(const std::string& path);

// Requests that wait, all of one kind together: iterations of a loop that add to them can be counted.
struct NetCdfWaiting {
  Word count = 0, bytes = 0, records = 0;
  bool known = true;
};

// What NetCDF itself keeps of a file that it reads and writes by POSIX calls.
struct NetCdfByPosix {
  bool used = false;  // else it is PnetCDF's
  bool fresh = false;  // made, and not defined yet
  bool header_changed = false, records_changed = false;
  bool unsure = false;  // something that was not known has gone through the buffer
  int descriptor = -1;
  NetCdfBuffer buffer;
  std::shared_ptr<const NetCdfContent> before;  // redef: as it is in the file
};

struct NetCdfFile {  // behind an id
  bool open = false, writable = true, defining = false, independent = false, alone = false;
  bool opened_alone = false;  // a second time, for one rank
  bool filling = false;  // what is not written is filled
  std::uint32_t file = 0;  // of World::files
  NetCdfContent content;
  Word next_request = 0;
  NetCdfWaiting puts, gets;
  NetCdfByPosix posix;
};

class NetCdf {
 public:
  [[nodiscard]] Word add(NetCdfFile file);  // its id; slots are used again
  [[nodiscard]] NetCdfFile* at(Word id);
  void close(Word id);

  void numbers(std::vector<Word>& out) const;
  std::size_t step(const std::vector<Word>& steps, std::size_t at, Word iterations);

  std::vector<NetCdfFile> files;
  std::map<std::uint32_t, NetCdfContent> left;  // by file: as it was closed
  int default_format = 1;  // of nc_create
};

}  // namespace trikal::predict
