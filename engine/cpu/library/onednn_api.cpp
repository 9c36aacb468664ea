// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/library/onednn_api.h"

#ifdef FUSEBENCH_ONEDNN

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/base/saying.h"

namespace fusebench::cpu {

bool DnnlApi::open(std::string& why) {
  const std::string kRemedy = saying("on Debian 12: apt-get install libdnnl2");
  std::string error;
  library = SharedLibrary::open("libdnnl.so.2", error);
  if (!library) {
    why = saying("oneDNN 2 was not found ({}): {}", error, kRemedy);
    return false;
  }
#define FUSEBENCH_DNNL_FIND(wanted)                                                                \
  wanted = reinterpret_cast<decltype(wanted)>(library.symbol("dnnl_" #wanted));                    \
  if (!wanted) {                                                                                   \
    why = saying("{} has no dnnl_{}: it is older than 2.6; {}", library.name(), #wanted, kRemedy); \
    return false;                                                                                  \
  }
  FUSEBENCH_DNNL_FUNCTIONS(FUSEBENCH_DNNL_FIND)
#undef FUSEBENCH_DNNL_FIND
  const dnnl_version_t* const found = version();
  if (found->major != DNNL_VERSION_MAJOR || found->minor < 6) {
    why = saying("{} is oneDNN {}.{}, but 2.6 or later of release 2 is needed; {}", library.name(),
                 found->major, found->minor, kRemedy);
    return false;
  }
  setThreads = reinterpret_cast<void (*)(int)>(library.symbol("omp_set_num_threads"));
  if (engine_create(&engine, dnnl_cpu, 0) != dnnl_success ||
      stream_create(&stream, engine, dnnl_stream_default_flags) != dnnl_success) {
    why = saying("{} cannot use this processor", library.name());
    return false;
  }
  return true;
}

bool DnnlApi::sumsBytesExactly() const {
  constexpr unsigned kOfAvx512 = dnnl_cpu_isa_avx512_core_vnni & ~dnnl_cpu_isa_avx512_core;
  constexpr unsigned kOfAvx2 = dnnl_cpu_isa_avx2_vnni & ~dnnl_cpu_isa_avx2;
  return (static_cast<unsigned>(get_effective_cpu_isa()) & (kOfAvx512 | kOfAvx2)) != 0;
}

void DnnlApi::useThreads(int threads) const {
  thread_local int used = 0;
  if (!setThreads || used == threads) return;
  setThreads(threads);
  used = threads;
}

std::optional<dnnl_data_type_t> dnnlType(DType dtype) {
  switch (dtype) {
    case DType::float32:
      return dnnl_f32;
    case DType::bfloat16:
      return dnnl_bf16;
    case DType::float16:
      return dnnl_f16;
    case DType::int8:
      return dnnl_s8;
    case DType::uint8:
      return dnnl_u8;
    case DType::int32:
      return dnnl_s32;
    default:
      return std::nullopt;
  }
}

namespace {

/// Sets the steps along dimensions of one element, which no loop takes, from the other dimensions
/// alone. oneDNN (2.6) caches its primitives by descriptions that it compares without those steps,
/// but it chooses layouts with them: a cached primitive may expect the weights in a layout other
/// than the one that its description names.
void settleSteps(const dnnl_dims_t& extents, dnnl_dims_t& steps, int rank) {
  std::array<int, DNNL_MAX_NDIMS> fastestFirst{};
  int dims = 0;
  const bool channelsLast = rank > 2 && extents[1] > 1 && steps[1] == 1;
  if (channelsLast) fastestFirst[static_cast<std::size_t>(dims++)] = 1;
  for (int d = rank; d-- > 0;)
    if (d != 1 || !channelsLast) fastestFirst[static_cast<std::size_t>(dims++)] = d;
  bool hasUnit = false;
  for (int d = 0; d < rank; ++d) hasUnit |= extents[d] > 1 && steps[d] == 1;
  dnnl_dim_t reach = 1;
  for (int place = 0; place < rank; ++place) {
    const int d = fastestFirst[static_cast<std::size_t>(place)];
    if (extents[d] == 1) {
      // Products want one of their two steps to be 1.
      steps[d] = hasUnit ? reach : 1;
      hasUnit = true;
    } else {
      reach = std::max(reach, extents[d] * steps[d]);
    }
  }
}

}  // namespace

dnnl_memory_desc_t dnnlDescription(const DnnlApi& api, const std::vector<std::int64_t>& extents,
                                   const std::vector<std::int64_t>& strides,
                                   dnnl_data_type_t type) {
  dnnl_dims_t dims{}, steps{};
  std::copy(extents.begin(), extents.end(), dims);
  std::copy(strides.begin(), strides.end(), steps);
  settleSteps(dims, steps, static_cast<int>(extents.size()));
  dnnl_memory_desc_t description{};
  if (api.memory_desc_init_by_strides(&description, static_cast<int>(extents.size()), dims, type,
                                      steps) != dnnl_success)
    throw std::runtime_error("oneDNN takes no tensor that lies so");
  return description;
}

std::string dnnlChosen(const DnnlApi& api, const_dnnl_primitive_desc_t choice) {
  const char* text = nullptr;
  if (api.primitive_desc_query(choice, dnnl_query_impl_info_str, 0, &text) != dnnl_success || !text)
    return "unknown";
  return text;
}

bool isDnnlReference(const std::string& chosen) {
  return chosen.starts_with("ref") || chosen.starts_with("simple:any");
}

}  // namespace fusebench::cpu

#endif
