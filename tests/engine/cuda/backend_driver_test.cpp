// SPDX-License-Identifier: GPL-3.0-or-later
// Finding, judging and asking the driver: on the double, on half a driver, and on what a toolkit
// ships as a stub.
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "engine/base/saying.h"
#include "engine/cuda/driver/device.h"
#include "tests/engine/cuda/backend_fixture.h"
#include "tests/support/built_paths.h"

namespace fusebench::test {
namespace {

using cuda::CudaError;
using cuda::DeviceInfo;
using cuda::Driver;
using cuda::NoDriver;

/// A variable of the environment for as long as this lives.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~Variable() { unsetenv(name_); }

 private:
  const char* name_;
};

struct DriverRefusal {
  std::string found, remedy;
};
DriverRefusal refusalOf(const std::string& library) {
  try {
    Driver::open(library);
  } catch (const NoDriver& none) {
    return {none.what(), none.remedy()};
  }
  ADD_FAILURE() << library << " was taken for a driver";
  return {};
}

TEST(CudaDriver, OpensAndTellsItsVersionAndFile) {
  const auto driver = Driver::open(fusebench::test::cudaDoublePath());
  EXPECT_EQ(driver->version(), 13990);
  EXPECT_EQ(driver->versionText(), "13.99");
  EXPECT_TRUE(std::filesystem::equivalent(driver->path(), fusebench::test::cudaDoublePath()));
  EXPECT_EQ(Driver::open(fusebench::test::cudaDoublePath()), driver);
  EXPECT_STREQ(driver->eventElapsedTime.name, "cuEventElapsedTime_v2");
  EXPECT_STREQ(driver->memAlloc.name, "cuMemAlloc_v2");
}

TEST(CudaDriver, OpensWhatTheEnvironmentNames) {
  const Variable named("FUSEBENCH_CUDA_DRIVER", fusebench::test::cudaDoublePath());
  EXPECT_EQ(Driver::open(), Driver::open(fusebench::test::cudaDoublePath()));
}

TEST(CudaDriver, Version12IsServedAndOlderOnesAreNot) {
  {
    const Variable version("FUSEBENCH_DOUBLE_VERSION", "12000");
    EXPECT_EQ(Driver::open(unopenedDouble())->versionText(), "12.0");
  }
  const Variable version("FUSEBENCH_DOUBLE_VERSION", "11080");
  const DriverRefusal refusal = refusalOf(unopenedDouble());
  EXPECT_TRUE(holds(refusal.found, "supports CUDA 11.8; 12.0 or newer is needed")) << refusal.found;
  EXPECT_TRUE(holds(refusal.remedy, "update NVIDIA's driver")) << refusal.remedy;
}

TEST(CudaDriver, AFailureIsTriedAnew) {
  const std::string name = unopenedDouble();
  {
    const Variable version("FUSEBENCH_DOUBLE_VERSION", "11080");
    refusalOf(name);
  }
  EXPECT_EQ(Driver::open(name)->version(), 13990);
}

TEST(CudaDriver, AStubIsRejected) {
  const Variable stub("FUSEBENCH_DOUBLE_INIT", "34");
  const DriverRefusal refusal = refusalOf(unopenedDouble());
  EXPECT_TRUE(holds(refusal.found, "is a stub library of a CUDA toolkit")) << refusal.found;
  EXPECT_TRUE(holds(refusal.remedy, "LD_LIBRARY_PATH")) << refusal.remedy;
}

TEST(CudaDriver, TheToolkitsOwnStubIsRejected) {
  const char* const stub = "/usr/local/cuda/lib64/stubs/libcuda.so";
  if (!std::filesystem::exists(stub)) GTEST_SKIP() << "no CUDA toolkit at /usr/local/cuda";
  const DriverRefusal refusal = refusalOf(stub);
  EXPECT_TRUE(holds(refusal.found, "is a stub library of a CUDA toolkit")) << refusal.found;
}

TEST(CudaDriver, NoDeviceAndATroubledDriverAreToldApart) {
  {
    const Variable none("FUSEBENCH_DOUBLE_INIT", "100");
    const DriverRefusal refusal = refusalOf(unopenedDouble());
    EXPECT_TRUE(holds(refusal.found, "(CUDA 13.99) sees no device")) << refusal.found;
    EXPECT_TRUE(holds(refusal.remedy, "CUDA_VISIBLE_DEVICES")) << refusal.remedy;
  }
  const Variable mismatch("FUSEBENCH_DOUBLE_INIT", "803");
  const DriverRefusal refusal = refusalOf(unopenedDouble());
  EXPECT_TRUE(holds(refusal.found, "cuInit: CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (803)"))
      << refusal.found;
}

TEST(CudaDriver, MissingFunctionsAreNamed) {
  const DriverRefusal refusal = refusalOf(fusebench::test::cudaBrokenPath());
  EXPECT_TRUE(holds(refusal.found,
                    "is not a complete CUDA driver: it has no cuDeviceGetCount, cuDeviceGet, "
                    "cuDeviceGetName and "))
      << refusal.found;
}

TEST(CudaDriver, AnAbsentLibraryIsSaidToBeAbsent) {
  const DriverRefusal refusal = refusalOf("/nowhere/libcuda.so.1");
  EXPECT_TRUE(holds(refusal.found, "/nowhere/libcuda.so.1 cannot be opened")) << refusal.found;
  EXPECT_TRUE(holds(refusal.remedy, "install NVIDIA's driver")) << refusal.remedy;
}

TEST(CudaDriver, WhyThereIsNoneIsSaidInTheChosenLanguage) {
  setMessages({{"{} cannot be opened: {}", "无法打开 {}：{}"},
               {"see CUresult in the CUDA Driver API manual", "见手册"}});
  const DriverRefusal refusal = refusalOf("/nowhere/else/libcuda.so.1");
  EXPECT_TRUE(holds(refusal.found, "无法打开 /nowhere/else/libcuda.so.1：")) << refusal.found;
  EXPECT_TRUE(holds(CudaError("cuInit", 12345).what(), "见手册"));
  setMessages({});
}

TEST(CudaErrors, CarryCallNameMeaningAndPurpose) {
  const CudaError error("cuMemAlloc_v2", 2);
  EXPECT_STREQ(error.what(),
               "cuMemAlloc_v2: CUDA_ERROR_OUT_OF_MEMORY (2): not enough memory on the device");
  const CudaError during = error.during("launching sin");
  EXPECT_STREQ(during.what(),
               "cuMemAlloc_v2: CUDA_ERROR_OUT_OF_MEMORY (2): not enough memory on the device; "
               "launching sin");
  EXPECT_STREQ(during.during("something wider").what(), during.what());
  EXPECT_EQ(during.call(), "cuMemAlloc_v2");
  EXPECT_EQ(during.result(), 2);
  EXPECT_EQ(during.purpose(), "launching sin");
}

TEST(CudaErrors, StickyOnesAreThoseAfterWhichAContextIsLost) {
  for (int result : {700, 702, 710, 714, 715, 716, 717, 718, 719, 214, 709})
    EXPECT_TRUE(CudaError("x", result).isSticky()) << result;
  for (int result : {0, 1, 2, 34, 100, 200, 209, 222, 400, 600, 701, 801, 900, 901, 123456})
    EXPECT_FALSE(CudaError("x", result).isSticky()) << result;
  EXPECT_EQ(cuda::errorName(123456), "an error without a name here");
}

TEST(CudaDevices, AreListedWithWhatMeasuringNeedsToKnow) {
  const auto devices = cuda::listDevices(*Driver::open(fusebench::test::cudaDoublePath()));
  ASSERT_EQ(devices.size(), 2u);
  EXPECT_EQ(devices[1].index, 1);
  EXPECT_EQ(devices[1].name, "Fusebench double 1");
  EXPECT_EQ(devices[1].uuid, "GPU-20212223-2425-2627-2829-2a2b2c2d2e2f");
  EXPECT_EQ(devices[0].major, 9);
  EXPECT_EQ(devices[0].minor, 0);
  EXPECT_EQ(devices[0].multiprocessors, 4);
  EXPECT_EQ(devices[0].memoryBytes, std::size_t{1} << 30);
  EXPECT_EQ(devices[0].l2Bytes, std::size_t{1} << 20);
  EXPECT_EQ(devices[0].clockKilohertz, 1'000'000);
  EXPECT_TRUE(devices[0].memoryPools);
  EXPECT_EQ(devices[0].text(), "Fusebench double 0, compute capability 9.0, 4 multiprocessors");
}

TEST(CudaDevices, AreChosenByIndexOrUuid) {
  const auto devices = cuda::listDevices(*Driver::open(fusebench::test::cudaDoublePath()));
  const auto chosen = [&](std::string_view wanted) {
    return cuda::chooseDevice(devices, wanted).index;
  };
  EXPECT_EQ(chosen(""), 0);
  EXPECT_EQ(chosen("cuda"), 0);
  EXPECT_EQ(chosen("cuda:1"), 1);
  EXPECT_EQ(chosen("1"), 1);
  EXPECT_EQ(chosen("GPU-20"), 1);
  EXPECT_EQ(chosen(devices[0].uuid), 0);
  for (const char* wrong : {"2", "cuda:2", "cuda:", "-1", "GPU-ff", "tpu", "1x"})
    EXPECT_TRUE(holds(messageOf<std::invalid_argument>([&] { chosen(wrong); }),
                      std::string("no CUDA device '") + wrong + "'; there are cuda:0 ("))
        << wrong;
  EXPECT_TRUE(holds(messageOf<std::invalid_argument>([&] { chosen("GPU-"); }), "several devices"));
  EXPECT_TRUE(holds(messageOf<std::invalid_argument>([] { cuda::chooseDevice({}, ""); }), "none"));
}

}  // namespace
}  // namespace fusebench::test
