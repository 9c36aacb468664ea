// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifdef FUSEBENCH_ONEDNN

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/cpu/library/onednn.h"
#include "engine/cpu/library/onednn_api.h"
#include "engine/cpu/library/prepared_call.h"

namespace fusebench::cpu {

/// One of the library's ways to execute a call: in which layouts, and with which of its
/// implementations.
struct DnnlWay {
  int layout = 0;          ///< index among the layouts that the call can be requested in
  int implementation = 0;  ///< numbered as the library lists them
};

/// The outcome of preparing a call in one way.
struct DnnlTried {
  std::unique_ptr<PreparedCall> call;  ///< null: it is slow or not supported
  bool ended = false;                  ///< there are no further implementations for this layout
};

/// Tries every way, times each on memory of its own, and keeps the fastest, which the cache
/// remembers. `layouts`: how many there are. Null: there is none.
std::unique_ptr<PreparedCall> fastestWay(const LibraryRequest& request, const std::string& version,
                                         int layouts,
                                         const std::function<DnnlTried(const DnnlWay&)>& make);

/// Selects the library's implementation with this number. Returns false if it is too high.
/// `forward`: for a gradient, the descriptor of the forward pass.
bool chooseDnnl(const DnnlApi& api, const_dnnl_op_desc_t wanted,
                const_dnnl_primitive_attr_t attributes, int implementation, DnnlChoice& choice,
                const_dnnl_primitive_desc_t forward = nullptr);

}  // namespace fusebench::cpu

#endif
