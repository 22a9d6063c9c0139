#pragma once
// What events have numbers of, as the crash maps of a run name it: files, operations of modules, programs and libraries.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "log/crash/layout.hpp"

namespace trikal::gather {

struct NamesUse {
  std::function<void(std::uint64_t id, std::string_view name)> file;  // once for each process that used it
  std::function<void(const log::crash::Identity&, std::uint32_t number, std::string_view interface,
                     std::string_view word)>
      operation;
  std::function<void(const log::crash::Identity&, std::uint64_t number, std::string_view path)> object;
};

// Of all processes of a run, those that are put away as well. Answers with the events of processes that found no space for rings.
std::uint64_t for_each_name_of_run(const std::string& directory, const NamesUse& use);

}  // namespace trikal::gather
