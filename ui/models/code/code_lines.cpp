// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/code/code_lines.h"

#include <QRegularExpression>
#include <algorithm>

namespace fusebench {
namespace {

QString textOfLine(const Sketch& sketch, int line) {
  return QString::fromStdString(sketch.text).section(u'\n', line - 1, line - 1);
}

bool saysNothing(const QString& line) {
  const QString text = line.trimmed();
  return text.isEmpty() || text.startsWith(u'#') || text.startsWith(QLatin1String("def ")) ||
         text.startsWith(QLatin1String("import ")) || text.startsWith(QLatin1String("from "));
}

/// Line of the return, or 0. The return's own ops say so where it has some.
int returnLine(const Sketch& sketch) {
  static const QRegularExpression kReturn(QStringLiteral(R"(^\s*return\b)"));
  const QStringList lines = QString::fromStdString(sketch.text).split(u'\n');
  for (qsizetype i = lines.size(); i-- > 0;)
    if (kReturn.match(lines[i]).hasMatch()) return static_cast<int>(i) + 1;
  return 0;
}

std::vector<int> opsOfStatement(const Sketch& sketch, int statement) {
  std::vector<int> ops;
  for (std::size_t i = 0; i < sketch.program.ops.size(); ++i)
    if (sketch.program.ops[i].statement == statement) ops.push_back(static_cast<int>(i));
  return ops;
}

}  // namespace

std::vector<int> opsAtLine(const Sketch& sketch, int line) {
  if (saysNothing(textOfLine(sketch, line))) return {};
  int statement = -2;  // the header
  const auto& statements = sketch.program.statements;
  for (std::size_t s = 0; s < statements.size(); ++s)
    if (statements[s].place.line > 0 && statements[s].place.line <= line)
      statement = static_cast<int>(s);
  const int last = returnLine(sketch);
  if (last > 0 && line >= last &&
      (statement < 0 || statements[static_cast<std::size_t>(statement)].place.line < last))
    statement = -1;
  return statement == -2 ? std::vector<int>() : opsOfStatement(sketch, statement);
}

std::set<int> linesOfOps(const Sketch& sketch, const std::vector<int>& ops) {
  std::set<int> lines;
  for (const int index : ops) {
    if (index < 0 || static_cast<std::size_t>(index) >= sketch.program.ops.size()) continue;
    const int statement = sketch.program.ops[static_cast<std::size_t>(index)].statement;
    const int line = statement >= 0
                         ? sketch.program.statements[static_cast<std::size_t>(statement)].place.line
                         : returnLine(sketch);
    if (line > 0) lines.insert(line);
  }
  return lines;
}

std::vector<int> statementsOfLines(const Sketch& sketch) {
  const QStringList lines = QString::fromStdString(sketch.text).split(u'\n');
  std::vector<int> begins(static_cast<std::size_t>(lines.size()) + 1, -1);  // by line, from 1
  const auto begin = [&](int line, int number) {
    if (line > 0 && static_cast<std::size_t>(line) < begins.size())
      begins[static_cast<std::size_t>(line)] = number;
  };
  const auto& statements = sketch.program.statements;
  for (std::size_t s = 0; s < statements.size(); ++s)
    begin(statements[s].place.line, static_cast<int>(s) + 1);
  begin(returnLine(sketch), 0);
  std::vector<int> numbers;
  int statement = -1;
  for (qsizetype i = 0; i < lines.size(); ++i) {
    if (const int begun = begins[static_cast<std::size_t>(i) + 1]; begun >= 0) statement = begun;
    numbers.push_back(saysNothing(lines[i]) ? -1 : statement);
  }
  return numbers;
}

int charactersBefore(const QString& line, int column) {
  const QByteArray bytes = line.toUtf8();
  return static_cast<int>(QString::fromUtf8(bytes.left(std::max(column - 1, 0))).size());
}

int markedLength(const QString& line, int begin) {
  static const QRegularExpression kWord(QStringLiteral(R"(\G(?:[\w.]+|[^\w\s]{1,2}))"));
  const auto match = kWord.match(line, std::min<qsizetype>(begin, line.size()));
  return match.hasMatch() ? static_cast<int>(match.capturedLength()) : 1;
}

bool hasUnknownLines(const Sketch& sketch) {
  return std::any_of(sketch.program.ops.begin(), sketch.program.ops.end(),
                     [](const Op& op) { return op.row == nullptr; });
}

}  // namespace fusebench
