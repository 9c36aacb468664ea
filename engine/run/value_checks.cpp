// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/value_checks.h"

#include <array>
#include <string>
#include <vector>

#include "engine/base/elements.h"

namespace fusebench {

double readElement(Backend& backend, const Tensor& value, SourcePlace place) {
  if (elementCount(value.shape) != 1)
    throw ProgramError(place, "the truth of a tensor of shape " + toString(value.shape) +
                                  " is not one value; reduce it, as in .all() or .any()");
  mark(backend.splitRecorder(), CallPart::wait);
  std::array<std::byte, 8> element{};
  backend.copyOut(element.data(), value, info(value.dtype).size);
  return loadElement(element.data(), value.dtype);
}

void checkValue(Backend& backend, const Program& program, const SizeCheck& check,
                const Tensor& value, std::span<const Tensor> inputs) {
  const double element = readElement(backend, value, check.place);
  if (!backend.isComputing() || isExpected(check, element))
    return;  // otherwise it belongs to no call
  std::vector<ValueType> given;
  for (const Tensor& input : inputs) given.push_back({input.shape, input.dtype});
  failCheck(program, check, element, inferTypes(program, given));
}

bool isExpected(const SizeCheck& check, double element) {
  return check.ofIndex ? element <= 0 : (element != 0) == check.expected;
}

void failCheck(const Program& program, const SizeCheck& check, double element,
               std::span<const ValueType> types) {
  std::string message = check.message;
  const auto put = [&](std::int64_t number) {
    if (const std::size_t at = message.find("{}"); at != std::string::npos)
      message.replace(at, 2, std::to_string(number));
  };
  if (check.ofIndex) {
    const std::size_t made = static_cast<std::size_t>(check.value) - program.inputs.size();
    const Op& op = program.ops.at(made);
    put(outsidePlace(static_cast<std::int64_t>(element)));
    if (isIndexCheck(*op.row)) {
      const Shape& source = types[static_cast<std::size_t>(op.operands[1].value)].shape;
      put(source[indexedDim(op, source.rank())]);
    }
  }
  throw ProgramError(check.place, message);
}

}  // namespace fusebench
