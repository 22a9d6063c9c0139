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
extern const Rule kStraggler;
extern const Rule kUnevenSharedFile;
extern const Rule kFewAggregators;
extern const Rule kNoNonblocking;
extern const Rule kDataSieving;
extern const Rule kEveryRankReads;
extern const Rule kFilePerProcess;
extern const Rule kSingleStripe;
extern const Rule kStripeContention;
extern const Rule kSmallChunks;
extern const Rule kManyDatasets;
extern const Rule kHdf5Independent;
extern const Rule kHdf5MetadataReads;
extern const Rule kScatteredSelections;
extern const Rule kSlowFileSystem;
extern const Rule kMisalignedMemory;
extern const Rule kStalledAccess;
extern const Rule kImportStorm;
extern const Rule kDiscardedOutput;
extern const Rule kReadBack;
extern const Rule kPageCacheSpeed;
extern const Rule kIdleOpens;
extern const Rule kRescannedDirectory;
extern const Rule kMapPerAccess;
extern const Rule kLockPerAccess;
extern const Rule kTinyStreamBuffer;
extern const Rule kPeriodicBursts;
extern const Rule kNoOverlap;
extern const Rule kSlowerThanHistory;
extern const Rule kUnaggregatedCollectives;
extern const Rule kTimeAbovePosix;
extern const Rule kShortProcesses;
extern const Rule kPipeWaits;
extern const Rule kNoTransactions;
extern const Rule kFlushedLines;

}  // namespace trikal::analyze
