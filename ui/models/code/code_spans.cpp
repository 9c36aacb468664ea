// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/code/code_spans.h"

#include <QRegularExpression>
#include <QSet>

namespace fusebench {
namespace {

// One alternative per kind, in this order; names are classified afterward.
const QRegularExpression& pattern() {
  static const QRegularExpression kPattern(QStringLiteral(
      R"((#.*$)|("[^"]*"?|'[^']*'?)|((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*))"));
  return kPattern;
}

bool isKeyword(const QString& word) {
  static const QSet<QString> kWords = {
      QStringLiteral("def"),    QStringLiteral("return"), QStringLiteral("import"),
      QStringLiteral("from"),   QStringLiteral("as"),     QStringLiteral("with"),
      QStringLiteral("class"),  QStringLiteral("pass"),   QStringLiteral("None"),
      QStringLiteral("True"),   QStringLiteral("False"),  QStringLiteral("if"),
      QStringLiteral("else"),   QStringLiteral("for"),    QStringLiteral("while"),
      QStringLiteral("in"),     QStringLiteral("not"),    QStringLiteral("and"),
      QStringLiteral("or"),     QStringLiteral("lambda"), QStringLiteral("is"),
      QStringLiteral("assert"), QStringLiteral("try"),    QStringLiteral("except")};
  return kWords.contains(word);
}

bool isLibrary(const QString& path) {
  const QString root = path.section(u'.', 0, 0);
  return root == QLatin1String("torch") || root == QLatin1String("F") ||
         root == QLatin1String("math");
}

}  // namespace

std::vector<CodeSpan> codeSpans(const QString& line) {
  std::vector<CodeSpan> spans;
  const auto add = [&](CodeSpan::Kind kind, qsizetype begin, qsizetype length) {
    spans.push_back({kind, static_cast<int>(begin), static_cast<int>(length)});
  };
  for (auto matches = pattern().globalMatch(line); matches.hasNext();) {
    const QRegularExpressionMatch match = matches.next();
    const QString found = match.captured();
    const qsizetype begin = match.capturedStart();
    if (match.capturedStart(1) >= 0) {
      add(CodeSpan::Kind::comment, begin, found.size());
    } else if (match.capturedStart(2) >= 0) {
      add(CodeSpan::Kind::text, begin, found.size());
    } else if (match.capturedStart(3) >= 0) {
      add(CodeSpan::Kind::number, begin, found.size());
    } else if (isKeyword(found)) {
      add(CodeSpan::Kind::keyword, begin, found.size());
    } else if (isLibrary(found)) {
      add(CodeSpan::Kind::library, begin, found.size());
    } else if (const qsizetype dot = found.indexOf(u'.'); dot >= 0) {
      // A method: x.relu() means what torch.relu(x) does.
      add(CodeSpan::Kind::library, begin + dot + 1, found.size() - dot - 1);
    }
  }
  return spans;
}

}  // namespace fusebench
