// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/kernel_names.h"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <map>
#include <memory>

namespace fusebench {
namespace {

bool isWordLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$';
}

bool isUnnamed(std::string_view word) {
  return word.starts_with("_GLOBAL__N_") || word == "<unnamed>" || word == "(anonymous namespace)";
}

/// "ns::kernel" of "_ZN2ns6kernelI...", read without the demangler: lengths and words alone.
std::string wordsOfMangled(std::string_view name) {
  name.remove_prefix(2);
  const bool nested = name.starts_with('N');
  if (nested) name.remove_prefix(1);
  std::string made;
  while (!name.empty() && name.front() >= '1' && name.front() <= '9') {
    std::size_t length = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), length);
    if (error != std::errc()) break;
    name.remove_prefix(static_cast<std::size_t>(end - name.data()));
    const std::string_view word = name.substr(0, length);
    if (!isUnnamed(word)) made += (made.empty() ? "" : "::") + std::string(word);
    name.remove_prefix(word.size());
    if (!nested) break;
  }
  return made;
}

/// A cursor over a C++ signature that knows which brackets it is in.
class Brackets {
 public:
  /// Takes the next character; true if it is outside of all brackets and none itself.
  bool takes(char c, char before) {
    switch (c) {
      case '<':
      case '(':
      case '[':
      case '{':
        open_ += c;
        return false;
      case '>':
        // "a->b", and "(8)>(0)" within template arguments, close nothing.
        if (before != '-' && open_.ends_with('<')) open_.pop_back();
        return false;
      case ')':
      case ']':
      case '}': {
        const char opens = c == ')' ? '(' : c == ']' ? '[' : '{';
        if (const auto at = open_.rfind(opens); at != std::string::npos) open_.resize(at);
        return false;
      }
      default:
        return open_.empty();
    }
  }
  bool outside() const { return open_.empty(); }

 private:
  std::string open_;
};

/// A kernel that only calls the class in its last template argument, which says what it computes.
bool isWrapper(std::string_view qualified) {
  return qualified == "ck_tile::kentry" ||
         (qualified.starts_with("cutlass") &&
          (qualified.ends_with("::Kernel") || qualified.ends_with("::Kernel2") ||
           qualified.ends_with("::device_kernel")));
}

/// "FmhaFwdKernel" of "void ck_tile::kentry<2, ck_tile::FmhaFwdKernel<...> >(...)"; empty for a
/// name that was cut off.
std::string wrappedKernelName(std::string_view name) {
  const std::size_t opens = name.find('<');
  if (opens == std::string_view::npos) return {};
  name.remove_prefix(opens + 1);
  Brackets brackets;
  std::string last;
  char before = '<';
  for (const char c : name) {
    if (c == '>' && brackets.outside()) {
      while (last.ends_with(' ')) last.pop_back();
      const std::size_t from = last.find_first_not_of(' ');
      return from == std::string::npos ? std::string() : last.substr(from);
    }
    const bool outside = brackets.takes(c, before);
    if (outside && c == ',')
      last.clear();
    else if (outside)
      last += c;
    before = c;
  }
  return {};
}

/// Unnamed namespaces as the tools write them.
void dropUnnamed(std::string& name) {
  constexpr std::array<std::string_view, 3> kUnnamed = {
      "(anonymous namespace)::", "<unnamed>::", "{anonymous}::"};
  for (const std::string_view each : kUnnamed)
    for (std::size_t at; (at = name.find(each)) != std::string::npos;) name.erase(at, each.size());
}

}  // namespace

std::string demangledName(std::string_view name) {
  constexpr std::string_view kDescriptor = ".kd";
  if (name.ends_with(kDescriptor)) name.remove_suffix(kDescriptor.size());
  if (!name.starts_with("_Z")) return std::string(name);
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> made(
      abi::__cxa_demangle(std::string(name).c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && made ? std::string(made.get()) : std::string(name);
}

std::string qualifiedKernelName(std::string_view name) {
  std::string plain = demangledName(name);
  if (plain.starts_with("_Z")) {
    std::string words = wordsOfMangled(plain);
    return words.empty() ? plain : words;
  }
  dropUnnamed(plain);
  // Nsight Systems prints some conditions of templates with brackets missing: what comes before the
  // return type is not read.
  constexpr std::string_view kCondition = "std::enable_if<", kReturned = "::type ";
  if (plain.starts_with(kCondition))
    if (const std::size_t end = plain.find(kReturned); end != std::string::npos)
      plain.erase(0, end + kReturned.size());
  // A signature has its brackets right behind a word; "Memcpy HtoD (Pinned -> Device)" does not.
  Brackets brackets;
  std::string made;
  bool signature = plain.starts_with("void ");
  char before = ' ';
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const char c = plain[i];
    const bool wasOutside = brackets.outside();
    if (wasOutside && c == '(') {
      if (made.empty()) return plain;
      if (before == ' ' && !signature) break;
      signature = true;
      break;  // parameters
    }
    if (wasOutside && c == '<' && isWordLetter(before)) signature = true;
    if (brackets.takes(c, before)) made += c;
    before = c;
  }
  while (made.ends_with(' ')) made.pop_back();
  if (signature)
    if (const std::size_t space = made.rfind(' '); space != std::string::npos)
      made.erase(0, space + 1);
  // "_GLOBAL__N__1f3a_9_kernel_cu::": what an unnamed namespace is called before it is demangled.
  for (std::size_t at; (at = made.find("_GLOBAL__N_")) != std::string::npos;) {
    const std::size_t end = made.find("::", at);
    if (end == std::string::npos) break;
    made.erase(at, end + 2 - at);
  }
  return made.empty() ? plain : made;
}

std::string shortKernelName(std::string_view name) {
  std::string plain = qualifiedKernelName(name);
  if (isWrapper(plain))
    if (std::string wrapped = wrappedKernelName(demangledName(name)); !wrapped.empty())
      plain = std::move(wrapped);
  if (const std::size_t colons = plain.rfind("::");
      colons != std::string::npos && colons + 2 < plain.size())
    plain.erase(0, colons + 2);
  return plain;
}

std::vector<std::string> shortKernelNames(const std::vector<std::string>& names) {
  std::map<std::string, std::vector<std::string>> known;  // per short name the full ones
  std::vector<std::string> made;
  for (const std::string& name : names) {
    std::vector<std::string>& alike = known[made.emplace_back(shortKernelName(name))];
    if (std::ranges::find(alike, name) == alike.end()) alike.push_back(name);
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::vector<std::string>& alike = known[made[i]];
    if (alike.size() < 2) continue;
    const auto place = std::ranges::find(alike, names[i]) - alike.begin();
    made[i] += " (" + std::to_string(place + 1) + ")";
  }
  return made;
}

}  // namespace fusebench
