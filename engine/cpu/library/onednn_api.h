// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifdef FUSEBENCH_ONEDNN

#include <initializer_list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <oneapi/dnnl/dnnl.h>

#include "engine/base/dtype.h"
#include "engine/base/shared_library.h"

/// The oneDNN functions that are used here, from the C interface of release 2.
#define FUSEBENCH_DNNL_FUNCTIONS(F)                 \
  F(version)                                        \
  F(get_effective_cpu_isa)                          \
  F(engine_create)                                  \
  F(stream_create)                                  \
  F(memory_desc_init_by_strides)                    \
  F(memory_desc_equal)                              \
  F(memory_desc_get_size)                           \
  F(memory_create)                                  \
  F(memory_destroy)                                 \
  F(memory_set_data_handle)                         \
  F(matmul_desc_init)                               \
  F(dilated_convolution_forward_desc_init)          \
  F(dilated_convolution_backward_data_desc_init)    \
  F(dilated_convolution_backward_weights_desc_init) \
  F(pooling_v2_forward_desc_init)                   \
  F(reorder_primitive_desc_create)                  \
  F(primitive_desc_create)                          \
  F(primitive_desc_destroy)                         \
  F(primitive_desc_query)                           \
  F(primitive_desc_query_md)                        \
  F(primitive_desc_iterator_create)                 \
  F(primitive_desc_iterator_next)                   \
  F(primitive_desc_iterator_fetch)                  \
  F(primitive_desc_iterator_destroy)                \
  F(primitive_create)                               \
  F(primitive_destroy)                              \
  F(primitive_execute)                              \
  F(primitive_attr_create)                          \
  F(primitive_attr_destroy)                         \
  F(primitive_attr_set_output_scales)               \
  F(primitive_attr_set_post_ops)                    \
  F(post_ops_create)                                \
  F(post_ops_destroy)                               \
  F(post_ops_append_sum)                            \
  F(post_ops_append_eltwise)                        \
  F(post_ops_append_binary)                         \
  F(sgemm)

namespace fusebench::cpu {

/// The library's functions, its engine and its stream, and convenient ways to use them.
struct DnnlApi {
// NOLINTNEXTLINE(bugprone-macro-parentheses): it declares a member of that name
#define FUSEBENCH_DNNL_MEMBER(name) decltype(&::dnnl_##name) name = nullptr;
  FUSEBENCH_DNNL_FUNCTIONS(FUSEBENCH_DNNL_MEMBER)
#undef FUSEBENCH_DNNL_MEMBER
  void (*setThreads)(int) = nullptr;  ///< for the OpenMP that it uses; null: it uses none
  dnnl_engine_t engine = nullptr;
  dnnl_stream_t stream = nullptr;
  SharedLibrary library;

  /// Opens the library. False: `why` states in one line what is missing.
  bool open(std::string& why);
  /// Whether sums of products of bytes are exact: the processor has instructions that accumulate
  /// them in 32 bits. Without these, the library adds pairs in 16 bits, which saturate.
  bool sumsBytesExactly() const;
  /// Sets the number of threads for later calls of this thread.
  void useThreads(int threads) const;
};

/// Handles that are destroyed with their owner. `end`: the member of DnnlApi that destroys one.
template <class Handle, auto kEnd>
class DnnlHandle {
 public:
  DnnlHandle() = default;
  explicit DnnlHandle(const DnnlApi& api) : api_(&api) {}
  DnnlHandle(DnnlHandle&& other) noexcept
      : api_(other.api_), handle_(std::exchange(other.handle_, nullptr)) {}
  DnnlHandle& operator=(DnnlHandle&& other) noexcept {
    std::swap(api_, other.api_);
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~DnnlHandle() {
    if (handle_) (api_->*kEnd)(handle_);
  }
  Handle get() const { return handle_; }
  Handle* out() { return &handle_; }

 private:
  const DnnlApi* api_ = nullptr;
  Handle handle_ = nullptr;
};
using DnnlMemory = DnnlHandle<dnnl_memory_t, &DnnlApi::memory_destroy>;
using DnnlChoice = DnnlHandle<dnnl_primitive_desc_t, &DnnlApi::primitive_desc_destroy>;
using DnnlPrimitive = DnnlHandle<dnnl_primitive_t, &DnnlApi::primitive_destroy>;
using DnnlAttributes = DnnlHandle<dnnl_primitive_attr_t, &DnnlApi::primitive_attr_destroy>;
using DnnlPostOps = DnnlHandle<dnnl_post_ops_t, &DnnlApi::post_ops_destroy>;

/// Nothing: the library has no such elements on a processor.
std::optional<dnnl_data_type_t> dnnlType(DType dtype);
/// A dimension without a loop has extent 1 and any stride.
dnnl_memory_desc_t dnnlDescription(const DnnlApi& api, const std::vector<std::int64_t>& extents,
                                   const std::vector<std::int64_t>& strides, dnnl_data_type_t type);
/// "brgemm:avx512_core", of a choice.
std::string dnnlChosen(const DnnlApi& api, const_dnnl_primitive_desc_t choice);
/// Whether the library would use its slow, generic loops.
bool isDnnlReference(const std::string& chosen);

}  // namespace fusebench::cpu

#endif
