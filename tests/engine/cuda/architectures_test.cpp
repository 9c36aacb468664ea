// SPDX-License-Identifier: GPL-3.0-or-later
// Code for an architecture without its card.
#include <gmock/gmock.h>

#include "engine/cuda/codegen/code_text.h"
#include "engine/cuda/runtime/architecture_backend.h"
#include "engine/cuda/runtime/architectures.h"
#include "engine/plan/kernel.h"
#include "tests/engine/cuda/backend_fixture.h"
#include "tests/engine/cuda/nvrtc_fixture.h"
#include "tests/support/built_paths.h"

namespace fusebench::cuda {
namespace {

using test::messageOf;
using testing::HasSubstr;

std::vector<std::string> languagesOf(const std::vector<GeneratedCode>& code) {
  std::vector<std::string> names;
  for (const GeneratedCode& each : code) names.push_back(each.language);
  return names;
}

std::unique_ptr<Backend> values() {
  return makeCudaBackend(test::onDouble());
}

/// The double's GPU as an architecture.
Architecture architectureOfTheDouble() {
  const DeviceInfo info = listDevices(*Driver::open(fusebench::test::cudaDoublePath())).at(0);
  Architecture made;
  made.number = 10 * info.major + info.minor;
  made.card = "a double";
  made.multiprocessors = info.multiprocessors;
  made.clockKilohertz = info.clockKilohertz;
  made.memoryClockKilohertz = info.memoryClockKilohertz;
  made.memoryBusBits = info.memoryBusBits;
  made.l2Bytes = info.l2Bytes;
  return made;
}

TEST(Architectures, AreKnownByNameInAscendingOrder) {
  int before = 0;
  for (const Architecture& each : architectures()) {
    EXPECT_GT(each.number, before);
    before = each.number;
    EXPECT_TRUE(namesArchitecture(each.name()));
    EXPECT_EQ(architectureOf(each.name()).number, each.number);
    EXPECT_EQ(each.device().major * 10 + each.device().minor, each.number);
  }
  EXPECT_FALSE(namesArchitecture("cuda:0"));
  EXPECT_THAT(messageOf<std::invalid_argument>([] { architectureOf("sm_12"); }),
              HasSubstr("unknown GPU architecture 'sm_12'; choose one of sm_75, sm_80"));
}

using ArchitectureCode = test::CudaBackendTest;

TEST_F(ArchitectureCode, IsThatOfTheBackendOnItsCard) {
  const Architecture architecture = architectureOfTheDouble();
  ArchitectureOptions options;
  options.nvrtc = fusebench::test::cudaDoublePath();
  struct Case {
    const char* text;
    Shape shape;
  };
  const std::vector<Case> cases = {{"return torch.sin(x) + 1", {4, 16}},
                                   {"return torch.softmax(x, dim=1)", {4, 64}},
                                   {"return torch.softmax(x, dim=1)", {1000, 64}},
                                   {"return x.cumsum(0).sum()", {64, 8}},
                                   {"return (x.double() * 2).float()", {3, 5}},
                                   {"return torch.matmul(x, x).relu()", {16, 16}}};
  int compared = 0;
  for (const Case& each : cases)
    for (const char* executor : {"eager", "static", "dynamic", "instant"}) {
      EngineFixture here(makeCudaBackend(test::onDouble()));
      EngineFixture there(makeArchitectureBackend(architecture, values(), options));
      const auto onCard =
          here.executor(executor, each.text)->kernels(std::vector{here.random(each.shape)});
      const auto without =
          there.executor(executor, each.text)->kernels(std::vector{there.random(each.shape)});
      ASSERT_EQ(onCard.size(), without.size()) << executor << ": " << each.text;
      for (std::size_t k = 0; k < onCard.size(); ++k) {
        EXPECT_EQ(canonicalText(onCard[k]), canonicalText(without[k])) << executor;
        const auto code = here.backend().code(onCard[k]);
        const auto alike = there.backend().code(without[k]);
        ASSERT_EQ(languagesOf(code), languagesOf(alike));
        for (std::size_t l = 0; l < code.size(); ++l) {
          EXPECT_EQ(code[l].text, alike[l].text) << code[l].language;
          EXPECT_EQ(code[l].lineOps, alike[l].lineOps) << code[l].language;
        }
        ++compared;
      }
    }
  EXPECT_GT(compared, 20);
}

TEST_F(ArchitectureCode, KeepsWhatEachKernelsLinesStandFor) {
  // Two kernels of one text, which is read once, of two ops.
  EngineFixture fixture;
  const auto kernels = fixture.executor("eager", "x = torch.sin(x)\nreturn torch.sin(x)")
                           ->kernels(std::vector{fixture.random({4})});
  ASSERT_EQ(kernels.size(), 2u);
  const auto first = fixture.backend().code(kernels[0]),
             second = fixture.backend().code(kernels[1]);
  EXPECT_EQ(first[0].text, second[0].text);
  EXPECT_THAT(first[0].lineOps, testing::Contains(0));
  EXPECT_THAT(second[0].lineOps, testing::Contains(1));
  EXPECT_THAT(second[0].lineOps, testing::Not(testing::Contains(0)));
}

TEST(ArchitectureCodes, WithoutACompilerAreCudaAlone) {
  ArchitectureOptions options;
  options.nvrtc = "/nonexistent/libnvrtc.so";
  EngineFixture fixture(makeArchitectureBackend(architectureOf("sm_90"), values(), options));
  EXPECT_THAT(fixture.backend().description(), HasSubstr("no NVRTC"));
  const auto kernels =
      fixture.executor("static", "return torch.sin(x)")->kernels(std::vector{fixture.random({4})});
  EXPECT_EQ(languagesOf(fixture.backend().code(kernels.at(0))), std::vector<std::string>{"cuda"});
}

TEST(GlobalAccesses, AreCountedByWidthMostFrequentFirst) {
  EXPECT_EQ(globalAccesses("\tld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];\n"
                           "\t@%p1 st.global.f32 [%rd2], %f5;\n"
                           "\t@!%p2 st.global.f32 [%rd2], %f5;\n"
                           "\tld.shared.f32 %f6, [%r1];\n"
                           "\tst.global.f32 [%rd2], %f5;\n"
                           "// ld.global.f32\n"),
            "st.global.f32 x3, ld.global.v4.f32 x1");
  EXPECT_EQ(globalAccesses("ret;\n"), "");
}

/// Figures from a real NVRTC and its assembler.
using ResourceTables = NvrtcTest;

TEST_F(ResourceTables, HaveALineForEachEntryOnEachArchitecture) {
  for (const Architecture& each : architectures()) {
    const auto target = nvrtc_->targetFor(each.number / 10, each.number % 10);
    if (!target || target->ptx) continue;  // newer or older than this NVRTC
    EngineFixture fixture(makeArchitectureBackend(each, values()));
    const auto kernels = fixture.executor("static", "return torch.exp(x).sum()")
                             ->kernels(std::vector{fixture.random({1024, 1024})});
    const auto code = fixture.backend().code(kernels.at(0));
    const auto table = std::ranges::find(code, "resources", &GeneratedCode::language);
    ASSERT_NE(table, code.end()) << each.name();
    EXPECT_TRUE(table->text.starts_with("entry ")) << table->text;
    EXPECT_THAT(table->text, HasSubstr("ld.global.nc.v4.f32")) << each.name();
    EXPECT_EQ(std::ranges::count(table->text, '\n'),
              static_cast<std::ptrdiff_t>(table->lineOps.size()));
  }
}

}  // namespace
}  // namespace fusebench::cuda
