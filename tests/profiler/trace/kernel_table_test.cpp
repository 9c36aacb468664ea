// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/kernel_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <string>

#include "profiler/trace/kernel_names.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

struct JudgedName {
  std::string kind, name;
};

/// The names that people have classified.
std::vector<JudgedName> judgedNames() {
  std::ifstream file(fusebench::test::sourcePath("/tests/profiler/trace/kernel_names.txt"));
  std::vector<JudgedName> names;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#') || line.empty()) continue;
    const std::size_t tab = line.find('\t');
    names.push_back({line.substr(0, tab), line.substr(tab + 1)});
  }
  return names;
}

TEST(KernelTable, GivesEveryRealNameTheClassThatPeopleGaveIt) {
  const std::vector<JudgedName> names = judgedNames();
  ASSERT_GE(names.size(), 400u);
  std::size_t right = 0;
  for (const auto& [kind, name] : names) {
    const std::string_view found = nameOf(meaningOfKernel(name).kind);
    right += found == kind;
    EXPECT_EQ(found, kind) << name;
  }
  RecordProperty("names", std::to_string(names.size()));
  RecordProperty("share right",
                 std::to_string(static_cast<double>(right) / static_cast<double>(names.size())));
  EXPECT_EQ(right, names.size()) << "the share right must be 1";
}

TEST(KernelTable, IsTestedWithNamesOfEachClass) {
  std::map<std::string, int> counts;
  for (const auto& [kind, name] : judgedNames()) {
    ++counts[kind];
    EXPECT_EQ(nameOf(kernelClassNamed(kind)), kind) << "no such class";
  }
  EXPECT_EQ(counts.size(), kKernelClasses);
}

TEST(KernelTable, HasNoRowThatAnEarlierOneTakesTheExampleOf) {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (const KernelRow& row : kernelRows()) {
    EXPECT_TRUE(seen.emplace(row.pattern, row.within).second) << row.pattern << " comes twice";
    EXPECT_FALSE(row.library.empty()) << row.pattern;
    EXPECT_EQ(nameOf(meaningOfKernel(row.example).kind), nameOf(row.kind)) << row.example;
    // Unknown joins nothing, and nothing joins a collective, a sort or a graph.
    const bool alone = row.kind == KernelClass::unknown || row.kind == KernelClass::collective ||
                       row.kind == KernelClass::sort || row.kind == KernelClass::graph;
    EXPECT_TRUE(!alone || row.joins == Joins::no) << row.pattern;
  }
}

TEST(KernelTable, LetsTheOperatorDecideBeforeTheName) {
  // A product by whatever name, and a product inside a convolution.
  EXPECT_EQ(meaningOfKernel("some_future_kernel", "aten::mm").kind, KernelClass::matmul);
  EXPECT_EQ(meaningOfKernel("some_future_kernel").kind, KernelClass::unknown);
  EXPECT_EQ(meaningOfKernel("volta_sgemm_64x64_nn", "aten::cudnn_convolution").kind,
            KernelClass::convolution);
  EXPECT_EQ(meaningOfKernel("void splitKreduce_kernel<32, 16>(int)", "aten::mm").kind,
            KernelClass::matmul);
  EXPECT_EQ(meaningOfKernel("attn_fwd", "aten::_flash_attention_forward").kind,
            KernelClass::attention);
  // The copy of a bias before a matmul is not a matmul.
  EXPECT_EQ(
      meaningOfKernel(
          "void at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda>(int)",
          "aten::addmm")
          .kind,
      KernelClass::copy);
  EXPECT_EQ(meaningOfKernel("triton_poi_fused_add_0", "Torch-Compiled Region: 0/0").kind,
            KernelClass::pointwise);
}

TEST(KernelTable, KnowsWhatOurOwnKernelsCompute) {
  EXPECT_EQ(meaningOfKernel("kernel_sigmoid").kind, KernelClass::pointwise);
  EXPECT_EQ(meaningOfKernel("sum").kind, KernelClass::reduction);
  EXPECT_EQ(meaningOfKernel("matmul").kind, KernelClass::matmul);
  EXPECT_EQ(meaningOfKernel("kernel_add_sin_sum_34_ops").kind, KernelClass::reduction);
  EXPECT_EQ(meaningOfKernel("all_reduce").kind, KernelClass::collective);
}

TEST(KernelTable, SaysWithWhichNeighborsAKernelJoins) {
  const KernelMeaning product = meaningOfKernel("nvjet_tst_192x8_64x8_4x1_v_bz_TNT");
  EXPECT_FALSE(product.joinsBefore());
  EXPECT_TRUE(product.joinsAfter());
  EXPECT_EQ(product.library, "cuBLAS");
  EXPECT_EQ(meaningOfKernel("some_future_kernel").joins, Joins::no);
  EXPECT_EQ(meaningOfKernel("triton_poi_fused_add_0").joins, Joins::both);
  EXPECT_EQ(meaningOfKernel("triton_tem_fused_mm_0").joins, Joins::both);
}

TEST(KernelNames, AreShortenedToWhatTellsThemApart) {
  EXPECT_EQ(
      shortKernelName("void at::native::vectorized_elementwise_kernel<4, at::F<float> >(int)"),
      "vectorized_elementwise_kernel");
  EXPECT_EQ(shortKernelName("void at::native::(anonymous namespace)::multi_tensor<8>(int)"),
            "multi_tensor");
  EXPECT_EQ(shortKernelName("triton_per_fused_add_0"), "triton_per_fused_add_0");
  EXPECT_EQ(shortKernelName("Memcpy HtoD (Pinned -> Device)"), "Memcpy HtoD");
  EXPECT_EQ(shortKernelNames({"f<1>(int)", "g<1>()", "f<2>(int)", "f<1>(int)", "g<1>()"}),
            (std::vector<std::string>{"f (1)", "g", "f (2)", "f (1)", "g"}));
}

TEST(KernelNames, OfWrappersAreThoseOfTheClassThatTheyCall) {
  EXPECT_EQ(shortKernelName("void cutlass::Kernel2<cutlass_75_tensorop_bf16_s1688gemm_bf16_256x128_"
                            "tn_align1>(cutlass_75_tensorop_bf16_s1688gemm_bf16_256x128_tn_align1::"
                            "Params)"),
            "cutlass_75_tensorop_bf16_s1688gemm_bf16_256x128_tn_align1");
  EXPECT_EQ(
      shortKernelName("void cutlass__5x_cudnn::Kernel<cutlass_tensorop_bf16_s16816fprop>(int)"),
      "cutlass_tensorop_bf16_s16816fprop");
  EXPECT_EQ(
      shortKernelName("void ck_tile::kentry<ck_tile::gfx950_t, (int)2, ck_tile::FmhaFwdKernel<"
                      "ck_tile::Pipeline<float, 1>, ck_tile::Epilogue<2> > >(int, float)"),
      "FmhaFwdKernel");
  // Cut off, so that it is not known which argument is the last.
  EXPECT_EQ(shortKernelName("void cutlass::Kernel<cutlass::gemm::kernel::Gemm<cutlass::gemm..."),
            "Kernel");
}

TEST(KernelNames, AreFoundBehindConditionsOfTemplates) {
  EXPECT_EQ(
      shortKernelName("std::enable_if<(((8)>(0)))&&vllm::_typeConvert<c10::BFloat16>::exists, "
                      "void>::type vllm::fused_add_rms_norm_kernel<c10::BFloat16, 8>(int)"),
      "fused_add_rms_norm_kernel");
  EXPECT_EQ(shortKernelName("std::enable_if<!(false), void>::type internal::gemvx::kernel<int, "
                            "float, cublasGemvParams<int> >(cublasGemvParams<int>)"),
            "kernel");
  // As Nsight Systems prints it, with a bracket missing.
  EXPECT_EQ(shortKernelName("std::enable_if<T2>(int)0&&vllm::_typeConvert<T1>::exists, void>::type "
                            "vllm::fused_add_rms_norm_kernel<c10::BFloat16, (int)8>(T1 *)"),
            "fused_add_rms_norm_kernel");
  EXPECT_EQ(qualifiedKernelName("void <unnamed>::multimem_all_reduce_kernel<c10::BFloat16, "
                                "(int)16>(c10::BFloat16 *)"),
            "multimem_all_reduce_kernel");
  EXPECT_EQ(qualifiedKernelName("void ns::_GLOBAL__N__1f3a_9_kernel_cu::k<4>(int)"), "ns::k");
  EXPECT_EQ(shortKernelName("void f<&(float silu(float const&))>(float*)"), "f");
  // Cut off, as tables do.
  EXPECT_EQ(qualifiedKernelName("void cutlass::device_kernel<flash::enable_sm90<flash::Fwd..."),
            "cutlass::device_kernel");
}

TEST(KernelNames, AreDemangled) {
  EXPECT_EQ(demangledName("_ZN2ns6kernelIfEEvPf"), "void ns::kernel<float>(float*)");
  EXPECT_EQ(shortKernelName("_ZN2ns6kernelIfEEvPf"), "kernel");
  // Cut off, so that no demangler reads it.
  EXPECT_EQ(qualifiedKernelName("_ZN7ck_tile6kentryILi1ENS_12Rmsnorm2dFwdINS_27Rmsnor..."),
            "ck_tile::kentry");
  EXPECT_EQ(qualifiedKernelName("_ZN2ck16tensor_operation6device12_GLOBAL__N_139kernel_grouped_"
                                "conv_fwd_xdl_cshuffle_v3I..."),
            "ck::tensor_operation::device::kernel_grouped_conv_fwd_xdl_cshuffle_v3");
  EXPECT_EQ(demangledName("_ZN7ck_tile6kentryILi1ENS_12Rmsnor..."),
            "_ZN7ck_tile6kentryILi1ENS_12Rmsnor...")
      << "what tells its kernels apart would be lost";
  EXPECT_EQ(demangledName("_Z"), "_Z");
  EXPECT_EQ(demangledName("_ZN99999999999999999999x"), "_ZN99999999999999999999x");
  EXPECT_EQ(demangledName("__amd_rocclr_copyBuffer.kd"), "__amd_rocclr_copyBuffer");
  EXPECT_EQ(demangledName("sin"), "sin");
}

}  // namespace
}  // namespace fusebench
