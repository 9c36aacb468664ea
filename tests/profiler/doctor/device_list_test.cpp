// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/doctor/device_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <stdexcept>

#include "profiler/protocol/worker_client.h"
#include "profiler/study/study.h"
#include "tests/profiler/run/sample_data.h"
#include "tests/profiler/worker/fake_worker.h"

namespace fusebench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

constexpr const char* kTwoGpus = R"json({"fusebench": "devices", "version": 1, "devices": [
  {"name": "cpu", "description": "AMD EPYC, AVX-512 with FMA", "vector_units": ["AVX-512", "AVX2"],
   "memory_bytes": 1073741824},
  {"name": "cuda:0", "description": "NVIDIA H100, 132 multiprocessors", "model": "NVIDIA H100",
   "uuid": "GPU-10111213", "memory_bytes": 1073741824, "clock_khz": 1980000,
   "limit": "only instant runs"},
  {"name": "cuda:1", "description": "NVIDIA A2", "model": "NVIDIA A2", "uuid": "GPU-20212223",
   "memory_bytes": 1073741824, "clock_khz": 0}], "unavailable": []})json";

TEST(ListedDevices, HaveTheirOwnNamesAndWhatThereIsToSay) {
  const DeviceList devices = readDevices(kTwoGpus);
  ASSERT_THAT(devices, SizeIs(3));
  EXPECT_EQ(devices[0].model, "AMD EPYC");
  EXPECT_EQ(devices[0].details, "AVX-512, 1.00 GiB of memory");
  EXPECT_EQ(devices[1].model, "NVIDIA H100");
  EXPECT_EQ(devices[1].details, "1.00 GiB of memory, up to 1980 MHz");
  EXPECT_EQ(devices[1].limit, "only instant runs");
  EXPECT_TRUE(devices[2].limit.empty());
}

TEST(ListedDevices, AreFoundByEachOfTheirNames) {
  const DeviceList devices = readDevices(kTwoGpus);
  const auto found = [&](const char* name) {
    const ListedDevice* device = findDevice(devices, name);
    return device ? device->name : "";
  };
  EXPECT_EQ(found("cpu"), "cpu");
  EXPECT_EQ(found("cuda"), "cuda:0");
  EXPECT_EQ(found("cuda:1"), "cuda:1");
  EXPECT_EQ(found("GPU-2021"), "cuda:1");
  for (const char* none : {"", "cuda:2", "GPU-3", "gpu"}) EXPECT_EQ(found(none), "") << none;
}

TEST(ListedDevices, AreTheDeviceOfARunByItsUuidBeforeItsName) {
  const DeviceList devices = readDevices(kTwoGpus);
  const auto found = [&](const char* name, const nlohmann::json& environment) {
    const ListedDevice* device = findDeviceOf(devices, name, environment);
    return device ? device->name : "";
  };
  EXPECT_EQ(found("cuda:0", {{"gpu_uuid", "GPU-20212223"}}), "cuda:1") << "another order then";
  EXPECT_EQ(found("cuda:0", {{"gpu_uuid", "GPU-30313233"}}), "") << "another card";
  EXPECT_EQ(found("GPU-1011", {{"gpu_uuid", "GPU-10111213"}}), "cuda:0");
  EXPECT_EQ(found("cuda", nlohmann::json::object()), "cuda:0");
  EXPECT_EQ(found("cpu", nullptr), "cpu");
}

TEST(ListedDevices, SayWhyOneIsMissingAndAreNotTaken) {
  const DeviceList devices = readDevices(R"json({"fusebench": "devices", "version": 1,
    "devices": [{"name": "cpu", "description": "AMD EPYC"}],
    "unavailable": [{"name": "cuda:0", "reason": "no GPU: no driver", "remedy": "install it"}]})json");
  ASSERT_THAT(devices, SizeIs(2));
  EXPECT_EQ(devices[1].problem, "no GPU: no driver");
  EXPECT_EQ(devices[1].remedy, "install it");
  EXPECT_EQ(findDevice(devices, "cuda:0"), nullptr);
}

TEST(ListedDevices, OfACommandThatFailsAreAnErrorInOneLine) {
  for (const char* text : {"", "{}", "[]", R"({"fusebench": "devices", "devices": 3})"})
    EXPECT_THROW(readDevices(text), std::runtime_error) << text;
  try {
    askDevices({"/bin/false"}, {});
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("exited without output"));
  }
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW(askDevices({"/bin/sleep", "60"}, stop.get_token()), StopRequested);
}

TEST(ListedDevices, NameTheGpuOfARunAndElseTheProcessor) {
  const nlohmann::json environment = {
      {"cpu", {{"model", "AMD EPYC"}}},
      {"backend", "NVIDIA H100, compute capability 9.0, 132 multiprocessors, driver CUDA 13.0"}};
  EXPECT_EQ(deviceModel(environment, "cpu"), "AMD EPYC");
  EXPECT_EQ(deviceModel(environment, "cuda:0"), "NVIDIA H100");
  EXPECT_EQ(deviceModel(nullptr, "cuda:0"), "");
  EXPECT_EQ(deviceModel(nlohmann::json::object(), "cpu"), "");
}

TEST(OptionsOnADevice, NameItToTheWorkerOnce) {
  StudyOptions options;
  EXPECT_TRUE(onDevice(options, "cuda:0").workerCommand.empty());
  options.workerCommand = {"fusebench-cli", "worker"};
  options = onDevice(options, "cuda:0");
  EXPECT_EQ(options.device, "cuda:0");
  EXPECT_THAT(options.workerCommand, ElementsAre("fusebench-cli", "worker", "--device", "cuda:0"));
  options = onDevice(options, "cpu");
  EXPECT_THAT(options.workerCommand, ElementsAre("fusebench-cli", "worker", "--device", "cpu"));
}

TEST(OptionsOnADevice, DoNotAddSamplesToARunOfAnotherOne) {
  FakeWorld world;
  StudyOptions options;
  options.connect = world.connector();
  options.seconds = [&] { return world.seconds; };
  options.device = "cuda";
  StudyObserver nobody;
  const Experiment experiment = smallExperiment({1});
  const fusebench::Run earlier = runStudy(experiment, options, nobody, {}).run;
  EXPECT_NO_THROW(runStudy(experiment, onDevice(options, "cuda:0"), nobody, {}, &earlier));
  try {
    runStudy(experiment, onDevice(options, "cpu"), nobody, {}, &earlier);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("was measured on cuda, not on cpu"));
  }
}

TEST(OptionsOnADevice, KnowAGpuByItsUuidWhateverItIsCalled) {
  FakeWorld world;
  world.greeting["environment"] = {{"gpu_uuid", "GPU-10111213"}};
  StudyOptions options;
  options.connect = world.connector();
  options.seconds = [&] { return world.seconds; };
  options.device = "GPU-1011";
  StudyObserver nobody;
  const Experiment experiment = smallExperiment({1});
  const fusebench::Run earlier = runStudy(experiment, options, nobody, {}).run;
  EXPECT_EQ(deviceId(earlier.environment), "GPU-10111213");
  const StudyOptions byIndex = onDevice(options, "cuda:1");
  EXPECT_FALSE(runStudy(experiment, byIndex, nobody, {}, &earlier).failed);
  world.greeting["environment"] = {{"gpu_uuid", "GPU-20212223"}};
  const StudyOutcome other = runStudy(experiment, byIndex, nobody, {}, &earlier);
  EXPECT_TRUE(other.failed);
  EXPECT_EQ(other.message,
            "the run to continue was measured on GPU-10111213, and cuda:1 is GPU-20212223; choose "
            "that device, or start a new run");
  EXPECT_THROW(runStudy(experiment, onDevice(options, "cpu"), nobody, {}, &earlier), InputError);
}

}  // namespace
}  // namespace fusebench
