#pragma once
// Records packed as a stream of a log, for components that have no business with codecs otherwise.

#include "log/codec/record_deflate.hpp"  // IWYU pragma: export
