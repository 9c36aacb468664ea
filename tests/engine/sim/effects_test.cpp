// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/model_effects.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/language/parser.h"
#include "engine/run/executor.h"
#include "engine/sim/sim_backend.h"

namespace fusebench {
namespace {

struct Given {
  Shape shape;
  DType dtype = DType::float32;
};

/// Keys of what a call of the program needs and the model leaves out.
std::vector<std::string_view> missingOf(const char* program, const std::vector<Given>& inputs,
                                        const char* executor = "static") {
  SimOptions options;
  options.title = "test";
  const auto backend = makeSimBackend(options, nullptr);
  backend->setComputing(false);
  std::vector<Tensor> tensors;
  for (const Given& input : inputs)
    tensors.push_back(makeTensor(backend->allocator(), input.dtype, input.shape));
  const auto made = makeExecutor(executor, *backend, parseProgram(program));
  made->call(tensors);
  return sim::keysOf(backend->takeMissingEffects());
}

using Keys = std::vector<std::string_view>;

TEST(EffectsNotModeled, AreNoneOfOpsInMemoryOrder) {
  for (const char* executor : {"eager", "static", "dynamic", "instant", "replay"}) {
    EXPECT_EQ(missingOf("return torch.sin(x) * 2 + y", {{{64, 32}}, {{32}}}, executor), Keys{})
        << executor;
    EXPECT_EQ(missingOf("return x.sum(0) + x.mean()", {{{64, 32}}}, executor), Keys{}) << executor;
    EXPECT_EQ(missingOf("return x @ y", {{{64, 32}}, {{32, 16}}}, executor), Keys{}) << executor;
  }
  EXPECT_EQ(missingOf("return x * 2", {{{1}}}), Keys{});
  EXPECT_EQ(missingOf("return x + y", {{{64, 1}}, {{1, 32}}}), Keys{});
  EXPECT_EQ(missingOf("return F.conv2d(x, w)", {{{2, 3, 8, 8}}, {{4, 3, 3, 3}}}), Keys{});
}

TEST(EffectsNotModeled, AreTheOrderOfOperandsWhereTheyLieOtherwise) {
  const Keys order = {"element_order"};
  for (const char* executor : {"eager", "static", "dynamic", "replay"}) {
    EXPECT_EQ(missingOf("return x + y.t()", {{{64, 32}}, {{32, 64}}}, executor), order) << executor;
    EXPECT_EQ(missingOf("return x.t().contiguous()", {{{64, 32}}}, executor), order) << executor;
    EXPECT_EQ(missingOf("return torch.sin(x[:, ::2])", {{{64, 32}}}, executor), order) << executor;
  }
  EXPECT_EQ(missingOf("return x[:, ::2] @ y", {{{64, 32}}, {{16, 8}}}), order);
  // Both operands have the same order, and a library takes a transposed operand.
  EXPECT_EQ(missingOf("return x.t() * 2 + y.t()", {{{64, 32}}, {{64, 32}}}), Keys{});
  EXPECT_EQ(missingOf("return x @ y.t()", {{{64, 32}}, {{16, 32}}}), Keys{});
}

TEST(EffectsNotModeled, AreLayoutDtypeAndSearchOfALibrarysCalls) {
  EXPECT_EQ(missingOf("return F.conv2d(x.to(memory_format=torch.channels_last), w)",
                      {{{2, 3, 8, 8}}, {{4, 3, 3, 3}}})
                .back(),
            "window_layout");
  EXPECT_EQ(missingOf("return x @ y", {{{64, 32}, DType::float16}, {{32, 16}, DType::float16}}),
            Keys{"product_dtype"});
}

TEST(EffectsNotModeled, AreThoseOfTheCallsSinceTheyWereTaken) {
  SimOptions options;
  options.title = "test";
  const auto backend = makeSimBackend(options, nullptr);
  backend->setComputing(false);
  const auto executor = makeExecutor("static", *backend, parseProgram("return x.t().contiguous()"));
  const std::vector<Tensor> inputs = {makeTensor(backend->allocator(), DType::float32, {64, 32})};
  executor->call(inputs);
  EXPECT_EQ(backend->takeMissingEffects(), sim::kElementOrder);
  EXPECT_EQ(backend->takeMissingEffects(), 0u);
  executor->call(inputs);
  EXPECT_EQ(backend->takeMissingEffects(), sim::kElementOrder);
}

TEST(EffectsNotModeled, HaveTitlesAndKeepKeysOfOtherVersions) {
  for (const sim::EffectRow& row : sim::effectsNotModeled()) {
    EXPECT_EQ(sim::effectTitle(row.key), row.title);
    EXPECT_EQ(sim::keysOf(row.effect), Keys{row.key});
  }
  EXPECT_EQ(sim::effectTitle("of_a_later_version"), "of_a_later_version");
}

}  // namespace
}  // namespace fusebench
