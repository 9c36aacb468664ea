// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "profiler/trace/trace_builder.h"

namespace fusebench {

/// A tensor that an operator of an execution trace read or created. Tensors whose storages have the
/// same number share memory, as long as nothing else is allocated there.
struct TracedTensor {
  std::int64_t id = 0, storage = 0;
  std::int64_t offset = 0;  ///< its first element in the storage, elements
  std::vector<std::int64_t> extents;
  std::vector<std::int64_t> strides;  ///< elements; see hasStrides
  bool hasStrides = false;            ///< traces record them since schema 1.1
  std::string dtype;                  ///< "float32"; empty: a dtype that Fusebench does not support
  std::string recordedType;           ///< "float", "c10::complex<float>"

  std::int64_t elements() const;
  bool isContiguous() const;  ///< true where strides are not recorded
};

/// An argument or a result.
struct TracedValue {
  /// `other`: a type that Fusebench does not support, or a list too long to be recorded.
  enum class Kind : std::uint8_t { none, tensor, list, integer, real, flag, text, device, other };
  Kind kind = Kind::none;
  std::uint32_t tensor = 0;  ///< in ExecutionTrace::tensors
  std::int64_t integer = 0;  ///< flags, too
  double real = 0;
  std::string text;  ///< strings and devices; for others the type as recorded
  std::vector<TracedValue> items;
};

using OperatorIndex = std::uint32_t;
inline constexpr OperatorIndex kNoOperator = std::numeric_limits<OperatorIndex>::max();

/// A node of an execution trace: a call of an operator, or a range around some.
struct TracedOperator {
  std::int64_t id = 0;
  OperatorIndex parent = kNoOperator;  ///< always a smaller index
  std::uint32_t name = 0, schema = 0;  ///< in ExecutionTrace::texts
  std::uint32_t kernel = 0;  ///< the generator of the kernel that it is ("triton"); 0: none
  std::int64_t thread = 0;
  std::vector<TracedValue> inputs, outputs;
  std::vector<OperatorIndex> children;
};

/// A file of PyTorch's ExecutionTraceObserver: operators in the order in which they started, with
/// the identities of their tensors. It has no times.
struct ExecutionTrace {
  std::string title, schema;
  bool hasIdentities = true;  ///< false: a trace of shapes; see recorded_operators.h
  std::vector<TracedOperator> operators;
  std::vector<TracedTensor> tensors;
  std::vector<std::string> texts{std::string()};
  std::string partial;  ///< why only a part was read; empty: all of it was

  std::string_view nameOf(OperatorIndex at) const { return texts[operators[at].name]; }
  std::string_view schemaOf(OperatorIndex at) const { return texts[operators[at].schema]; }
  /// Whether it is an ATen operator, and not a range, thread or library around some.
  bool isAten(OperatorIndex at) const { return nameOf(at).starts_with("aten::"); }
  /// Position of the operator with this number; kNoOperator: there is none.
  OperatorIndex find(std::int64_t id) const;
  /// The last position within its subtree, on whatever threads.
  std::vector<OperatorIndex> ends() const;
};

/// Whether the file is, judging by its beginning, an execution trace; plain or compressed with
/// gzip.
bool looksLikeExecutionTrace(const std::string& path);
/// Reads one with schema 1.0 or 1.1. A truncated file gives the operators that it contains. Throws
/// InputError, naming the node, the cause and the remedy, and what `progress` throws.
ExecutionTrace readExecutionTrace(const std::string& path, const TraceProgress& progress = {});

}  // namespace fusebench
