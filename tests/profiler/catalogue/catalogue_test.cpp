// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/catalogue/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "engine/base/said_again.h"
#include "profiler/files/input_error.h"
#include "profiler/machine/sim_devices.h"

namespace fusebench {
namespace {

class Catalogue : public testing::Test {
 protected:
  void TearDown() override { setLanguage("en"); }
};

TEST_F(Catalogue, SaysInTheChosenLanguageAndInEnglishWhatItLacks) {
  EXPECT_EQ(said("Predict"), "Predict");
  setLanguage("zh_CN");
  EXPECT_EQ(said("Predict"), "先预测");
  EXPECT_EQ(said("no such message"), "no such message");
  EXPECT_EQ(saying("Predicted: {}", 3), "预测：3");
}

TEST_F(Catalogue, SaysAgainWhatWasSaidInEnglish) {
  const std::string note = "the median of 3 recordings; a marker costs 8.0 ns, not subtracted";
  EXPECT_EQ(saidAgain(note), note);
  setLanguage("zh_CN");
  EXPECT_EQ(saidAgain(note), "3 次记录的中位数；一个标记要 8.0 ns，没有扣除");
  EXPECT_EQ(saidAgain("checked on the first 7 of 90 rows"), "核对了 90 行中的前 7 行");
  // Two sentences, the second of which was put behind the first.
  EXPECT_EQ(saidAgain("checked on 3 of 6 shapes; layers in float16, each between two casts"),
            "核对了 6 种形状中的 3 种；各层以 float16 计算，前后各有一次类型转换");
  // A device that is simulated: its name and how true it is, a note, and whose the values are.
  EXPECT_EQ(
      saidAgain(
          "slow launches, a teaching device, made up for teaching: it models no real device; A "
          "launch takes ten times as long on the host as a small kernel takes on the device, and a "
          "stream queues at most sixteen: queues run empty and fill up within a few calls.; values "
          "by AMD EPYC, AVX2 with FMA, 8 float lanes, LLVM 19.1.7, 1 thread"),
      "慢启动，教学用设备，为教学而虚构：不对应任何真实设备；主机启动一次的时间是设备执行一个小内"
      "核的十倍，一个流最多排十六个：几次调用之内队列就会变空或排满。；值来自 AMD EPYC，AVX2 和 "
      "FMA，8 个 float 通道，LLVM 19.1.7，1 个线程");
  // Names stay, though "Predict" is a message, and so does what nobody here has said.
  EXPECT_EQ(saidAgain("Predict"), "Predict");
  EXPECT_EQ(saidAgain("recorded on a rainy day"), "recorded on a rainy day");
}

TEST_F(Catalogue, EveryTeachingDeviceHasAChineseNameInRuns) {
  setLanguage("zh_CN");
  int devices = 0;
  for (const SimDevice& device : simDevices()) {
    if (!device.madeUp) continue;
    ++devices;
    const std::string backend = "simulated " + device.title + ", made up; values by AMD EPYC";
    const std::string name(said(backend.substr(0, backend.find(','))));
    EXPECT_EQ(name.rfind("模拟的", 0), 0u) << name;
    EXPECT_EQ(saidAgain(backend).rfind(name + "，教学用设备，", 0), 0u) << saidAgain(backend);
  }
  EXPECT_GE(devices, 3);
}

/// Its process is Python's and speaks English; so do runs that were recorded in English.
TEST_F(Catalogue, SaysAgainWhatPyTorchsProcessLacks) {
  setLanguage("zh_CN");
  EXPECT_EQ(saidAgain("torch 1.13.0 sees no CUDA device"), "torch 1.13.0 看不到 CUDA 设备");
  EXPECT_EQ(saidAgain("Python 3.11.2 (/usr/bin/python3) has no PyTorch; install it there (pip "
                      "install torch; for Debian's own Python, apt-get install python3-torch), or "
                      "name an interpreter that has it: with --python or FUSEBENCH_PYTHON, or in "
                      "the window's menu under Python for PyTorch"),
            "Python 3.11.2 (/usr/bin/python3) 没有 PyTorch；请在那里安装（pip install "
            "torch；Debian 自带的 Python 用 apt-get install "
            "python3-torch），或指定已装有它的解释器：--python、FUSEBENCH_PYTHON，或窗口菜单里的"
            "“PyTorch 用的 Python”");
  EXPECT_EQ(saidAgain("nothing here can be quantized: PyTorch supports \"static int8\" for linear"),
            "这里没有可以量化的层：PyTorch 只对 linear 做“static int8”");
}

/// The English text identifies these reasons, and runs store it.
TEST_F(Catalogue, SaysAgainWhyProgramsWereCompiledAnew) {
  setLanguage("zh_CN");
  EXPECT_EQ(saidAgain("first call"), "第一次调用");
  EXPECT_EQ(saidAgain("input x: size of dim 1 is 7, compiled for 16"),
            "输入 x：第 1 维的大小是 7，而编译时是 16");
  EXPECT_EQ(saidAgain("input x: size of dim 0 is 1, compiled for 2 or more"),
            "输入 x：第 0 维的大小是 1，而编译时是 2 或更大");
  EXPECT_EQ(saidAgain("input x: strided, compiled for contiguous"),
            "输入 x：有间隔，而编译时是连续的");
  EXPECT_EQ(saidAgain("NVIDIA H200, compute capability 9.0, 132 multiprocessors"),
            "NVIDIA H200，计算能力 9.0，132 个多处理器");
}

/// The parser speaks English; what it said is found again where it is shown.
TEST_F(Catalogue, SaysAgainWhatIsWrongWithAProgram) {
  setLanguage("zh_CN");
  EXPECT_EQ(saidAgain("torch.relu takes at most 1 argument; it takes input"),
            "torch.relu 最多有 1 个参数；参数为 input");
  EXPECT_EQ(saidAgain("'(' is never closed"), "“(”没有闭合");
  EXPECT_EQ(saidAgain("add: shapes (8, 4) and (3,) do not fit; dimensions, counted from the last, "
                      "must be equal or 1"),
            "add：形状 (8, 4) 与 (3,) 不相配；从最后一维数起，各维须相等或为 1");
  EXPECT_EQ(saidAgain("expected ')' to close '(', but found the end of the line"),
            "为闭合“(”应有“)”，而这里是 行末");
}

TEST_F(Catalogue, RefusesALanguageThatThereIsNone) {
  EXPECT_THROW(setLanguage("tlh"), InputError);
  EXPECT_EQ(language(), "en");
}

TEST_F(Catalogue, TakesTheSystemsLanguage) {
  const auto asked = [](const char* locale) {
    ::setenv("LC_ALL", locale, 1);
    const std::string language = systemLanguage();
    ::unsetenv("LC_ALL");
    return language;
  };
  EXPECT_EQ(asked("zh_CN.UTF-8"), "zh_CN");
  EXPECT_EQ(asked("zh_SG.UTF-8"), "zh_CN");
  EXPECT_EQ(asked("zh_TW.UTF-8"), "en");
  EXPECT_EQ(asked("de_DE.UTF-8"), "en");
}

}  // namespace
}  // namespace fusebench
