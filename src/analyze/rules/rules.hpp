#pragma once
// Every rule there is: a line here, a line in list.cpp, a file of its own. scripts/new-rule makes all three.

#include "analyze/rules/rule.hpp"

namespace trikal::analyze {

extern const Rule kSmallWrites;
extern const Rule kSmallReads;
extern const Rule kReopen;
extern const Rule kSyncPerWrite;
extern const Rule kFlushPerWrite;
extern const Rule kStatStorm;
extern const Rule kRandomReads;
extern const Rule kRandomWrites;
extern const Rule kReread;
extern const Rule kRewrite;
extern const Rule kReadWriteSwitches;
extern const Rule kSeekPerAccess;
extern const Rule kMisaligned;
extern const Rule kManySmallFiles;
extern const Rule kTemporaryChurn;
extern const Rule kMetadataHeavy;
extern const Rule kErrors;
extern const Rule kShortTransfers;
extern const Rule kImbalance;
extern const Rule kSerialRank;
extern const Rule kNoCollectives;
extern const Rule kBulkThroughStreams;
extern const Rule kUnseenPrograms;

}  // namespace trikal::analyze
