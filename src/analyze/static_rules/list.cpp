#include "analyze/static_rules/static_rule.hpp"

namespace trikal::analyze {

extern const StaticRule kSyncInLoop;
extern const StaticRule kSynchronousWrites;
extern const StaticRule kFlushInLoop;
extern const StaticRule kEndlInLoop;
extern const StaticRule kOpenInLoop;
extern const StaticRule kTinyWrites;
extern const StaticRule kTinyReads;
extern const StaticRule kUnbufferedStream;
extern const StaticRule kRandomAccess;
extern const StaticRule kNumbersAsText;

std::span<const StaticRule* const> static_rules() {
  static constexpr const StaticRule* kAll[] = {
      &kSyncInLoop, &kSynchronousWrites, &kFlushInLoop,      &kEndlInLoop,   &kOpenInLoop,
      &kTinyWrites, &kTinyReads,         &kUnbufferedStream, &kRandomAccess, &kNumbersAsText,
  };
  return kAll;
}

}  // namespace trikal::analyze
