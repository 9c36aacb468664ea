// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/driver/disassembler.h"

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <gmock/gmock.h>

#include "tests/engine/cuda/backend_fixture.h"
#include "tests/temporary_folder.h"

namespace fusebench::cuda {
namespace {

using testing::HasSubstr;

/// As nvdisasm 13.0 prints it with -c -g -ndf, shortened.
constexpr std::string_view kPrinted = R"(	.target	sm_90

//--------------------- .text.k                   --------------------------
	.section	.text.k,"ax",@progbits
	.align	128
k:
.text.k:
	//## File "kernel.cu", line 1
        /*0000*/                   LDC R1, c[0x0][0x28] ;
	//## File "kernel.cu", line 3 inlined at "kernel.cu", line 7
        /*0010*/                   S2R R0, SR_CTAID.X ;
.L_x_1:
        /*2af0*/               @P0 EXIT ;
)";

TEST(Disassembly, HasInstructionsAndLabelsWithTheLinesTheyComeFrom) {
  const Disassembly read = readDisassembly(kPrinted);
  EXPECT_EQ(read.text,
            ".text.k:\n"
            "        /*0000*/                   LDC R1, c[0x0][0x28] ;\n"
            "        /*0010*/                   S2R R0, SR_CTAID.X ;\n"
            ".L_x_1:\n"
            "        /*2af0*/               @P0 EXIT ;\n");
  EXPECT_EQ(read.sourceLines, (std::vector{0, 1, 7, 0, 7}));
}

TEST(Disassembly, OfCuobjdumpLeavesOutTheEncoding) {
  const Disassembly read = readDisassembly(
      "\tcode for sm_90\n"
      "\t\tFunction : k\n"
      "\t.headerflags\t@\"EF_CUDA_SM90\"\n"
      "        /*0000*/                   LDC R1, c[0x0][0x28] ;   /* 0x00000a00ff017b82 */\n"
      "                                                            /* 0x000fe20000000800 */\n"
      "\t\t..........\n");
  EXPECT_EQ(
      read.text,
      "\t\tFunction : k\n"
      "        /*0000*/                   LDC R1, c[0x0][0x28] ;   /* 0x00000a00ff017b82 */\n");
}

class Disassemblers : public testing::Test {
 protected:
  ~Disassemblers() override { unsetenv("FUSEBENCH_CUDA_NVDISASM"); }
  std::string program(const std::string& name, const std::string& text) {
    const std::string path = folder_.path(name);
    std::ofstream(path) << "#!/bin/sh\n" << text;
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  }
  test::TemporaryFolder folder_;
};

TEST_F(Disassemblers, AreGivenTheMachineCodeAsAFile) {
  const Disassembler made(program("nvdisasm",
                                  "echo '.text.k:'\n"
                                  "echo \"/*0000*/ $1 $2 $3 $(cat \"$4\")\"\n"));
  EXPECT_EQ(made.read("the code").text, ".text.k:\n/*0000*/ -c -g -ndf the code\n");
  const Disassembler dumps(program("cuobjdump", "echo \"/*0000*/ $1 $(cat \"$2\")\"\n"));
  EXPECT_EQ(dumps.read("the code").text, "/*0000*/ -sass the code\n");
}

TEST_F(Disassemblers, ThatFailSayWhy) {
  const Disassembler made(program("nvdisasm", "echo 'not a cubin' >&2\nexit 1\n"));
  EXPECT_THAT(test::messageOf<std::runtime_error>([&] { made.read("x"); }),
              HasSubstr("nvdisasm failed: not a cubin"));
}

TEST_F(Disassemblers, AreFoundByNameOrBesideTheLibrary) {
  const std::string named = program("mine", "");
  setenv("FUSEBENCH_CUDA_NVDISASM", named.c_str(), 1);
  EXPECT_EQ(Disassembler::find("")->program(), named);
  setenv("FUSEBENCH_CUDA_NVDISASM", folder_.path("none").c_str(), 1);
  EXPECT_EQ(Disassembler::find(""), nullptr);
  unsetenv("FUSEBENCH_CUDA_NVDISASM");
  std::filesystem::create_directories(folder_.path("toolkit/bin"));
  const std::string beside = program("toolkit/bin/nvdisasm", "");
  EXPECT_EQ(Disassembler::find(folder_.path("toolkit/lib64/libnvrtc.so"))->program(), beside);
}

TEST_F(Disassemblers, ThatFailLeaveTheOtherLanguages) {
  setenv("FUSEBENCH_CUDA_NVDISASM",
         program("nvdisasm", "echo 'no such format' >&2\nexit 1\n").c_str(), 1);
  EngineFixture fixture;
  const auto kernels =
      fixture.executor("static", "return torch.sin(x)")->kernels(std::vector{fixture.random({4})});
  const auto code = fixture.backend().code(kernels.at(0));
  ASSERT_EQ(code.size(), 4u);
  EXPECT_EQ(code[2].language, "sass");
  EXPECT_THAT(code[2].text, HasSubstr("no such format"));
  EXPECT_EQ(code[3].language, "resources");
}

}  // namespace
}  // namespace fusebench::cuda
