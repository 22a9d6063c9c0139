#pragma once
// Every rule there is: a line here, a line in list.cpp, a file of its own.

#include "analyze/rules/rule.hpp"

namespace trikal::analyze {

extern const Rule kSmallWrites, kSmallReads, kReopen, kSyncPerWrite, kFlushPerWrite, kStatStorm, kRandomReads,
    kRandomWrites, kReread, kRewrite, kReadWriteSwitches, kSeekPerAccess, kMisaligned, kManySmallFiles, kTemporaryChurn,
    kMetadataHeavy, kErrors, kShortTransfers, kImbalance, kSerialRank, kNoCollectives, kBulkThroughStreams,
    kUnseenPrograms;

}  // namespace trikal::analyze
