// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/codegen/call_source.h"

#include "engine/cuda/codegen/contraction_source.h"
#include "engine/cuda/codegen/order_source.h"
#include "engine/cuda/codegen/scatter_source.h"

namespace fusebench::cuda {

Source callSource(const LibraryCall& call) {
  if (call.scatter.is) return scatterSource(call);
  return call.order.is ? orderSource(call) : contractionSource(call);
}

}  // namespace fusebench::cuda
