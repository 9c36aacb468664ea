// SPDX-License-Identifier: GPL-3.0-or-later
// Names and descriptions of the parts of a call.
#include "engine/base/saying.h"

#include <variant>
#include "ui/models/anatomy/anatomy_model.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"

namespace fusebench {
namespace {

QString partWords(CallPart part) {
  switch (part) {
    case CallPart::guard:
      return uiText("Checks whether the compiled code fits the inputs");
    case CallPart::dispatch:
      return uiText("Dispatch: shapes and dtypes of each op, and kernel lookup");
    case CallPart::allocate:
      return uiText("Allocating and freeing results");
    case CallPart::copy:
      return uiText("Copying inputs to the recorded addresses");
    case CallPart::launch:
      return uiText("Launch call (until it returns)");
    case CallPart::kernel:
      return uiText("The kernels themselves: the only part that computes");
    case CallPart::wait:
      return uiText("Waiting for other threads or for the device");
    case CallPart::tape:
      return uiText("Autograd tape: recording and reading back");
    case CallPart::outside:
      break;
  }
  return {};
}

QString partWords(DevicePart part) {
  switch (part) {
    case DevicePart::delay:
      return uiText("From the first launch call to the start of its kernel, without copies");
    case DevicePart::copies:
      return uiText("Memory is copied or filled");
    case DevicePart::kernels:
      return uiText("Running kernels: the only part that computes");
    case DevicePart::gaps:
      return uiText("Idle: next kernel not yet launched");
    case DevicePart::idle:
      return uiText(
          "Before the first launch call, and after the last kernel until the call returns");
  }
  return {};
}

}  // namespace

QString partName(AnatomyPart part) {
  const std::string_view named = std::visit([](auto one) { return name(one); }, part);
  return text(saidAs("part", named));
}

QString partDescription(AnatomyPart part) {
  return std::visit([](auto one) { return partWords(one); }, part);
}

}  // namespace fusebench
