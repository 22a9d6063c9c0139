#include "log/read/record_names.hpp"

namespace trikal::log {
namespace {

// A record_view says "nothing" in the words of a listing.
std::string_view told(const std::string& text) {
  const bool nothing = text.empty() || text == "UNKNOWN" || text == "N/A";
  return nothing ? std::string_view() : std::string_view(text);
}

// Texts that lie in a table can be empty, yet be there.
std::string_view held(std::string_view text) { return text.data() != nullptr ? text : std::string_view(""); }

}  // namespace

RecordNames::Labels RecordNames::find(Bytes record) {
  Labels labels;
  const RecordView* record_view = format_.record_view;
  special_ = {};
  if (record_view != nullptr && record_view->labels != nullptr) record_view->labels(record, special_);
  if (special_.has_name) {
    labels.name = told(special_.name);
  } else if (const NameTable::Entry* entry = names_.find(load<std::uint64_t>(record.data())); entry != nullptr) {
    labels.name = held(names_.text(*entry));
  } else if (record_view != nullptr && !record_view->nameless.empty()) {
    labels.name = record_view->nameless;
  }
  if (const Mount* mount = job_.mount_of(labels.name); mount != nullptr)
    labels.mount = mount->path, labels.type = mount->type;
  if (special_.has_mount) labels.mount = told(special_.mount);
  if (special_.has_type) labels.type = told(special_.type);
  return labels;
}

}  // namespace trikal::log
