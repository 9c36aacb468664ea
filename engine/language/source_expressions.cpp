// SPDX-License-Identifier: GPL-3.0-or-later
// Expressions of a text as PyTorch gets them.
#include "engine/language/source_parts.h"

#include <algorithm>
#include <utility>

#include "engine/language/evaluator.h"
#include "engine/language/surrounding_rows.h"

namespace fusebench {
namespace {

using ExpressionKind = ast::Expression::Kind;
using TrailerKind = ast::Trailer::Kind;

}  // namespace

std::string SourceParts::slice(std::size_t begin, std::size_t end, std::vector<Edit> edits) const {
  std::ranges::sort(edits, {}, &Edit::begin);
  std::string made;
  for (const Edit& edit : edits) {
    if (edit.begin < begin || edit.end > end) continue;
    made += text_.substr(begin, edit.begin - begin) + edit.text;
    begin = edit.end;
  }
  return made + text_.substr(begin, end - begin);
}

void SourceParts::editsOf(const SourceExpression& e, std::vector<Edit>& edits) const {
  for (const SourceExpression* part : choicesOf(e))
    if (isLeftOut(*part))
      edits.push_back({part->begin, part->end, std::string(kNotReached) + "()"});
  if (isOutside(e)) {
    edits.push_back({e.begin, e.end, "None"});
    return;
  }
  if (const SourceExpression* const compiled = compiledBy(e)) {
    std::vector<Edit> inside;
    editsOf(*compiled, inside);
    edits.push_back(
        {e.begin, endOfCall(e.begin), "(" + slice(compiled->begin, compiled->end, inside) + ")"});
    return;
  }
  if (const std::string* const evaluated = evaluatedBy(e)) {
    edits.push_back({e.begin, endOfCall(e.begin), "(" + *evaluated + ")"});
    return;
  }
  within(e, [&](const SourceExpression& part) { editsOf(part, edits); });
}

const std::string* SourceParts::evaluatedBy(const SourceExpression& e) const {
  if (e.kind != ExpressionKind::postfix) return nullptr;
  const auto found = record_.evaluated.find(e.begin);
  return found == record_.evaluated.end() || ast::dottedNameOf(e) != "eval" ? nullptr
                                                                            : &found->second;
}

const SourceExpression* SourceParts::compiledBy(const SourceExpression& e) const {
  if (e.kind != ExpressionKind::postfix) return nullptr;
  const std::string path = meant(ast::dottedNameOf(e));
  // PyTorch does not run a call that a variant has an option for.
  const SurroundingRow* const row = findSurrounding(path);
  const bool same = row && row->how == SurroundingRow::How::same && path.starts_with("torch.");
  if (path != "torch.compile" && path != "torch.jit.script" && !same) return nullptr;
  for (const ast::Trailer& trailer : e.trailers) {
    if (trailer.kind != TrailerKind::call) continue;
    for (std::size_t i = 0; i < trailer.arguments.size(); ++i)
      if (trailer.keywords[i].empty() || trailer.keywords[i] == "model")
        return trailer.arguments[i].get();
    return nullptr;
  }
  return nullptr;
}

std::size_t SourceParts::endOfCall(std::size_t begin) const {
  int depth = 0;
  for (const Token& token : tokens_) {
    if (token.begin < begin) continue;
    if (token.is("(")) ++depth;
    if (token.is(")") && --depth == 0) return token.end;
  }
  return text_.size();
}

std::string SourceParts::expressionText(const SourceExpression& e) const {
  std::vector<Edit> edits;
  editsOf(e, edits);
  return slice(e.begin, e.end, std::move(edits));
}

bool SourceParts::isKept(const SourceExpression& decorator) const {
  const std::string dotted = ast::dottedNameOf(decorator);
  const std::string path = meant(dotted);
  for (const char* mode :
       {"torch.no_grad", "torch.inference_mode", "torch.enable_grad", "torch.set_grad_enabled",
        "torch.autocast", "torch.amp.autocast", "torch.cuda.amp.autocast", "torch.cpu.amp.autocast",
        "staticmethod", "classmethod", "property"})
    if (path == mode) return true;
  if (path.ends_with(".setter")) return true;
  const std::string first = dotted.substr(0, dotted.find('.'));
  return !imported_.contains(first) && knownModule(first).empty() && !isPythonBuiltin(first);
}

bool SourceParts::isDataclass(const SourceExpression& decorator) const {
  const std::string path = meant(ast::dottedNameOf(decorator));
  return path == "dataclasses.dataclass" || path == "dataclass";
}

bool SourceParts::isNamedTuple(const SourceExpression& base) const {
  return meant(ast::dottedNameOf(base)) == "typing.NamedTuple";
}

std::string SourceParts::baseText(const SourceExpression& base) const {
  const std::string dotted = ast::dottedNameOf(base);
  const std::string first = dotted.substr(0, dotted.find('.'));
  const std::string path = meant(dotted);
  if (isNamedTuple(base) || path == "collections.namedtuple") return expressionText(base);
  if (dotted == "object" || path.starts_with("typing.") || path.starts_with("abc.")) return {};
  if (!imported_.contains(first) || path.starts_with("torch.")) return expressionText(base);
  // Base classes of packages built on PyTorch are read as modules.
  return path.ends_with("Module") || path.ends_with("Model") ? "torch.nn.Module" : std::string();
}

}  // namespace fusebench
