#pragma once
// What models of NetCDF's own functions share: classic files by POSIX calls.

#include "predict/models/netcdf.hpp"

namespace trikal::predict {

// What the buffer does, counted for a call on a file.
class NetCdfCalls final : public NetCdfPort {
 public:
  NetCdfCalls(Machine& machine, const Call& call, NetCdfFile& file) : machine_(machine), call_(call), file_(file) {}

  void seek() override;
  Word read(Word offset, Word bytes) override;
  void write(Word offset, Word bytes) override;
  void looked(Word a, Word b) override;
  void looked_same(Word a, Word b) override;

  // Through the buffer.
  void take(Word offset, Word bytes, bool writes);
  void flush() { file_.posix.buffer.flush(*this); }
  void move(Word to, Word from, Word bytes) { file_.posix.buffer.move(*this, to, from, bytes); }
  void fill(const NetCdfVariable& variable, Word record);

  void stat() { machine_.access(call_, {Operation::kStat, file_.file}); }
  [[nodiscard]] Word size() const { return machine_.world.files[file_.file].size; }
  void lengthen(Word size, Word bytes);  // by writing so many at its end

 private:
  [[nodiscard]] bool known() const { return file_.content.cause == kKnown && !file_.posix.unsure; }

  Machine& machine_;
  const Call& call_;
  NetCdfFile& file_;
  Word told_ = 0;  // of what decided
};

// The header through the buffer, `extent` bytes of it at once.
void netcdf_pass_header(NetCdfCalls& calls, const NetCdfContent& content, Word extent, bool writes);
void netcdf_rewrite_header(NetCdfCalls& calls, NetCdfFile& file);
// Header or number of records, where they changed.
void netcdf_update(NetCdfCalls& calls, NetCdfFile& file);
void netcdf_write_records(NetCdfCalls& calls, NetCdfFile& file);
// Definitions have ended: data gets its offset, and what has no value is filled.
void netcdf_end_definitions(NetCdfCalls& calls, NetCdfFile& file, const NetCdfSpacing& spacing);

// A call on something that is not followed: nothing is claimed for it, and nothing behind its pointers is known.
void netcdf_not_followed(Machine& machine, Call& call, std::string_view what);
void netcdf_posix_transfer(Machine& machine, Call& call);

}  // namespace trikal::predict
