#pragma once
// APXC records on disk: version 1 (3.3.0 until the module was withdrawn). Every word is a number.

#include "modules/apxc/schema.hpp"

namespace trikal::modules::apxc {

inline constexpr Form kForms[] = {
    {.version = 1, .head_bytes = autoperf::kHeadBytes, .tail = autoperf::tail<kMagic, kHeaderBytes, kPerfBytes>},
};
inline constexpr ModuleFormat kFormat = {.schema = &kSchema, .forms = kForms, .rewrite = &autoperf::kRewrite<kMagic>};

}  // namespace trikal::modules::apxc
