// SPDX-License-Identifier: GPL-3.0-or-later
// Where tensors are: .to("cuda"), .cuda(), .cpu(), .pin_memory(), .item(), device=.
#include <algorithm>
#include <cctype>
#include <iterator>

#include "engine/language/program_builder.h"
#include "engine/language/program_errors.h"
#include "engine/ops/copies.h"

namespace fusebench {
namespace {

using Kind = PythonValue::Kind;

constexpr std::string_view kDevicePath = "device";

/// What a call of .to() asks for.
struct Asked {
  std::optional<Memory> memory;
  std::vector<CallArgument> cast;  ///< the dtype
  bool nonBlocking = false;
  bool likeAnother = false;  ///< the device is another tensor's
};

bool isSet(const CallArgument& argument, const std::string& shown) {
  if (argument.value.kind != Kind::flag)
    failProgram(argument.place, argument.keyword + " of " + shown + " must be True or False, not " +
                                    argument.value.shown());
  return argument.value.number != 0;
}

Asked askedOf(const std::vector<CallArgument>& arguments, const std::string& shown) {
  Asked asked;
  const CallArgument* copy = nullptr;
  for (const CallArgument& argument : arguments) {
    const std::string& keyword = argument.keyword;
    if (keyword == "non_blocking") {
      asked.nonBlocking = isSet(argument, shown);
    } else if (keyword == "copy") {
      if (isSet(argument, shown)) copy = &argument;
    } else if (keyword == "memory_format") {
      asked.cast.push_back(argument);  // nobody takes it: the call says so
    } else if (keyword.empty() || keyword == "device") {
      if (const auto named = memoryNamed(argument.value)) {
        asked.memory = named;
        asked.likeAnother = argument.value.text == kDevicePath;
      } else if (keyword == "device" && argument.value.kind != Kind::none)
        failProgram(argument.place,
                    "device= must name one, as in 'cuda', not " + argument.value.shown());
      else if (keyword.empty() && argument.value.kind == Kind::flag && asked.memory)
        asked.nonBlocking = argument.value.number != 0;
      else if (keyword.empty())
        asked.cast.push_back(argument);
    } else {
      asked.cast.push_back(argument);
    }
  }
  if (copy && asked.memory)
    failProgram(copy->place, "copy=True is not supported; write .clone() after " + shown);
  return asked;
}

}  // namespace

std::optional<Memory> memoryNamed(const PythonValue& device) {
  if (device.kind == Kind::path) {
    if (device.text == kDevicePath || device.text == devicePath(Memory::device))
      return Memory::device;
    if (device.text == devicePath(Memory::host)) return Memory::host;
    return std::nullopt;
  }
  if (device.kind != Kind::text) return std::nullopt;
  if (device.text == "cpu") return Memory::host;
  const std::string_view rest =
      std::string_view(device.text).substr(std::min<std::size_t>(4, device.text.size()));
  const bool numbered = rest.size() > 1 && rest[0] == ':' &&
                        std::all_of(rest.begin() + 1, rest.end(),
                                    [](unsigned char c) { return std::isdigit(c) != 0; });
  if (device.text.starts_with("cuda") && (rest.empty() || numbered)) return Memory::device;
  failProgram(device.place, "there is no device '" + device.text +
                                "' in a program: 'cuda' is the device that it runs on, 'cpu' the "
                                "host's memory");
}

std::string devicePath(Memory memory) {
  return memory == Memory::device ? "device cuda" : "device cpu";
}

PythonValue ProgramBuilder::copied(Move move, const PythonValue& self, bool nonBlocking,
                                   SourcePlace place) {
  Op op;
  op.row = &copyRow(move);
  op.place = place;
  Operand operand = Operand::ofValue(self.value);
  operand.detached = self.detached;
  op.operands.push_back(operand);
  if (op.row->parameters.size() > 0) op.parameters.push_back(nonBlocking ? 1 : 0);
  return append(std::move(op));
}

/// Whether a value is a number that .item() gave.
bool ProgramBuilder::isFetched(const Operand& operand) const {
  const int made = operand.value - kFirstResult;
  if (operand.isNumber() || made < 0) return false;
  const Op& op = program_.ops[static_cast<std::size_t>(made)];
  return op.row && op.row->kind == OpKind::copy && moveOf(*op.row) == Move::fetch;
}

ValueId ProgramBuilder::fetchedFrom(ValueId value) const {
  if (!isFetched(Operand::ofValue(value))) return value;
  return program_.ops[static_cast<std::size_t>(value - kFirstResult)].operands.front().value;
}

bool ProgramBuilder::comparesFetched(const std::string& symbol, const PythonValue& a,
                                     const PythonValue& b, SourcePlace place, PythonValue& result) {
  constexpr std::string_view kComparisons[] = {"<", "<=", ">", ">=", "==", "!="};
  if (std::ranges::find(kComparisons, symbol) == std::end(kComparisons)) return false;
  const auto isItem = [&](const PythonValue& v) {
    return v.isTensor() && isFetched(Operand::ofValue(v.value));
  };
  const auto isKnown = [&](const PythonValue& v) { return isItem(v) || v.isScalar(); };
  if (!isKnown(a) || !isKnown(b) || (!isItem(a) && !isItem(b))) return false;
  // Python compares in double precision.
  const auto number = [&](const PythonValue& v) {
    if (!isItem(v)) return v;
    PythonValue tensor = v;
    tensor.value = fetchedFrom(v.value);
    const DType* const dtype = findDType(attribute(tensor, "dtype", place).text);
    return dtype && isFloat(*dtype) && *dtype != DType::float64
               ? method(tensor, "double", {}, place)
               : tensor;
  };
  result = binary(symbol, number(a), number(b), place);
  return true;
}

/// Arithmetic among such numbers is Python's, on the host.
void ProgramBuilder::checkFetched(const Op& op) const {
  bool any = false;
  for (const Operand& operand : op.operands) {
    if (operand.isNumber()) continue;
    if (!isFetched(operand)) return;
    any = true;
  }
  if (any)
    failProgram(op.place,
                ".item() returns a number on the host, and programs compute on the device: use it "
                "with a tensor, as in x * n, or leave .item() out");
}

/// Whether a value may be in the host's memory: what a program computes never is.
bool ProgramBuilder::mayBeElsewhere(ValueId value) const {
  if (value < kFirstResult) return true;
  const Op& op = program_.ops[static_cast<std::size_t>(value - kFirstResult)];
  if (!op.row || op.row->kind == OpKind::copy || op.madeIn) return true;
  return op.row->kind == OpKind::view && mayBeElsewhere(op.operands.front().value);
}

bool ProgramBuilder::copyMethod(const PythonValue& self, const std::string& name,
                                const std::vector<CallArgument>& arguments, SourcePlace place,
                                PythonValue& result) {
  if (self.kind != Kind::tensor) return false;
  const auto takesNothing = [&] {
    if (!arguments.empty())
      failProgram(arguments.front().place, "." + name + "() takes no arguments");
  };
  if (name == "item" || name == "pin_memory") {
    takesNothing();
    result = copied(name == "item" ? Move::fetch : Move::pin, self, false, place);
    return true;
  }
  if (name != "to" && name != "cuda" && name != "cpu") return false;
  Asked asked = askedOf(arguments, "." + name + "()");
  if (name == "cpu") takesNothing();
  if (name == "cpu") asked.memory = Memory::host;
  if (name == "cuda") {
    if (asked.memory == Memory::host || !asked.cast.empty())
      failProgram(arguments.front().place, ".cuda() takes a device of its own and non_blocking");
    asked.memory = Memory::device;
  }
  if (!asked.memory) return false;
  // x.to(y.device) of what is where programs compute: nothing is moved.
  if (asked.likeAnother && !mayBeElsewhere(self.value)) {
    result = asked.cast.empty() ? self : method(self, "to", asked.cast, place);
    return true;
  }
  // Conversions run on the device, where programs compute.
  const bool toHost = *asked.memory == Memory::host;
  result = self;
  if (toHost && !asked.cast.empty()) result = method(result, "to", asked.cast, place);
  result = copied(toHost ? Move::toHost : Move::toDevice, result, asked.nonBlocking, place);
  if (!toHost && !asked.cast.empty()) result = method(result, "to", asked.cast, place);
  return true;
}

}  // namespace fusebench
