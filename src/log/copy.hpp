#pragma once
// A whole log into another: newest forms, one codec, and what the user wants changed.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "log/read/reader.hpp"
#include "log/write/writer.hpp"

namespace trikal::log {

// Replaces what names people and files by 32-bit hashes. Record ids stay as they are: they are hashes of the true
// names, so who guesses a name can confirm it.
struct Obfuscation {
  bool job_id = false, uid = false, exe = false, names = false;
  std::uint32_t key = 0;

  [[nodiscard]] bool any() const { return job_id || uid || exe || names; }
};

struct CopyOptions {
  std::optional<std::uint64_t> record;  // only this one
  bool record_may_be_missing = false;   // then the copy has no records; else it is an error
  Obfuscation obfuscation;
  std::string annotate;  // "key=value" pairs with tabs between, added to the metadata
  bool reset_metadata = false;
};

// What the user should know although it is no error.
struct CopyReport {
  std::vector<std::string> warnings;
  std::uint64_t records = 0;
};

// From the job to the header: `writer` is created by the caller and finished here. On an error it is the caller's
// to abandon.
[[nodiscard]] Status copy_log(Reader& reader, Writer& writer, const CopyOptions& options, CopyReport& report);

}  // namespace trikal::log
