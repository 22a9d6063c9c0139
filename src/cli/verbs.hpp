#pragma once
// Every verb. A new one is declared here, listed in verbs.cpp and written in verbs/<name>.cpp.

#include "cli/verb.hpp"

namespace trikal::cli {

extern const Verb kDiff;
extern const Verb kExplain;
extern const Verb kFiles;
extern const Verb kInfo;
extern const Verb kInsights;
extern const Verb kReport;
extern const Verb kSummary;
extern const Verb kParse;
extern const Verb kDxt;
extern const Verb kExport;
extern const Verb kConvert;
extern const Verb kMerge;
extern const Verb kHelp;
extern const Verb kGenerate;
extern const Verb kRecover;
extern const Verb kRun;
extern const Verb kPredict;
extern const Verb kCc;
extern const Verb kCxx;
extern const Verb kFc;
extern const Verb kCalibrate;
extern const Verb kSnapshot;
extern const Verb kDoctor;
extern const Verb kServe;
extern const Verb kWatch;
extern const Verb kSql;

}  // namespace trikal::cli
