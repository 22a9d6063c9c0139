#include "report/ldms/writer.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace trikal::report::ldms {
namespace {

Message opening() {
  Message message;
  message.is_meta = true;
  message.uid = 1000, message.job_id = 77, message.rank = 3;
  message.exe = "/bin/app", message.node = "n1", message.file = "/data/a";
  message.record_id = 18446744073709551615U;
  message.module = "POSIX", message.op = "open";
  message.cnt = 1, message.dur = 1'500, message.total = 2'000'000'001, message.start = 1'000'000'000;
  message.end = 1'700'000'000'123'456'789;
  return message;
}

Message transfer() {
  Message message = opening();
  message.is_meta = false, message.exe = kNotApplicable, message.file = kNotApplicable;
  message.module = "H5D", message.op = "write", message.data_set = "/g/d";
  message.max_byte = 99, message.switches = 2, message.flushes = 4, message.cnt = 6;
  message.pt_sel = 7, message.irreg_hslab = 8, message.reg_hslab = 9, message.ndims = 10, message.npoints = 11;
  message.off = 12, message.len = 5'000'000'000;
  return message;
}

std::string json(Dialect dialect, const Message& message) {
  StringSink out;
  put_json(out, dialect, message);
  return std::string(out.text());
}
std::string csv(Dialect dialect, const Message& message) {
  StringSink out;
  put_csv(out, dialect, message);
  return std::string(out.text());
}
std::string header(Dialect dialect) {
  StringSink out;
  put_csv_header(out, dialect);
  return std::string(out.text());
}

TEST(LdmsWriter, PublishedJson) {
  EXPECT_EQ(
      json(Dialect::kPublished, opening()),
      R"({"uid":"1000","exe":"/bin/app","job_id":77,"rank":3,"ProducerName":"n1","file":"/data/a",)"
      R"("record_id":18446744073709551615,"module":"POSIX","type":"MET","max_byte":-1,"switches":-1,"flushes":-1,)"
      R"("cnt":1,"op":"open","seg":[{"data_set":"N/A","pt_sel":-1,"irreg_hslab":-1,"reg_hslab":-1,"ndims":-1,)"
      R"("npoints":-1,"off":-1,"len":-1,"dur":0.000001500,"timestamp":1700000000.123456}]})"
      "\n");
  EXPECT_EQ(json(Dialect::kPublished, transfer()),
            R"({"uid":"1000","exe":"N/A","job_id":77,"rank":3,"ProducerName":"n1","file":"N/A",)"
            R"("record_id":18446744073709551615,"module":"H5D","type":"MOD","max_byte":99,"switches":2,"flushes":4,)"
            R"("cnt":6,"op":"write","seg":[{"data_set":"/g/d","pt_sel":7,"irreg_hslab":8,"reg_hslab":9,"ndims":10,)"
            R"("npoints":11,"off":12,"len":5000000000,"dur":0.000001500,"timestamp":1700000000.123456}]})"
            "\n");
}

TEST(LdmsWriter, CurrentJson) {
  EXPECT_EQ(json(Dialect::kCurrent, opening()),
            R"({"schema":"darshan_data","uid":1000,"exe":"/bin/app","job_id":77,"rank":3,"ProducerName":"n1",)"
            R"("file":"/data/a","record_id":18446744073709551615,"module":"POSIX","type":"MET","max_byte":-1,)"
            R"("switches":-1,"flushes":-1,"cnt":1,"op":"open","seg":[{"pt_sel":-1,"irreg_hslab":-1,"reg_hslab":-1,)"
            R"("ndims":-1,"npoints":-1,"off":-1,"len":-1,"start":1.000000000,"dur":0.000001500,"total":2.000000001,)"
            R"("timestamp":1700000000.123456}]})"
            "\n");
  EXPECT_TRUE(json(Dialect::kCurrent, transfer()).starts_with(R"({"schema":"N/A","uid":1000,"exe":"N/A",)"));
}

TEST(LdmsWriter, Csv) {
  const std::string published =
      "#module,uid,ProducerName,switches,file,rank,flushes,record_id,exe,max_byte,type,job_id,op,cnt,seg:off,seg:pt_"
      "sel,"
      "seg:dur,seg:len,seg:ndims,seg:reg_hslab,seg:irreg_hslab,seg:data_set,seg:npoints,seg:timestamp";
  EXPECT_EQ(header(Dialect::kPublished), published + "\n");
  EXPECT_EQ(header(Dialect::kCurrent), published + ",seg:total,seg:start\n");
  const std::string row =
      "H5D,1000,n1,2,N/A,3,4,18446744073709551615,N/A,99,MOD,77,write,6,12,7,0.000001500,5000000000,10,9,8,/g/d,11,"
      "1700000000.123456";
  EXPECT_EQ(csv(Dialect::kPublished, transfer()), row + "\n");
  EXPECT_EQ(csv(Dialect::kCurrent, transfer()), row + ",2.000000001,1.000000000\n");
}

TEST(LdmsWriter, NamesAreEscaped) {
  Message message = opening();
  message.file = "/a\"b\\c\nd\x01,\xff";
  EXPECT_NE(json(Dialect::kCurrent, message).find(R"("file":"/a\"b\\c\nd\u0001,\udcff")"), std::string::npos);
  EXPECT_NE(csv(Dialect::kCurrent, message).find(",\"/a\"\"b\\c\nd\x01,\xff\","), std::string::npos);
}

TEST(LdmsWriter, TimesThatAreUnknownOrAbsurd) {
  Message message = opening();
  message.start = kNoTime, message.dur = -1, message.end = -1;
  message.total = std::numeric_limits<std::int64_t>::min() + 1;
  EXPECT_NE(json(Dialect::kCurrent, message)
                .find(R"("start":-1,"dur":-0.000000001,"total":-9223372036.854775807,"timestamp":-0.000000001)"),
            std::string::npos);
}

}  // namespace
}  // namespace trikal::report::ldms
