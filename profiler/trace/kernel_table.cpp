// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/kernel_table.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

#include "engine/ops/ops.h"
#include "profiler/trace/kernel_names.h"

namespace fusebench {
namespace {

using enum KernelClass;
using enum Joins;

constexpr std::array<std::string_view, kKernelClasses> kClassNames = {
    "unknown",       "matmul",    "convolution", "attention", "pointwise", "reduction",
    "normalization", "scan",      "sort",        "copy",      "fill",      "collective",
    "embedding",     "optimizer", "random",      "graph"};

// Rows are tried in order. If a general pattern would match some names wrongly, the row for those
// names is above that pattern.
constexpr KernelRow kRows[] = {
    // TorchInductor: the prefix gives the kind of kernel, the rest only the operators of its graph.
    {"triton_poi_*", "", "Inductor", pointwise, both, "triton_poi_fused_convolution_relu_3"},
    {"triton_for_*", "", "Inductor", pointwise, both, "triton_for_fused_0"},
    {"triton_red_*", "", "Inductor", reduction, both, "triton_red_fused_native_layer_norm_27"},
    {"triton_per_*", "", "Inductor", reduction, both, "triton_per_fused__softmax_add_2"},
    {"triton_spl_*", "", "Inductor", scan, before, "triton_spl_fused_cumsum_0"},
    {"triton_tem_*", "attention", "Inductor", attention, after,
     "triton_tem_fused_flex_attention_0"},
    {"triton_tem_*", "conv", "Inductor", convolution, after, "triton_tem_fused_convolution_4"},
    {"triton_tem_*", "", "Inductor", matmul, both, "triton_tem_fused_addmm_relu_1"},
    {"triton_mm*", "", "Inductor", matmul, both, "triton_mm"},
    {"triton_bmm*", "", "Inductor", matmul, both, "triton_bmm"},
    // Before PyTorch 2.1 the names listed only the arguments.
    {"triton__#d*", "", "Inductor", unknown, no, "triton__0d1d2d3d4d5d"},

    // nvFuser: the name gives the scheduler, then the numbers of fusion, shapes, runtime and group.
    {"*nvfuser_pointwise*", "", "nvFuser", pointwise, both, "nvfuser_pointwise_f0_c1_r0_g0"},
    {"*nvfuser_reduction*", "", "nvFuser", reduction, both, "nvfuser_reduction_f0_c1_r0_g0"},
    // Reads rows again that it keeps on the chip: softmax, layer norm, batch norm.
    {"*nvfuser_*persistent*", "", "nvFuser", normalization, both,
     "nvfuser_inner_outer_persistent_f0_c1_r0_g0"},
    {"*nvfuser_transpose*", "", "nvFuser", copy, both, "nvfuser_transpose_f0_c1_r0_g0"},
    // Slices, pads and concatenations with pointwise ops around them, and no reduction.
    {"*nvfuser_resize*", "", "nvFuser", copy, both, "nvfuser_resize_f0_c1_r0_g0"},
    {"*nvfuser_matmul*", "", "nvFuser", matmul, after, "nvfuser_matmul_f0_c1_r0_g0"},
    // The rest does not say: "greedy" is any of sort, scan, scatter and pad; "none" was scheduled
    // by
    // hand; old names have a number only.
    {"*nvfuser_*", "", "nvFuser", unknown, no, "nvfuser_greedy_f0_c1_r0_g0"},
    {"*cudacodegen::kernel#", "", "nvFuser", unknown, no, "CudaCodeGen::kernel1"},

    // Collectives.
    {"*nccl*", "", "NCCL", collective, no, "ncclDevKernel_AllReduce_Sum_bf16_RING_LL"},
    {"rccl*", "", "RCCL", collective, no, "rcclGenericKernel"},
    {"*msccl*", "", "MSCCL", collective, no, "mscclKernel_Sum_half_Simple_false"},
    {"pcclkernel*", "", "PCCL", collective, no, "pcclKernel_twoShotAllReduceKernel"},
    {"*nvshmem*", "", "NVSHMEM", collective, no, "nvshmemi_proxy_barrier_all"},
    {"*deep_ep::*", "", "DeepEP", collective, no, "deep_ep::intranode::dispatch"},
    {"*multimem*", "", "PyTorch", collective, no, "multimem_all_reduce_kernel"},
    {"*cross_device_reduce*", "", "vLLM", collective, no, "vllm::cross_device_reduce_1stage"},
    {"*all_reduce*", "", "PyTorch", collective, no, "two_shot_all_reduce_kernel_inplace"},
    {"*allreduce*", "", "TensorRT-LLM", collective, no, "twoshotAllreduceKernel"},
    {"*reduce_scatter*", "", "PyTorch", collective, no, "reduce_scatter_kernel"},
    {"*reducescatter*", "", "TensorRT-LLM", collective, no, "mnnvlReduceScatterKernel"},
    {"*all_gather*", "", "PyTorch", collective, no, "all_gather_kernel"},
    {"*allgather*", "", "TensorRT-LLM", collective, no, "userbuffers_fp16_sum_allgather"},
    {"*all_to_all*", "", "FBGEMM", collective, no, "all_to_all_v_kernel"},
    {"*alltoall*", "", "TensorRT-LLM", collective, no, "helixAllToAllKernel"},
    {"*all2all*", "", "pplx", collective, no, "all2all_dispatch_kernel"},
    {"*moea2a*", "", "TensorRT-LLM", collective, no, "moeA2ADispatchKernel"},
    {"*userbuffers*", "", "Transformer Engine", collective, no,
     "userbuffers_fp16_sum_inplace_gpu_mc"},
    {"*quickreduce*", "", "quick reduce", collective, no,
     "quickreduce::allreduce_prototype_twoshot"},
    {"*quick_reduce*", "", "quick reduce", collective, no, "quick_reduce_twoshot"},
    {"*lamport*", "", "TensorRT-LLM", collective, no, "rmsNormLamport"},
    {"*sendrecv*", "", "NCCL", collective, no, "sendrecv_kernel"},
    {"all-reduce*", "", "XLA", collective, no, "all-reduce-start.1"},
    {"all-gather*", "", "XLA", collective, no, "all-gather-start"},
    {"reduce-scatter*", "", "XLA", collective, no, "reduce-scatter.3"},
    {"all-to-all*", "", "XLA", collective, no, "all-to-all.2"},
    {"collective-permute*", "", "XLA", collective, no, "collective-permute-start.1"},
    {"reduce_gradient", "", "Fusebench", collective, no, "reduce_gradient"},
    {"wait_gradients", "", "Fusebench", collective, no, "wait_gradients"},
    {"broadcast", "", "Fusebench", collective, no, "broadcast"},
    {"barrier", "", "Fusebench", collective, no, "barrier"},

    // Kernels around attention whose names look like it.
    {"*reshape_and_cache*", "", "vLLM", copy, both, "vllm::reshape_and_cache_flash_kernel"},
    {"*concat_and_cache*", "", "vLLM", copy, both, "vllm::concat_and_cache_mla_kernel"},
    {"*store_kv*", "", "SGLang", copy, both, "store_kvcache"},
    {"*store_cache*", "", "SGLang", copy, both, "store_cache_kernel"},
    {"*kv_buffer*", "", "SGLang", copy, both, "set_mla_kv_buffer_kernel"},
    {"*appendpagedkvcache*", "", "FlashInfer", copy, both, "flashinfer::AppendPagedKVCacheKernel"},
    {"*kv_indices*", "", "SGLang", copy, no, "create_flashinfer_kv_indices_triton"},
    {"*copy_page_indices*", "", "vLLM", copy, no, "_copy_page_indices_kernel"},
    {"*copy_blocks*", "", "vLLM", copy, no, "vllm::copy_blocks_kernel"},
    {"*mlarope*", "", "TensorRT-LLM", pointwise, both, "applyMLARopeAndAssignQKVKernelGeneration"},
    {"*biasrope*", "", "TensorRT-LLM", pointwise, both, "applyBiasRopeUpdateKVCacheV2"},
    {"*norm*rope*", "", "vLLM", normalization, both, "fusedQKNormRopeKernel"},
    {"*ropequantize*", "", "FlashInfer", pointwise, both, "flashinfer::RopeQuantizeKernel"},
    {"*rotary*", "", "vLLM", pointwise, both, "vllm::rotary_embedding_kernel"},
    {"*rope*", "", "apex", pointwise, both, "fused_rope_forward"},
    {"*sage_quant*", "", "SageAttention", pointwise, both, "sage_quant_kernel"},
    {"*quant_per_block_int8*", "", "SageAttention", pointwise, both, "quant_per_block_int8_kernel"},

    // Attention.
    {"ck_tile::kentry*", "fmha", "Composable Kernel", attention, no,
     "ck_tile::kentry<2, ck_tile::FmhaFwdKernel<...>>"},
    {"ck_tile::kentry*", "attention", "Composable Kernel", attention, no,
     "ck_tile::kentry<1, ck_tile::UnifiedAttentionKernel<...>>"},
    {"cutlass::device_kernel", "flash::", "FlashAttention", attention, no,
     "cutlass::device_kernel<flash::enable_sm90_or_later<flash::FlashAttnFwdSm90<...>>>"},
    {"cutlass::device_kernel", "flat::", "FlashInfer", attention, no,
     "cutlass::device_kernel<flat::kernel::FlatKernelTmaWarpSpecializedDeltaRule<...>>"},
    {"cutlass::device_kernel", "fmha", "CUTLASS", attention, no,
     "cutlass::device_kernel<cutlass::fmha::kernel::Sm100FmhaFwdKernelTmaWarpspecialized<...>>"},
    {"cutlass::device_kernel", "mla::", "CUTLASS", attention, no,
     "cutlass::device_kernel<cutlass::mla::kernel::Sm100MlaKernel<...>>"},
    {"flash::*", "", "FlashAttention", attention, no, "flash::flash_fwd_splitkv_kernel"},
    {"pytorch_flash::*", "", "PyTorch", attention, no, "pytorch_flash::flash_fwd_kernel"},
    {"*flash_fwd*", "", "FlashAttention", attention, no, "flash_fwd_splitkv_mla_kernel"},
    {"*flash_bwd*", "", "FlashAttention", attention, no,
     "flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel"},
    {"*flash_attn*", "", "FlashAttention", attention, no, "flash_attn_fwd"},
    {"*flashattn*", "", "FlashAttention", attention, no, "FlashAttnFwdSm100"},
    {"*flash_att*", "", "llama.cpp", attention, no, "flash_attn_ext_f16"},
    {"*fmha*", "", "xFormers", attention, no, "fmha_cutlassF_bf16_aligned_64x128_rf_sm80"},
    {"*sdpa*", "", "cuDNN", attention, no,
     "cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16_knob_7_64x128x128_4x1x1"},
    {"*attention*", "", "vLLM", attention, no, "kernel_unified_attention_2d"},
    {"*attn_partial*", "", "vLLM", attention, no, "nvfp4_attn_partial"},
    {"*attn_fwd*", "", "Triton", attention, no, "attn_fwd"},
    {"*attn_bwd*", "", "Triton", attention, no, "_attn_bwd"},
    {"*bwd_kernel_dk_dv*", "", "Triton", attention, no, "bwd_kernel_dk_dv"},
    {"*bwd_kernel_dq*", "", "Triton", attention, no, "bwd_kernel_dq"},
    {"_fwd_kernel*", "", "SGLang", attention, no, "_fwd_kernel_stage2"},
    {"_fwd_grouped_kernel*", "", "SGLang", attention, no, "_fwd_grouped_kernel_stage1"},
    {"*mla_*", "", "aiter", attention, no, "aiter::mla_dec_stage1_bf16_a16w16_subQ16_mqa16"},
    {"smxx::mla::*", "", "FlashMLA", attention, no, "smxx::mla::get_mla_metadata_kernel"},
    {"*mmha*", "", "TensorRT-LLM", attention, no, "mmha::masked_multihead_attention_kernel"},
    {"*kernel_mha*", "", "TensorRT-LLM", attention, no, "kernel_mha"},
    {"*xqa*", "", "TensorRT-LLM", attention, no, "xqa_kernel_dt_bf16_d_128_beam_1_kvt_bf16"},
    {"*mha_fwd*", "", "aiter", attention, no, "mha_fwd_hd128_bf16"},
    {"*prefillwith*", "", "FlashInfer", attention, no,
     "flashinfer::BatchPrefillWithPagedKVCacheKernel"},
    {"*decodewith*", "", "FlashInfer", attention, no,
     "flashinfer::BatchDecodeWithPagedKVCacheKernel"},
    {"*mergestate*", "", "FlashInfer", attention, no,
     "flashinfer::PersistentVariableLengthMergeStatesKernel"},
    {"*merge_state*", "", "SGLang", attention, no, "merge_state_kernel"},
    {"reduce_segments", "", "vLLM", attention, no, "reduce_segments"},
    {"sage_fwd*", "", "SageAttention", attention, no, "sage_fwd"},
    {"qk_int_sv_*", "", "SageAttention", attention, no, "qk_int_sv_f16_attn_kernel"},
    {"*mqa_logits*", "", "DeepGEMM", attention, no, "deep_gemm::sm90_fp8_mqa_logits"},

    // Convolutions, before products: many of them are implicit ones.
    {"cutlass*cudnn*", "", "cuDNN", convolution, after,
     "cutlass_cudnn_infer::Kernel<cutlass_tensorop_s1688dgrad_optimized_tf32_64x128_32x3_nhwc_"
     "align4>"},
    {"cutlass::kernel*", "fprop", "CUTLASS", convolution, after,
     "cutlass::Kernel<cutlass_80_tensorop_s16816fprop_optimized_f16_128x64_64x3_nhwc_align8>"},
    {"cutlass::kernel*", "dgrad", "CUTLASS", convolution, after,
     "cutlass::Kernel<cutlass_80_tensorop_s16816dgrad_optimized_f16_128x64_64x3_nhwc_align8>"},
    {"cutlass::kernel*", "wgrad", "CUTLASS", convolution, no,
     "cutlass::Kernel<cutlass_80_tensorop_s16816wgrad_optimized_f16_128x64_64x3_nhwc_align8>"},
    {"cutlass::device_kernel", "conv::kernel", "CUTLASS", convolution, after,
     "cutlass::device_kernel<cutlass::conv::kernel::ConvUniversal<...>>"},
    {"*group_norm*", "", "PyTorch", normalization, both, "group_norm_nhwc_fprop_kernel"},
    {"*implicit_gemm*", "", "cuDNN", convolution, after,
     "sm80_xmma_fprop_implicit_gemm_tf32f32_tf32f32_f32_nhwckrsc_nhwc_tilesize64x128x32"},
    {"*implicit_convolve*", "", "cuDNN", convolution, after, "implicit_convolve_sgemm"},
    {"*explicit_convolve*", "", "cuDNN", convolution, no, "explicit_convolve_sgemm"},
    {"*fprop*", "", "cuDNN", convolution, after, "cudnn_infer_volta_scudnn_128x64_3dconv_fprop"},
    {"*dgrad*", "", "cuDNN", convolution, no, "cudnn::detail::dgrad_engine"},
    {"*wgrad*", "", "cuDNN", convolution, no, "wgrad_alg0_engine"},
    {"*scudnn*", "", "cuDNN", convolution, after, "volta_scudnn_128x64_relu_interior_nn_v1"},
    {"*_s#cudnn_*", "", "cuDNN", convolution, after,
     "turing_fp16_s1688cudnn_fp16_256x128_ldg8_relu_f2f_exp_small_nhwc_tn_v1"},
    {"*winograd*", "", "cuDNN", convolution, no,
     "cudnn::winograd_nonfused::winogradForwardData4x4"},
    {"*fft2d_*", "", "cuDNN", convolution, no, "fft2d_r2c_32x32"},
    {"*nchwtonhwc*", "", "cuDNN", convolution, no, "cudnn::ops::nchwToNhwcKernel"},
    {"*nhwctonchw*", "", "cuDNN", convolution, no, "cudnn::ops::nhwcToNchwKernel"},
    {"cask_*cudnn*", "", "cuDNN", convolution, no, "cask_cudnn_infer::computeOffsetsKernel"},
    {"cudnn::cnn::*", "", "cuDNN", convolution, no, "cudnn::cnn::reduce_wgrad_nchw_helper"},
    {"*igemm_*", "", "MIOpen", convolution, after,
     "igemm_fwd_gtcx3_nhwc_bf16_bx0_ex1_bt128x128x32_wt32x32x8"},
    {"miopensp3asmconv*", "", "MIOpen", convolution, after,
     "miopenSp3AsmConv_v21_1_3_gfx9_fp32_f2x3_stride1"},
    {"miopengcnasmconv*", "", "MIOpen", convolution, after, "miopenGcnAsmConv1x1U"},
    {"miopenconv*", "", "MIOpen", convolution, after, "MIOpenConvUni"},
    {"*naive_conv*", "", "MIOpen", convolution, no, "naive_conv_ab_nonpacked_fwd_nchw"},
    {"batched_transpose_*", "", "MIOpen", convolution, no, "batched_transpose_16x32_half"},
    {"transpose_*nchw*", "", "MIOpen", convolution, no, "transpose_NCHW2CNHW_V2_2D_WG_off64"},
    {"im#d2col*", "", "MIOpen", convolution, no, "Im3d2Col"},
    {"*im2col*", "", "PyTorch", convolution, no, "at::native::im2col_kernel"},
    {"*col2im*", "", "PyTorch", convolution, no, "at::native::col2im_kernel"},
    {"*vol2col*", "", "PyTorch", convolution, no, "at::native::vol2col_kernel"},
    {"ck::*", "conv", "Composable Kernel", convolution, after,
     "ck::tensor_operation::device::kernel_grouped_conv_fwd_xdl_cshuffle_v3"},
    {"ck::*", "bwd_weight", "Composable Kernel", convolution, no,
     "ck::tensor_operation::device::kernel_batched_gemm_xdlops_bwd_weight"},
    {"ck_tile::kentry*", "convolution", "Composable Kernel", convolution, after,
     "ck_tile::kentry<1, ck_tile::GroupedConvolutionForwardKernel<...>>"},
    {"*conv_depthwise*", "", "PyTorch", convolution, after,
     "at::native::conv_depthwise2d_forward_kernel"},
    {"*depthwiseconv*", "", "TensorFlow", convolution, after,
     "tensorflow::DepthwiseConv2dGPUKernelNHWC"},
    {"*conv1d*", "", "causal-conv1d", convolution, after, "causal_conv1d_fwd_kernel"},
    {"*conv2d*", "", "Triton", convolution, after, "conv2d_forward_kernel"},
    {"*conv3d*", "", "Triton", convolution, after, "conv3d_forward_kernel"},
    {"*convolution*", "", "TensorRT", convolution, after, "generatedNativePointwiseConvolution"},

    // FBGEMM, whose name has that of a product in it; optimizers and lists of tensors.
    {"fbgemm_gpu::*", "quantize", "FBGEMM", pointwise, no,
     "fbgemm_gpu::_compute_FP8_quantize_cuda_kernel"},
    {"fbgemm_gpu::*", "fp8", "FBGEMM", pointwise, no,
     "fbgemm_gpu::_FP8rowwise_to_float_cuda_kernel"},
    {"fbgemm_gpu::*", "", "FBGEMM", embedding, no, "fbgemm_gpu::permute_2D_data_kernel"},
    {"*permute_pooled_embs*", "", "FBGEMM", copy, no, "permute_pooled_embs_kernel"},
    {"*bounds_check_indices*", "", "FBGEMM", embedding, no, "bounds_check_indices_kernel"},
    {"*linearize_index*", "", "FBGEMM", embedding, no, "linearize_index_kernel"},
    {"split_embedding*", "", "FBGEMM", embedding, no,
     "split_embedding_backward_codegen_rowwise_adagrad_unweighted_kernel_cta_per_row_1"},
    {"*multi_tensor_apply_kernel", "adam", "apex", optimizer, no,
     "multi_tensor_apply_kernel<TensorListMetadata<4>, AdamFunctor<float>>"},
    {"*multi_tensor_apply_kernel", "lamb", "apex", optimizer, no,
     "multi_tensor_apply_kernel<TensorListMetadata<4>, LAMBStage1Functor<float>>"},
    {"*multi_tensor_apply_kernel", "sgd", "apex", optimizer, no,
     "multi_tensor_apply_kernel<TensorListMetadata<3>, SGDFunctor<3, float>>"},
    {"*multi_tensor_apply_kernel", "fusedoptimizer", "PyTorch", optimizer, no,
     "at::native::multi_tensor_apply_kernel<FusedOptimizerTensorListMetadata<4>>"},
    {"*multi_tensor_apply_kernel", "norm", "apex", reduction, no,
     "multi_tensor_apply_kernel<TensorListMetadata<1>, L2NormFunctor<float>>"},
    {"*multi_tensor_apply_kernel", "fillfunctor", "PyTorch", fill, both,
     "at::native::multi_tensor_apply_kernel<TensorListMetadata<1>, FillFunctor<float>>"},
    {"*multi_tensor_apply_kernel", "copyfunctor", "PyTorch", copy, both,
     "at::native::multi_tensor_apply_kernel<TensorListMetadata<2>, CopyFunctor<float>>"},
    {"*multi_tensor_apply_kernel", "", "PyTorch", pointwise, both,
     "at::native::multi_tensor_apply_kernel<BinaryOpScalarFunctor<float>>"},
    {"*adam*", "", "DeepSpeed", optimizer, no, "fused_adam_cuda_kernel"},
    {"*lamb_cuda*", "", "DeepSpeed", optimizer, no, "lamb_cuda_kernel_part1"},
    {"*koptimizer*", "", "bitsandbytes", optimizer, no, "kOptimizerStatic8bit2StateBlockwise"},
    {"*applygradientdescent*", "", "TensorFlow", optimizer, no, "ApplyGradientDescentKernel"},

    // Routing of tokens to experts, sorts, choices.
    {"*finalizemoerouting*", "", "TensorRT-LLM", reduction, no, "finalizeMoeRoutingKernel"},
    {"*moe::dev::finalize*", "", "TensorRT-LLM", reduction, no,
     "moe::dev::finalize::finalizeKernelVecLoad"},
    {"*moe_sum*", "", "vLLM", reduction, both, "vllm::moe::moe_sum_kernel"},
    {"*finalize_matmul_scatter*", "", "Triton", embedding, no, "_finalize_matmul_scatter_bf16"},
    {"*expandinputrows*", "", "TensorRT-LLM", embedding, no, "expandInputRowsKernel"},
    {"*routing*", "", "TensorRT-LLM", sort, no, "moe::dev::routing::routingIndicesHistogramKernel"},
    {"*bitmatrix*", "", "Triton", sort, no, "_sum_bitmatrix_rows"},
    {"*gatingsoftmax*", "", "vLLM", sort, no, "vllm::moe::topkGatingSoftmax"},
    {"*sampling*", "", "FlashInfer", random, no,
     "flashinfer::sampling::TopKTopPSamplingFromProbKernel"},
    {"*topk*", "", "PyTorch", sort, no, "at::native::sbtopk::gatherTopK"},
    {"*top_k*", "", "vLLM", sort, no, "top_k_per_row"},
    {"*moe_align*", "", "vLLM", sort, no, "vllm::moe::moe_align_block_size_kernel"},
    {"*moesort*", "", "aiter", sort, no, "ck_tile::MoeSortingKernel"},
    {"ck_tile::kentry*", "moesorting", "Composable Kernel", sort, no,
     "ck_tile::kentry<1, ck_tile::MoeSortingMultiPhaseKernel_P0_v2<...>>"},
    {"ck_tile::kentry*", "topk", "Composable Kernel", sort, no,
     "ck_tile::kentry<1, ck_tile::TopkSoftmaxKernel<...>>"},
    {"*devicereducebykey*", "", "CUB", reduction, no, "cub::DeviceReduceByKeyKernel"},
    {"*deviceselect*", "", "CUB", sort, no, "cub::DeviceSelectSweepKernel"},
    {"*devicepartition*", "", "CUB", sort, no, "cub::DevicePartitionSweepKernel"},
    {"*devicecompact*", "", "CUB", sort, no, "cub::DeviceCompactInitKernel"},
    {"rocprim*", "radix_sort", "rocPRIM", sort, no,
     "rocprim::detail::trampoline_kernel<radix_sort_onesweep_config_selector>"},
    {"rocprim*", "merge_sort", "rocPRIM", sort, no,
     "rocprim::detail::trampoline_kernel<merge_sort_block_sort_config_selector>"},
    {"rocprim*", "partition", "rocPRIM", sort, no,
     "rocprim::detail::trampoline_kernel<partition_config_selector>"},
    {"rocprim*", "scan", "rocPRIM", scan, no,
     "rocprim::detail::trampoline_kernel<wrapped_scan_config>"},
    {"rocprim*", "reduce", "rocPRIM", reduction, no,
     "rocprim::detail::trampoline_kernel<reduce_config_selector>"},
    {"rocprim*", "transform", "rocPRIM", pointwise, no,
     "rocprim::detail::trampoline_kernel<transform_config_selector>"},
    {"*searchsorted*", "", "PyTorch", embedding, no, "at::native::searchsorted_cuda_kernel"},
    {"*sort*", "", "PyTorch", sort, no, "at::native::bitonicSortKVInPlace"},

    // Scans, and recurrences along a sequence.
    {"*scan*", "", "CUB", scan, before, "cub::DeviceScanKernel"},
    {"*cumsum*", "", "fla", scan, before, "chunk_local_cumsum_scalar_kernel"},
    {"*cumprod*", "", "PyTorch", scan, before, "cumprod_kernel"},
    {"*delta_rule*", "", "fla", scan, no, "fused_recurrent_gated_delta_rule_fwd_kernel"},
    {"fused_recurrent*", "", "fla", scan, no, "fused_recurrent_fwd_kernel"},
    {"*chunk_state*", "", "Mamba", scan, no, "_chunk_state_fwd_kernel"},
    {"*state_passing*", "", "Mamba", scan, no, "_state_passing_fwd_kernel"},
    {"*selective_state*", "", "Mamba", scan, no, "_selective_scan_update_kernel"},
    {"chunk_*_fwd_kernel*", "", "fla", scan, no, "chunk_retention_fwd_kernel_o"},
    {"thrust::*", "scan", "Thrust", scan, no, "thrust::cuda_cub::core::_kernel_agent<ScanAgent>"},
    {"thrust::*", "sort", "Thrust", sort, no,
     "thrust::cuda_cub::core::_kernel_agent<BlockSortAgent>"},
    {"thrust::*", "reduce", "Thrust", reduction, no,
     "thrust::cuda_cub::core::_kernel_agent<ReduceAgent>"},
    {"thrust::*", "parallelfor", "Thrust", pointwise, no,
     "thrust::cuda_cub::core::_kernel_agent<ParallelForAgent>"},

    // Products.
    {"*cijk_*", "", "Tensile", matmul, after,
     "Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT128x256x32_MI16x16x1"},
    {"nvjet_*", "", "cuBLAS", matmul, after, "nvjet_tst_128x256_64x4_1x2_h_bz_coopA_TNT"},
    {"cutlass::kernel*", "gemm", "CUTLASS", matmul, after,
     "cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_64x64_64x6_tn_align8>"},
    {"cutlass::device_kernel", "", "CUTLASS", matmul, after,
     "cutlass::device_kernel<at::cuda::detail::enable_3x_kernel_for_sm9x<...>>"},
    {"ck_tile::kentry*", "gemm", "Composable Kernel", matmul, after,
     "ck_tile::kentry<1, ck_tile::GroupedGemmKernel<...>>"},
    {"ck_tile::kentry*", "flatmm", "Composable Kernel", matmul, after,
     "ck_tile::kentry<1, ck_tile::MoeFlatmmKernel<...>>"},
    {"ck_tile::kentry*", "moe", "Composable Kernel", matmul, no,
     "ck_tile::kentry<1, ck_tile::FusedMoeKernel<...>>"},
    {"triton_gemm*", "", "XLA", matmul, both, "triton_gemm_dot.5"},
    {"gemm_fusion*", "", "XLA", matmul, both, "gemm_fusion_dot_265"},
    {"deep_gemm::*transpose*", "", "DeepGEMM", copy, both, "deep_gemm::transpose_fp32"},
    {"*gemm*", "", "cuBLAS", matmul, no, "ampere_sgemm_128x64_tn"},
    {"*gemv*", "", "cuBLAS", matmul, no, "gemv2T_kernel_val"},
    {"*splitkreduce*", "", "cuBLAS", matmul, no, "cublasLt::splitKreduce_kernel"},
    {"epilogue::impl::*", "", "cuBLAS", matmul, no, "epilogue::impl::globalKernel"},
    {"dot_kernel", "cublas", "cuBLAS", matmul, no,
     "dot_kernel<float, 128, 0, cublasDotParams<float>>"},
    {"reduce_1block_kernel", "cublas", "cuBLAS", matmul, no,
     "reduce_1Block_kernel<float, 128, 7, cublasGemvTensorStridedBatched<float>>"},
    {"scal_kernel", "cublas", "cuBLAS", matmul, no,
     "scal_kernel<float, float>(cublasTransposeParams<float>)"},
    {"*wvsplitk*", "", "vLLM", matmul, no, "wvSplitK_hf_sml_"},
    {"*llmm1*", "", "vLLM", matmul, no, "LLGemm1_kernel"},
    {"*matmul*", "", "Triton", matmul, no, "_matmul_ogs_NNT_bf16xbf16xmxfp4_128x128x128x1_swiglu"},
    {"*bmm_*", "", "TensorRT-LLM", matmul, no,
     "bmm_Bfloat16_MxE2m1MxE4m3_Fp32_t128x16x256u2_s3_et128x16_m128x16x32_cga1x1x1"},
    {"*scaled_mm*", "", "vLLM", matmul, no, "scaled_mm_kernel"},
    {"*marlin*", "", "vLLM", matmul, no, "marlin_moe_wna16::Marlin"},
    {"*machete*", "", "vLLM", matmul, no, "machete::machete_mm"},
    {"fused_moe_kernel*", "", "vLLM", matmul, no, "fused_moe_kernel"},
    {"*fmoe*", "", "aiter", matmul, no, "aiter::fmoe_bf16_blockscaleFp8_g1u1_vs_silu_1tg_32x256"},
    {"*mfma_moe*", "", "aiter", matmul, no, "mfma_moe1_silu_mul_afp4_wfp4_bf16"},
    {"*moe_batched*", "", "Triton", matmul, no, "p2b_moe_batched_kernel"},
    {"*mul_mat*", "", "llama.cpp", matmul, no, "mul_mat_q"},
    {"*_mm_kernel*", "", "Triton", matmul, no, "_int8_mm_kernel"},

    // Normalization and softmax.
    {"ck_tile::kentry*", "norm", "Composable Kernel", normalization, no,
     "ck_tile::kentry<1, ck_tile::Rmsnorm2dFwd<...>>"},
    {"*rms_norm*", "", "vLLM", normalization, both, "vllm::fused_add_rms_norm_kernel"},
    {"*rmsnorm*", "", "FlashInfer", normalization, both, "flashinfer::norm::RMSNormKernel"},
    {"*layer_norm*", "", "PyTorch", normalization, both,
     "at::native::vectorized_layer_norm_kernel"},
    {"*layernorm*", "", "apex", normalization, both, "cuApplyLayerNorm"},
    {"*batch_norm*", "", "PyTorch", normalization, both,
     "at::native::batch_norm_transform_input_kernel"},
    {"*batchnorm*", "", "MIOpen", normalization, no, "MIOpenBatchNormFwdTrainSpatial"},
    {"*groupnorm*", "", "aiter", normalization, both, "groupnorm_kernel_dispatch_down"},
    {"*l2norm*", "", "fla", normalization, both, "l2norm_fwd_kernel"},
    {"*fused_rms_*", "", "aiter", normalization, both, "_fused_rms_fp8_group_quant_kernel"},
    {"*rms_normalize*", "", "Triton", normalization, both, "_rms_normalize_kernel"},
    {"cudnn::*bn_*", "", "cuDNN", normalization, no, "cudnn::bn_fw_tr_1C11_kernel_NCHW"},
    {"*ln_fwd*", "", "Transformer Engine", normalization, both,
     "transformer_engine::normalization::ln_fwd_tuned_kernel"},
    {"*ln_bwd*", "", "Transformer Engine", normalization, both,
     "transformer_engine::normalization::ln_bwd_general_kernel"},
    {"transformer_engine::normalization::*", "", "Transformer Engine", normalization, both,
     "transformer_engine::normalization::rmsnorm_fwd_general_kernel"},
    {"*rowwisemoments*", "", "PyTorch", normalization, both,
     "at::native::RowwiseMomentsCUDAKernel"},
    {"*fusedparamscudakernel*", "", "PyTorch", normalization, both,
     "at::native::ComputeFusedParamsCUDAKernel"},
    {"*internalgradientscudakernel*", "", "PyTorch", normalization, both,
     "at::native::ComputeInternalGradientsCUDAKernel"},
    {"*gammabeta*", "", "PyTorch", normalization, both,
     "at::native::GammaBetaBackwardSimpleCUDAKernel"},
    {"*cucomputegradinput*", "", "apex", normalization, both, "cuComputeGradInput"},
    {"*softmax*", "", "PyTorch", normalization, both, "softmax_warp_forward"},
    {"mhc_*norm*", "", "TileLang", normalization, no, "mhc_pre_big_fuse_with_norm_tilelang_kernel"},

    // Random numbers.
    {"*distribution_*", "", "PyTorch", random, both,
     "at::native::distribution_elementwise_grid_stride_kernel"},
    {"*dropout*", "", "PyTorch", random, both, "at::native::fused_dropout_kernel_vec"},
    {"*multinomial*", "", "PyTorch", random, no, "at::native::sampleMultinomialOnce"},
    {"*randperm*", "", "PyTorch", random, no, "randperm_handle_duplicate_keys_kernel"},
    {"*philox*", "", "PyTorch", random, both, "philox_kernel"},
    {"*rng_state*", "", "Transformer Engine", random, no,
     "transformer_engine::fused_attn_rocm::populate_rng_state_kernel"},
    {"*gen_sequenced*", "", "cuRAND", random, no, "gen_sequenced"},
    {"generate_seed_pseudo*", "", "cuRAND", random, no, "generate_seed_pseudo"},
    {"rng*", "", "XLA", random, both, "rng-bit-generator.1"},

    // Embeddings, gather and scatter.
    {"*embedding*", "", "PyTorch", embedding, no, "embedding_backward_feature_kernel"},
    {"*compute_cuda_kernel*", "", "PyTorch", embedding, no, "compute_cuda_kernel"},
    {"*indexselect*", "", "PyTorch", embedding, both, "at::native::indexSelectLargeIndex"},
    {"*indexfunc*", "", "PyTorch", embedding, no, "at::native::indexFuncLargeIndex"},
    {"*index_elementwise_kernel*", "", "PyTorch", embedding, both,
     "at::native::index_elementwise_kernel"},
    {"*indexing_backward*", "", "PyTorch", embedding, no, "at::native::indexing_backward_kernel"},
    {"*index_put*", "", "PyTorch", embedding, no, "index_put_kernel"},
    {"*gather*", "", "PyTorch", embedding, both, "at::native::vectorized_gather_kernel"},
    {"*scatter*", "", "PyTorch", embedding, no, "at::native::_scatter_gather_elementwise_kernel"},
    {"*resolve_future_token_ids*", "", "SGLang", embedding, no, "resolve_future_token_ids_kernel"},
    {"*krn_partial*", "", "PyTorch", embedding, no, "at::native::krn_partials_per_segment"},

    // Fills and copies.
    {"at::native::*elementwise_kernel*", "fillfunctor", "PyTorch", fill, both,
     "at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<float>>"},
    {"*elementwise_kernel_with_index*", "", "PyTorch", fill, both,
     "elementwise_kernel_with_index<int, at::native::arange_cuda_out>"},
    {"at::native::*elementwise_kernel*", "copy_kernel", "PyTorch", copy, both,
     "at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda>"},
    {"*fillbuffer*", "", "HIP", fill, no, "__amd_rocclr_fillBufferAligned"},
    {"*memset*", "", "CUDA", fill, no, "memset_kernel"},
    {"subtensoropwithscalar*", "", "MIOpen", fill, no, "SubTensorOpWithScalar1d"},
    {"*compute_position*", "", "SGLang", fill, no, "compute_position_kernel"},
    {"subtensoropwithcast*", "", "MIOpen", copy, no, "SubTensorOpWithCastTensor1d"},
    {"*copybuffer*", "", "HIP", copy, no, "__amd_rocclr_copyBuffer"},
    {"*catarraybatchedcopy*", "", "PyTorch", copy, both,
     "at::native::CatArrayBatchedCopy_aligned16_contig"},
    {"*chunk_cat*", "", "PyTorch", copy, both, "at::native::chunk_cat_cuda_kernel"},
    {"*cast_transpose*", "", "Transformer Engine", pointwise, both,
     "transformer_engine::detail::cast_transpose_general_kernel"},
    {"*transpose*", "", "Transformer Engine", copy, both, "transpose_kernel"},
    {"*permute*", "", "Transformer Engine", copy, no, "_permute_kernel"},
    {"*permutationkernel*", "", "cuTENSOR", copy, no, "CUTENSOR_NAMESPACE::permutationKernelPLC3"},
    {"*swapdimension*", "", "TensorFlow", copy, both,
     "tensorflow::functor::SwapDimension1And2InTensor3UsingTiles"},
    {"*shuffleintensor*", "", "TensorFlow", copy, both,
     "tensorflow::functor::ShuffleInTensor3Simple"},
    {"*padinput*", "", "TensorFlow", copy, both, "tensorflow::functor::PadInputCustomKernelNHWC"},
    {"*concat*", "", "TensorFlow", copy, both, "tensorflow::concat_variable_kernel"},
    {"input_concatenate_fusion*", "", "XLA", copy, both, "input_concatenate_fusion"},
    {"*dynamic_update_slice*", "", "XLA", copy, both, "loop_dynamic_update_slice_fusion_2"},
    {"*dynamic-update-slice*", "", "XLA", copy, both, "dynamic-update-slice.4"},
    {"*to_dense_representation*", "", "PyTorch", copy, no, "at::to_dense_representation_kernel"},
    {"*copy*", "", "PyTorch", copy, both, "recat_copy_async_kernel"},
    {"*roll_cuda*", "", "PyTorch", copy, both, "at::native::roll_cuda_kernel"},

    // Pointwise kernels.
    {"at::native::*elementwise_kernel*", "", "PyTorch", pointwise, both,
     "at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>>"},
    {"*elementwise*", "", "PyTorch", pointwise, both, "elementwise_kernel"},
    {"*biasgrad*", "", "TensorFlow", reduction, both, "tensorflow::BiasGradNHWC_SharedAtomics"},
    {"*biasn*", "", "TensorFlow", pointwise, both, "tensorflow::BiasNHWCKernel"},
    {"*_gpu_dt_*", "", "TensorFlow", pointwise, both, "AddV2_GPU_DT_FLOAT_DT_FLOAT_kernel"},
    {"eigen::internal::*reduction*", "", "TensorFlow", reduction, both,
     "Eigen::internal::FullReductionKernel"},
    {"eigen::internal::eigenmetakernel", "reductionop", "TensorFlow", reduction, both,
     "Eigen::internal::EigenMetaKernel<TensorReductionOp>"},
    {"eigen::internal::eigenmetakernel", "", "TensorFlow", pointwise, both,
     "Eigen::internal::EigenMetaKernel<TensorAssignOp>"},
    {"*act_and_mul*", "", "vLLM", pointwise, both, "vllm::act_and_mul_kernel"},
    {"*silu*", "", "Triton", pointwise, both, "_silu_and_mul_kernel"},
    {"*gelu*", "", "DeepSpeed", pointwise, both, "fused_bias_gelu"},
    {"*geglu*", "", "Liger", pointwise, both, "_geglu_tanh_forward_kernel"},
    {"*gated_act*", "", "Transformer Engine", pointwise, both,
     "transformer_engine::gated_act_kernel"},
    {"*swiglu*", "", "Liger", pointwise, both, "_swiglu_forward_kernel"},
    {"*relu*", "", "DeepSpeed", pointwise, both, "fused_bias_relu"},
    {"*activation*", "", "TensorRT-LLM", pointwise, both, "doActivationKernel"},
    {"*residual*", "", "DeepSpeed", pointwise, both, "fused_bias_residual"},
    {"*bias_add*", "", "DeepSpeed", pointwise, both, "fused_bias_add"},
    {"*quant*", "", "vLLM", pointwise, both, "vllm::scaled_fp8_quant_kernel_strided"},
    {"*upsample*", "", "PyTorch", pointwise, both, "at::native::upsample_nearest2d_out_frame"},
    {"*triu_tril*", "", "PyTorch", pointwise, both, "at::native::triu_tril_kernel"},
    {"*clamp_position*", "", "SGLang", pointwise, both, "clamp_position_kernel"},
    {"vectoradd*", "", "CUDA samples", pointwise, both, "vectorAdd"},
    {"cudnn::ops::scalepackedtensor*", "", "cuDNN", pointwise, no,
     "cudnn::ops::scalePackedTensor_kernel"},
    {"cudnn::ops::add_tensor*", "", "cuDNN", pointwise, no, "cudnn::ops::add_tensor_kernel_v3"},
    {"mhc_post_*", "", "TileLang", pointwise, no, "mhc_post_tilelang_kernel"},
    {"op#dtensor*", "", "MIOpen", pointwise, no, "Op1dTensorGeneric"},

    // Reductions.
    {"*cross_entropy*", "", "Liger", reduction, no, "liger_cross_entropy_kernel"},
    {"cunn_classnllcriterion*", "", "PyTorch", reduction, both,
     "cunn_ClassNLLCriterion_updateOutput_kernel"},
    {"*nll_loss*", "", "PyTorch", reduction, both,
     "at::native::nll_loss_forward_reduce_cuda_kernel_2d"},
    {"*ctc_loss*", "", "PyTorch", scan, no, "at::native::ctc_loss_log_alpha_gpu_kernel"},
    {"*pool*", "", "PyTorch", reduction, both, "at::native::adaptive_average_pool"},
    {"*histogram*", "", "PyTorch", reduction, no, "at::native::kernelHistogram1D"},
    {"*argmax*", "", "Triton", reduction, both, "argmax_kernel"},
    {"input_reduce_fusion*", "", "XLA", reduction, both, "input_reduce_fusion_92"},
    {"wrapped_reduce*", "", "XLA", reduction, both, "wrapped_reduce"},
    {"*reduce*", "", "PyTorch", reduction, both, "at::native::reduce_kernel"},

    // The other fusions of XLA.
    {"loop_*fusion*", "", "XLA", pointwise, both, "loop_multiply_fusion"},
    {"wrapped_*", "", "XLA", pointwise, both, "wrapped_add"},
    {"fusion_#", "", "XLA", pointwise, both, "fusion_12"},
    {"fusion.#", "", "XLA", pointwise, both, "fusion.7"},
    {"*_fusion", "", "XLA", pointwise, both, "broadcast_add_fusion"},
    {"*_fusion_#", "", "XLA", pointwise, both, "multiply_add_fusion_3"},
    {"*_fusion.#", "", "XLA", pointwise, both, "select_fusion.1"},
    {"command_buffer*", "", "XLA", graph, no, "command_buffer"},
    {"cudagraph*", "", "CUDA", graph, no, "cudaGraph"},
};

constexpr OperatorRow kOperators[] = {
    {"aten::mm", matmul, after},
    {"aten::bmm", matmul, after},
    {"aten::addmm", matmul, after},
    {"aten::addmm_", matmul, after},
    {"aten::baddbmm", matmul, after},
    {"aten::baddbmm_", matmul, after},
    {"aten::addbmm", matmul, after},
    {"aten::addmv", matmul, no},
    {"aten::addmv_", matmul, no},
    {"aten::mv", matmul, no},
    {"aten::dot", matmul, no},
    {"aten::vdot", matmul, no},
    {"aten::linear", matmul, after},
    {"aten::matmul", matmul, after},
    {"aten::_addmm_activation", matmul, after},
    {"aten::_scaled_mm*", matmul, after},
    {"aten::_scaled_grouped_mm*", matmul, after},
    {"aten::_grouped_mm", matmul, after},
    {"aten::_int_mm", matmul, after},
    {"aten::_weight_int*", matmul, no},
    {"_C::cutlass_scaled_mm*", matmul, after},
    {"_C::gptq_*gemm*", matmul, no},
    {"_C::awq_gemm", matmul, no},
    {"_moe_C::moe_wna16_*", matmul, no},
    {"aten::convolution*", convolution, after},
    {"aten::_convolution*", convolution, after},
    {"aten::cudnn_convolution*", convolution, after},
    {"aten::miopen_convolution*", convolution, after},
    {"aten::miopen_depthwise_convolution*", convolution, after},
    {"aten::_conv_depthwise2d*", convolution, after},
    {"aten::conv_depthwise3d*", convolution, after},
    {"aten::slow_conv*", convolution, no},
    {"aten::_slow_conv*", convolution, no},
    {"aten::thnn_conv2d*", convolution, no},
    {"aten::_flash_attention_*", attention, no},
    {"aten::_efficient_attention_*", attention, no},
    {"aten::_cudnn_attention_*", attention, no},
    {"aten::_scaled_dot_product_flash_attention*", attention, no},
    {"aten::_scaled_dot_product_efficient_attention*", attention, no},
    {"aten::_scaled_dot_product_cudnn_attention*", attention, no},
    {"flash_attn::*", attention, no},
    {"flash_attn_3::*", attention, no},
    {"xformers_flash*", attention, no},
    {"aiter::mha_*", attention, no},
    {"aiter::fmha_*", attention, no},
    {"aten::native_layer_norm*", normalization, both},
    {"aten::native_batch_norm*", normalization, both},
    {"aten::cudnn_batch_norm*", normalization, no},
    {"aten::miopen_batch_norm*", normalization, no},
    {"aten::native_group_norm*", normalization, both},
    {"aten::_fused_rms_norm*", normalization, both},
    {"aten::_softmax*", normalization, both},
    {"aten::_log_softmax*", normalization, both},
    {"aten::_safe_softmax", normalization, both},
    {"_C::rms_norm", normalization, both},
    {"_C::fused_add_rms_norm", normalization, both},
    {"aten::sum", reduction, both},
    {"aten::mean", reduction, both},
    {"aten::amax", reduction, both},
    {"aten::amin", reduction, both},
    {"aten::argmax", reduction, both},
    {"aten::argmin", reduction, both},
    {"aten::prod", reduction, both},
    {"aten::var*", reduction, both},
    {"aten::std*", reduction, both},
    {"aten::linalg_vector_norm", reduction, both},
    {"aten::cumsum*", scan, before},
    {"aten::cumprod*", scan, before},
    {"aten::logcumsumexp", scan, before},
    {"aten::sort", sort, no},
    {"aten::topk", sort, no},
    {"aten::argsort", sort, no},
    {"aten::nonzero", sort, no},
    {"aten::_unique*", sort, no},
    {"aten::unique*", sort, no},
    {"aten::masked_select", sort, no},
    {"_moe_C::moe_align_block_size", sort, no},
    {"_moe_C::topk_softmax", sort, no},
    {"aten::embedding*", embedding, no},
    {"aten::_embedding_bag*", embedding, no},
    {"aten::index_select", embedding, both},
    {"aten::index_add*", embedding, no},
    {"aten::_index_put_impl_", embedding, no},
    {"aten::scatter*", embedding, no},
    {"aten::gather", embedding, both},
    {"aten::_fused_adam*", optimizer, no},
    {"aten::_fused_sgd*", optimizer, no},
    {"aten::_fused_adagrad*", optimizer, no},
    {"aten::normal_", random, both},
    {"aten::uniform_", random, both},
    {"aten::bernoulli*", random, both},
    {"aten::exponential_", random, both},
    {"aten::random_", random, both},
    {"aten::multinomial", random, no},
    {"aten::native_dropout*", random, both},
    {"aten::fill_", fill, both},
    {"aten::zero_", fill, both},
    {"aten::cat", copy, both},
    {"aten::copy_", copy, both},
    {"record_param_comms", collective, no},
    {"c10d::*", collective, no},
    {"_c10d_functional::*", collective, no},
    {"nccl:*", collective, no},
    {"symm_mem::*all_reduce*", collective, no},
    {"symm_mem::*all_gather*", collective, no},
    {"symm_mem::*reduce_scatter*", collective, no},
    {"_C_custom_ar::all_reduce", collective, no},
    {"vllm::all_reduce", collective, no},
};

std::string loweredName(std::string_view text) {
  std::string made(text);
  for (char& c : made)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  return made;
}

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

/// Whether the text is the pattern: * stands for any text, # for the digits of a number.
bool fitsPattern(std::string_view text, std::string_view pattern) {
  std::size_t t = 0, p = 0, star = std::string_view::npos, from = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      from = t;
    } else if (p < pattern.size() && pattern[p] == '#' && isDigit(text[t])) {
      while (t < text.size() && isDigit(text[t])) ++t;
      ++p;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++from;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

KernelMeaning meaningOfOp(const OpRow& row) {
  constexpr std::string_view kOurs = "Fusebench";
  switch (row.kind) {
    case OpKind::pointwise:
      return {pointwise, both, kOurs};
    case OpKind::reduce:
      return {reduction, both, kOurs};
    case OpKind::make:
      return {fill, both, kOurs};
    case OpKind::scan:
      return {scan, before, kOurs};
    case OpKind::contract:
      return {row.name.starts_with("conv") ? convolution : matmul, no, kOurs};
    case OpKind::collective:
      return {collective, no, kOurs};
    case OpKind::view:
    case OpKind::copy:
      return {copy, both, kOurs};
    case OpKind::gather:
    case OpKind::scatter:
      return {embedding, no, kOurs};
    case OpKind::order:
      return {sort, no, kOurs};
    case OpKind::gradient:
      break;
  }
  return {};
}

/// The engine names its kernels after its ops: "kernel_add", "kernel_add_sin_sum_34_ops".
KernelMeaning meaningOfOwn(std::string_view name) {
  constexpr std::string_view kPrefix = "kernel_", kFused = "_ops";
  const bool generated = name.starts_with(kPrefix);
  if (generated) name.remove_prefix(kPrefix.size());
  if (const OpRow* row = findOp(name)) return meaningOfOp(*row);
  if (!generated || !name.ends_with(kFused)) return {};
  KernelMeaning made;
  while (!name.empty()) {
    const std::size_t length = std::min(name.find('_'), name.size());
    if (const OpRow* row = findOp(name.substr(0, length)))
      if (const KernelMeaning one = meaningOfOp(*row);
          made.kind == unknown || (made.kind == pointwise && one.kind != unknown))
        made = one;
    name.remove_prefix(std::min(length + 1, name.size()));
  }
  return made;
}

KernelMeaning meaningOfName(std::string_view name) {
  const std::string plain = loweredName(qualifiedKernelName(name)), whole = loweredName(name);
  for (const KernelRow& row : kRows)
    if (fitsPattern(plain, row.pattern) &&
        (row.within.empty() || whole.find(row.within) != std::string::npos))
      return {row.kind, row.joins, row.library};
  return meaningOfOwn(name);
}

const OperatorRow* rowOfOperator(std::string_view op) {
  const auto* const found = std::ranges::find_if(
      kOperators, [op](const OperatorRow& row) { return fitsPattern(op, row.name); });
  return found == std::end(kOperators) ? nullptr : found;
}

}  // namespace

std::string_view nameOf(KernelClass kind) {
  return kClassNames[std::min(static_cast<std::size_t>(kind), kKernelClasses - 1)];
}

KernelClass kernelClassNamed(std::string_view name) {
  const auto found = std::ranges::find(kClassNames, name);
  return found == kClassNames.end() ? unknown
                                    : static_cast<KernelClass>(found - kClassNames.begin());
}

std::span<const KernelRow> kernelRows() {
  return kRows;
}

std::span<const OperatorRow> operatorRows() {
  return kOperators;
}

KernelMeaning meaningOfKernel(std::string_view name, std::string_view op) {
  const OperatorRow* const row = op.empty() ? nullptr : rowOfOperator(op);
  KernelMeaning named = meaningOfName(name);
  if (!row) return named;
  const bool helps = named.kind == pointwise || named.kind == copy || named.kind == fill;
  if (helps) return named;
  // Where both give the same class, the row of the name is more exact about fusion.
  if (named.kind == row->kind) return named;
  return {row->kind, row->joins, named.library};
}

bool isCollective(std::string_view name) {
  return meaningOfName(name).kind == collective;
}

}  // namespace fusebench
