// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/window/messages.h"

#include <utility>

namespace fusebench {

void Messages::say(Tone tone, const QString& text, const QString& button, Remedy remedy) {
  remedy_ = remedy;
  emit said(tone, text, button);
}

void Messages::dismiss() {
  remedy_ = Remedy::none;
  emit dismissed();
}

void Messages::withdraw(Remedy remedy) {
  if (remedy_ == remedy && remedy != Remedy::none) dismiss();
}

Remedy Messages::take() {
  const Remedy taken = std::exchange(remedy_, Remedy::none);
  emit dismissed();
  return taken;
}

}  // namespace fusebench

#include "moc_messages.cpp"
