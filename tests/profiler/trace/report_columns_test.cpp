// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/report_columns.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace fusebench {
namespace {

DeviceBreakdown device() {
  DeviceBreakdown one;
  one.device.name = "GPU 0, \"A\"";
  one.total = 100;
  one.computing = 60;
  one.communication = 5;
  one.memory = 7;
  one.idle = 28;
  one.collectives = 9;
  one.overlap = 4;
  one.hostWait = 11;
  one.kernelWait = 12;
  one.otherWait = 13;
  one.kernels = 3;
  one.shorter = 2;
  one.mostQueued = 8;
  one.meanQueued = 1.25;
  return one;
}

TEST(ReportColumns, WriteADeviceAsALine) {
  EXPECT_EQ(csvHeader(deviceColumns()),
            "trace,device,total_ns,computing_ns,communication_ns,memory_ns,idle_ns,collectives_ns,"
            "overlap_ns,host_wait_ns,kernel_wait_ns,other_wait_ns,kernels,shorter_than_launch,"
            "launch_bound_share,most_queued,mean_queued\n");
  EXPECT_EQ(csvLine(deviceColumns(), "t", TraceReport(), device()),
            "t,\"GPU 0, \"\"A\"\"\",100,60,5,7,28,9,4,11,12,13,3,2,0.666667,8,1.25\n");
}

TEST(ReportColumns, WriteADeviceAsAnObjectWithoutTheShareThatFollowsFromIt) {
  EXPECT_EQ(jsonRow(deviceColumns(), TraceReport(), device()).dump(),
            R"({"device":"GPU 0, \"A\"","total_ns":100,"computing_ns":60,"communication_ns":5,)"
            R"("memory_ns":7,"idle_ns":28,"collectives_ns":9,"overlap_ns":4,"host_wait_ns":11,)"
            R"("kernel_wait_ns":12,"other_wait_ns":13,"kernels":3,"shorter_than_launch":2,)"
            R"("most_queued":8,"mean_queued":1.25})");
}

TEST(ReportColumns, GiveLinesTheMeanOfSlicesInTenths) {
  SpanTotal total;
  total.mean = 2.25;
  for (const ReportColumn<SpanTotal>& column : nameColumns())
    if (column.key == std::string("mean_ns")) {
      EXPECT_EQ(csvOf(column.value(TraceReport(), total), column.form), "2.2");
    }
  EXPECT_EQ(csvHeader(nameColumns()),
            "trace,name,kind,count,total_ns,self_ns,share,mean_ns,min_ns,max_ns\n");
}

TEST(ReportColumns, LeaveTheFieldOfAnUnknownFigureEmpty) {
  Saving saving;
  saving.fusible = false;
  saving.oneKernel = 5;
  int seen = 0;
  for (const ReportColumn<Saving>& column : savingColumns())
    if (column.key == std::string("one_kernel_ns")) {
      ++seen;
      EXPECT_TRUE(column.value(TraceReport(), saving).is_null());
      EXPECT_EQ(csvOf(column.value(TraceReport(), saving), column.form), "");
    }
  EXPECT_EQ(seen, 1);
  EXPECT_EQ(csvHeader(savingColumns()),
            "trace,process,lane,kernels,count,runs,first_at_ns,now_ns,busy_ns,one_kernel_ns,"
            "one_graph_ns,saved_ns\n");
}

TEST(ReportColumns, GiveObjectsNoRateOfACollectiveThatIsNotKnown) {
  CollectiveTotal one;
  one.name = "all_reduce";
  one.bytes = -1;
  one.count = 2;
  one.met = 1;
  EXPECT_EQ(csvLine(collectiveColumns(), "t", TraceReport(), one), "t,all_reduce,,,,2,0,,,0,0\n");
  EXPECT_EQ(jsonRow(collectiveColumns(), TraceReport(), one).dump(),
            R"({"name":"all_reduce","dtype":null,"bytes":null,"ranks":null,"count":2,)"
            R"("total_ns":0,"waiting_ns":null,"transfer_ns":null,"algorithm_gb_per_s":null,)"
            R"("bus_gb_per_s":null})");
}

template <class Row>
void expectKeysOnce(std::span<const ReportColumn<Row>> columns) {
  for (const ColumnOf other : {ColumnOf::csv, ColumnOf::json}) {
    std::set<std::string> keys;
    for (const ReportColumn<Row>& column : columns)
      if (column.of != other) {
        EXPECT_TRUE(keys.insert(column.key).second) << column.key;
      }
  }
}

TEST(ReportColumns, HaveEachKeyOnceInEachForm) {
  expectKeysOnce(deviceColumns());
  expectKeysOnce(nameColumns());
  expectKeysOnce(classColumns());
  expectKeysOnce(savingColumns());
  expectKeysOnce(collectiveColumns());
}

}  // namespace
}  // namespace fusebench
