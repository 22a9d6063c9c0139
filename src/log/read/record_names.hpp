#pragma once
// What stands beside a record in tables: its name, and the file system that is on.

#include "log/read/job.hpp"
#include "log/read/names.hpp"
#include "schema/form.hpp"

namespace trikal::log {

class RecordNames {
 public:
  // Views are good until the next call. A null data(): the log does not say.
  struct Labels {
    std::string_view name, mount, type;
  };

  RecordNames(const ModuleFormat& format, const NameTable& names, const Job& job)
      : format_(format), names_(names), job_(job) {}

  Labels find(Bytes record);

 private:
  const ModuleFormat& format_;
  const NameTable& names_;
  const Job& job_;
  RecordLabels special_;
};

}  // namespace trikal::log
