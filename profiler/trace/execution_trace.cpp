// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/execution_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "engine/base/saying.h"
#include "profiler/files/byte_source.h"
#include "profiler/files/input_error.h"
#include "profiler/files/json_text.h"
#include "profiler/trace/execution_trace_values.h"
#include "profiler/trace/trace_scanner.h"
#include "profiler/trace/utf8_text.h"

namespace fusebench {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostOperators = 4'000'000;
constexpr std::size_t kMostTraceValues = 40'000'000;
constexpr std::size_t kDeepestOperator = 10'000;
constexpr std::size_t kLongestName = 4096;
constexpr std::size_t kSniffedTrace = 1 << 16;
constexpr unsigned kSniffedPiece = 1 << 10;

/// A member of an operator, which schema 1.0.1 has itself and later ones have among its attributes.
const Json* attributeOf(const Json& node, const char* name) {
  if (const auto own = node.find(name); own != node.end()) return &*own;
  const auto list = node.find("attrs");
  if (list == node.end() || !list->is_array()) return nullptr;
  for (const Json& each : *list) {
    if (!each.is_object()) continue;
    const auto named = each.find("name"), value = each.find("value");
    if (named != each.end() && value != each.end() && *named == name) return &*value;
  }
  return nullptr;
}

class TraceReader {
 public:
  TraceReader(const std::string& path, const TraceProgress& progress)
      : path_(path), progress_(progress) {
    trace_.title = std::filesystem::path(path).filename().string();
  }

  ExecutionTrace run() {
    constexpr std::size_t kNodesPerStep = 1 << 12;
    ByteSource source(path_);
    TraceScanner scanner(source, "nodes");
    while (const auto node = scanner.next()) {
      takeNode(*node, scanner.offset());
      if (trace_.operators.size() % kNodesPerStep == 0 && progress_ && !progress_(source.share()))
        throw Canceled();
    }
    trace_.partial = scanner.partial();
    if (!scanner.foundEvents())
      throw InputError(
          saying("{}: an execution trace has a list \"nodes\", and this file has none", path_) +
          (trace_.partial.empty() ? std::string() : "; " + trace_.partial));
    if (trace_.operators.empty())
      throw InputError(
          saying("{}: the trace has no operators; call start() of the observer "
                 "before the code to record, and stop() after it",
                 path_));
    if (const auto schema = scanner.members().find("schema"); schema != scanner.members().end())
      takeSchema(jsonOf(validUtf8(schema->second)));
    link();
    return std::move(trace_);
  }

 private:
  void takeSchema(const Json& schema) {
    if (!schema.is_string()) return;
    trace_.schema = schema.get<std::string>();
    // "1.1.1-chakra.0.0.4": a later first number may mean another form.
    if (!trace_.schema.starts_with("1."))
      throw InputError(saying("{}: this execution trace has schema {}; Fusebench reads 1.0 and 1.1",
                              path_, trace_.schema));
  }

  std::uint32_t text(const Json* value) {
    if (!value || !value->is_string()) return 0;
    const std::string& given = value->get_ref<const std::string&>();
    if (given.empty()) return 0;
    const auto [known, isNew] = texts_.try_emplace(given.substr(0, kLongestName),
                                                   static_cast<std::uint32_t>(trace_.texts.size()));
    if (isNew) trace_.texts.push_back(known->first);
    return known->second;
  }

  std::int64_t number(const Json& node, const char* name, const std::string& where) const {
    const Json* const value = attributeOf(node, name);
    if (!value || !value->is_number_integer())
      throw InputError(
          saying("{}: \"{}\" must be an integer; record the trace again with "
                 "ExecutionTraceObserver",
                 where, name));
    return value->get<std::int64_t>();
  }

  void takeNode(std::string_view given, std::uint64_t end) {
    const std::string place = saying("{}: byte {}", path_, end - given.size());
    const std::string valid = validUtf8(given);
    const Json node = jsonOf(valid);
    if (node.is_discarded()) {
      const auto problem = jsonProblem(valid);
      throw InputError(
          place + ": " +
          (problem ? problem->what : saying("a node must be a JSON object with a name and an id")));
    }
    if (!node.is_object())
      throw InputError(place + ": " + saying("a node must be a JSON object with a name and an id"));
    if (trace_.operators.size() >= kMostOperators)
      throw InputError(saying("{}: more than {} nodes; record fewer steps", path_, kMostOperators));
    TracedOperator made;
    made.id = number(node, "id", place);
    const std::string where = saying("{}: node {}", path_, made.id);
    const auto name = node.find("name");
    if (name == node.end() || !name->is_string())
      throw InputError(
          saying("{}: \"{}\" must be a string; record the trace again with ExecutionTraceObserver",
                 where, "name"));
    made.name = text(&*name);
    made.schema = text(attributeOf(node, "op_schema"));
    made.kernel = text(attributeOf(node, "kernel_backend"));
    const bool older = node.contains("parent");
    parents_.push_back(number(node, older ? "parent" : "ctrl_deps", where));
    if (const Json* const thread = attributeOf(node, "tid"); thread && thread->is_number_integer())
      made.thread = thread->get<std::int64_t>();
    made.inputs = values(node, "inputs", "input", where);
    made.outputs = values(node, "outputs", "output", where);
    valueCount_ += made.inputs.size() + made.outputs.size();
    if (valueCount_ + trace_.tensors.size() > kMostTraceValues)
      throw InputError(
          saying("{}: more than {} values; record fewer steps", path_, kMostTraceValues));
    trace_.operators.push_back(std::move(made));
  }

  /// {"values": ..., "shapes": ...} since schema 1.0.2, else inputs, input_shapes and input_types.
  std::vector<TracedValue> values(const Json& node, const char* name, const std::string& older,
                                  const std::string& where) {
    const auto found = node.find(name);
    TracedLists lists;
    if (found != node.end() && found->is_object()) {
      const auto member = [&](const char* key) -> const Json* {
        const auto at = found->find(key);
        return at == found->end() ? nullptr : &*at;
      };
      lists = {member("values"), member("shapes"), member("types"), member("strides")};
    } else {
      const auto member = [&](const std::string& key) -> const Json* {
        const auto at = node.find(key);
        return at == node.end() ? nullptr : &*at;
      };
      lists = {found == node.end() ? nullptr : &*found, member(older + "_shapes"),
               member(older + "_types"), member(older + "_strides")};
    }
    return tracedValues(lists, where + ": " + name, trace_.tensors);
  }

  /// Puts operators in the order of their numbers, which is that of their starts, and joins them
  /// with their parents. PyTorch writes an operator when it ends, so children come first.
  void link() {
    std::vector<OperatorIndex> order(trace_.operators.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<OperatorIndex>(i);
    std::sort(order.begin(), order.end(), [&](OperatorIndex a, OperatorIndex b) {
      return trace_.operators[a].id < trace_.operators[b].id;
    });
    std::vector<TracedOperator> sorted;
    sorted.reserve(order.size());
    std::vector<std::int64_t> parents;
    for (const OperatorIndex each : order) {
      sorted.push_back(std::move(trace_.operators[each]));
      parents.push_back(parents_[each]);
    }
    trace_.operators = std::move(sorted);
    std::vector<std::size_t> depths(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      TracedOperator& one = trace_.operators[i];
      if (i > 0 && trace_.operators[i - 1].id == one.id)
        throw InputError(saying("{}: two nodes have the id {}; ids must differ", path_, one.id));
      if (parents[i] == one.id) continue;  // the process, which is its own parent
      if (parents[i] > one.id)
        throw InputError(
            saying("{}: node {}: its parent is node {}, which starts after it; a "
                   "parent has the smaller id",
                   path_, one.id, parents[i]));
      one.parent = trace_.find(parents[i]);
      if (one.parent == kNoOperator) continue;  // it was running when the recording began or ended
      depths[i] = depths[one.parent] + 1;
      if (depths[i] > kDeepestOperator)
        throw InputError(
            saying("{}: node {}: calls nest deeper than {}", path_, one.id, kDeepestOperator));
      trace_.operators[one.parent].children.push_back(static_cast<OperatorIndex>(i));
    }
  }

  const std::string& path_;
  const TraceProgress& progress_;
  ExecutionTrace trace_;
  std::vector<std::int64_t> parents_;
  std::unordered_map<std::string, std::uint32_t> texts_;
  std::size_t valueCount_ = 0;
};

}  // namespace

std::int64_t TracedTensor::elements() const {
  std::int64_t count = 1;
  for (const std::int64_t extent : extents) count *= extent;
  return count;
}

bool TracedTensor::isContiguous() const {
  if (!hasStrides) return true;
  std::int64_t step = 1;
  for (std::size_t d = extents.size(); d-- > 0;) {
    if (extents[d] != 1 && strides[d] != step && elements() > 0) return false;
    step *= extents[d];
  }
  return true;
}

OperatorIndex ExecutionTrace::find(std::int64_t id) const {
  const auto found = std::lower_bound(
      operators.begin(), operators.end(), id,
      [](const TracedOperator& one, std::int64_t sought) { return one.id < sought; });
  if (found == operators.end() || found->id != id) return kNoOperator;
  return static_cast<OperatorIndex>(found - operators.begin());
}

std::vector<OperatorIndex> ExecutionTrace::ends() const {
  std::vector<OperatorIndex> last(operators.size());
  for (std::size_t i = operators.size(); i-- > 0;) {
    last[i] = std::max(last[i], static_cast<OperatorIndex>(i));
    if (const OperatorIndex parent = operators[i].parent; parent != kNoOperator)
      last[parent] = std::max(last[parent], last[i]);
  }
  return last;
}

bool looksLikeExecutionTrace(const std::string& path) {
  try {
    ByteSource source(path, kSniffedPiece);
    std::string begin(kSniffedTrace, '\0');
    begin.resize(source.read(begin.data(), begin.size()));
    const std::size_t first = begin.find_first_not_of("\xEF\xBB\xBF \t\r\n");
    if (first == std::string::npos || begin[first] != '{') return false;
    const std::size_t nodes = begin.find("\"nodes\"");
    return nodes != std::string::npos && begin.find("\"schema\"") < nodes &&
           begin.find("\"traceEvents\"") > nodes && begin.find("\"fusebench\"") > nodes;
  } catch (const std::bad_alloc&) {
    throw;  // there was no memory for the file, so nothing is known
  } catch (const std::exception&) {
    return false;
  }
}

ExecutionTrace readExecutionTrace(const std::string& path, const TraceProgress& progress) {
  return TraceReader(path, progress).run();
}

}  // namespace fusebench
