// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/saying.h"

namespace fusebench {
namespace {

Sayings& chosen() {
  static Sayings messages;
  return messages;
}

}  // namespace

void setMessages(Sayings messages) {
  chosen() = std::move(messages);
}

std::string_view said(std::string_view english) {
  const auto found = chosen().find(english);
  return found == chosen().end() ? english : std::string_view(found->second);
}

std::string_view saidAs(std::string_view meaning, std::string_view english) {
  const auto found = chosen().find(fmt::format("{}: {}", meaning, english));
  return found == chosen().end() ? english : std::string_view(found->second);
}

std::string_view said(std::string_view one, std::string_view many, std::int64_t count) {
  // Chinese has one form for every number: the catalogue says it under both keys.
  return said(count == 1 ? one : many);
}

}  // namespace fusebench
