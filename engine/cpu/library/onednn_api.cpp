// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/library/onednn_api.h"

#ifdef FUSEBENCH_ONEDNN

#include <fmt/format.h>

#include "engine/base/saying.h"

namespace fusebench::cpu {

bool DnnlApi::open(std::string& why) {
  const std::string kRemedy = saying("on Debian 12: apt-get install libdnnl2");
  std::string error;
  library = SharedLibrary::open("libdnnl.so.2", error);
  if (!library) {
    why = saying("oneDNN 2 is not there ({}): {}", error, kRemedy);
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

dnnl_memory_desc_t dnnlDescription(const DnnlApi& api, const std::vector<std::int64_t>& extents,
                                   const std::vector<std::int64_t>& strides,
                                   dnnl_data_type_t type) {
  dnnl_dims_t dims{}, steps{};
  std::copy(extents.begin(), extents.end(), dims);
  std::copy(strides.begin(), strides.end(), steps);
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
