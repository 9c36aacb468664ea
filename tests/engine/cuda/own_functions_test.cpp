// SPDX-License-Identifier: GPL-3.0-or-later
// Tests the functions that the CUDA source defines itself: the same source that a GPU gets,
// compiled for the host. They use only IEEE operations, except where they pass special arguments to
// the library, so that a GPU computes the same bits.
#include <dlfcn.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <stdexcept>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/cuda/codegen/codegen.h"
#include "tests/doubles/cuda/host_compiler.h"
#include "tests/engine/cuda/kernels.h"
#include "tests/engine/support/op_values.h"
#include "tests/temporary_folder.h"

namespace fusebench::cuda {
namespace {

using test::CudaKernels;
using test::ulpError;

/// A one-op kernel on the host: eager's, which takes any number of elements.
class HostKernel {
 public:
  HostKernel(const std::string& program, int inputs)
      : source_(generate(CudaKernels::one(
            "eager", program,
            std::vector<CudaKernels::Input>(static_cast<std::size_t>(inputs), {{64}})))) {
    const test::HostCompiled compiled = test::compileForHost(source_.text);
    if (compiled.library.empty()) throw std::runtime_error(compiled.log);
    const test::TemporaryFolder folder;
    const auto file = folder / "own-function.so";
    std::ofstream(file, std::ios::binary)
        .write(compiled.library.data(), static_cast<std::streamsize>(compiled.library.size()));
    library_ = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library_)
      run_ =
          reinterpret_cast<Run*>(::dlsym(library_, ("fb_run_" + source_.entries[0].name).c_str()));
    if (!run_) throw std::runtime_error("the compiled kernel cannot be loaded");
  }
  ~HostKernel() { ::dlclose(library_); }
  HostKernel(const HostKernel&) = delete;
  HostKernel& operator=(const HostKernel&) = delete;

  std::vector<float> operator()(const std::vector<const std::vector<float>*>& inputs) const {
    std::vector<float> result(inputs[0]->size());
    std::vector<const float*> pointers;
    for (const auto* input : inputs) pointers.push_back(input->data());
    float* to = result.data();
    long long count = static_cast<long long>(result.size());
    std::vector<void*> arguments;
    for (const float*& pointer : pointers) arguments.push_back(&pointer);
    arguments.push_back(&to);
    arguments.push_back(&count);
    const std::int64_t size = count;
    const LaunchStep step = source_.plan(&size, 4).step;
    const unsigned launch[] = {step.blocksX, step.blocksY, step.threadsX, step.threadsY};
    run_(nullptr, launch, arguments.data());
    return result;
  }

 private:
  using Run = void(const void* runtime, const unsigned* launch, void** arguments);
  Source source_;
  void* library_ = nullptr;
  Run* run_ = nullptr;
};

/// Both signs of every exponent with 1,024 mantissas each, their low bits mixed.
std::vector<float> everyExponent() {
  std::vector<float> made;
  for (std::uint32_t sign = 0; sign < 2; ++sign)
    for (std::uint32_t exponent = 0; exponent < 256; ++exponent)
      for (std::uint32_t i = 0; i < 1024; ++i) {
        const std::uint32_t low = (i * 2654435761u + exponent * 40503u) >> 19;
        made.push_back(std::bit_cast<float>(sign << 31 | exponent << 23 | i << 13 | low));
      }
  for (const float value : {0.0f, 1.0f, 1.5707964f, 3.1415927f, 10.0f, 1000.0f})
    for (const float sign : {1.0f, -1.0f})
      for (const float toward : {-INFINITY, INFINITY}) {
        made.push_back(sign * value);
        made.push_back(std::nextafter(sign * value, toward));
      }
  return made;
}

struct Unary {
  const char* program;
  double (*exact)(double);
};

class OwnFunctions : public ::testing::TestWithParam<Unary> {};

// Half a unit is what rounding to float32 costs; the formulas in double add next to nothing.
TEST_P(OwnFunctions, AreCorrectlyRoundedButForRareTies) {
  const HostKernel kernel(GetParam().program, 1);
  const std::vector<float> x = everyExponent(), y = kernel({&x});
  double worst = 0;
  std::size_t at = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double exact = GetParam().exact(static_cast<double>(x[i]));
    if (const double error = ulpError(exact, y[i]); error > worst) worst = error, at = i;
    if (exact == 0 && x[i] == 0) {
      EXPECT_EQ(std::signbit(y[i]), std::signbit(exact));
    }
  }
  EXPECT_LE(worst, 0.53) << fmt::format("{} at {} ({:a}): {}", GetParam().program, x[at], x[at],
                                        y[at]);
}

INSTANTIATE_TEST_SUITE_P(All, OwnFunctions,
                         ::testing::Values(Unary{"return torch.tan(x)", std::tan},
                                           Unary{"return torch.log10(x)", std::log10},
                                           Unary{"return torch.acosh(x)", std::acosh},
                                           Unary{"return torch.erfc(x)", std::erfc}),
                         [](const auto& test) {
                           const std::string text = test.param.program;
                           return text.substr(13, text.find('(') - 13);
                         });

TEST(OwnPower, IsCorrectlyRoundedButForRareTiesAndHasTheSpecialsOfC) {
  const HostKernel kernel("return torch.pow(x, y)", 2);
  std::vector<float> x, y;
  const auto add = [&](float a, float b) {
    x.push_back(a);
    y.push_back(b);
  };
  const float specials[] = {0.0f, 0x1p-149f, 0x1p-126f, 0.5f,     1.0f, 1.5f, 2.0f,
                            3.0f, 0x1p24f,   3e38f,     INFINITY, NAN,  7.0f, 0.99999994f};
  for (float a : specials)
    for (float b : specials)
      for (float i : {1.0f, -1.0f})
        for (float j : {1.0f, -1.0f}) add(i * a, j * b);
  std::mt19937 random(5);
  std::uniform_real_distribution<float> unit(0, 1);
  for (int i = 0; i < 100'000; ++i) {
    add(std::bit_cast<float>(static_cast<std::uint32_t>(random())),
        std::bit_cast<float>(static_cast<std::uint32_t>(random())));
    add(20 * unit(random), 20 * unit(random) - 10);
    // A base near 1 with an exponent that makes up for it.
    const float base =
        1 + (unit(random) - 0.5f) * std::ldexp(1.0f, -static_cast<int>(random() % 22));
    if (base != 1) add(base, 87 / std::log(base) * unit(random));
    add(-20 * unit(random), static_cast<float>(static_cast<int>(random() % 61) - 30));
  }
  const std::vector<float> z = kernel({&x, &y});
  double worst = 0;
  std::size_t at = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double exact = std::pow(static_cast<double>(x[i]), static_cast<double>(y[i]));
    if (const double error = ulpError(exact, z[i]); error > worst) worst = error, at = i;
    if (exact == 0) {
      ASSERT_EQ(std::signbit(z[i]), std::signbit(exact)) << x[i] << " " << y[i];
    }
  }
  EXPECT_LE(worst, 0.53) << x[at] << " to the power of " << y[at] << ": " << z[at];
}

}  // namespace
}  // namespace fusebench::cuda
