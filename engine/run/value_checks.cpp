// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/value_checks.h"

#include <array>
#include <string>

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

void checkValue(Backend& backend, const SizeCheck& check, const Tensor& value) {
  const double element = readElement(backend, value, check.place);
  if (backend.isComputing()) checkElement(check, element);  // else it is of no call
}

void checkElement(const SizeCheck& check, double element) {
  if (check.ofIndex) {
    if (element <= 0) return;
    std::string message = check.message;
    if (const std::size_t at = message.find("{}"); at != std::string::npos)
      message.replace(at, 2, std::to_string(outsidePlace(static_cast<std::int64_t>(element))));
    throw ProgramError(check.place, message);
  }
  if ((element != 0) != check.expected) throw ProgramError(check.place, check.message);
}

}  // namespace fusebench
