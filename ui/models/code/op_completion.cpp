// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/code/op_completion.h"

#include <QRegularExpression>
#include <algorithm>

#include "engine/base/saying.h"

namespace fusebench {
namespace {

QString asText(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// What spellings begin with, as the table writes them: "torch.", "F." or, for methods, "x.".
QString tableQualifier(const QString& qualifier) {
  if (qualifier == QLatin1String("F") || qualifier == QLatin1String("torch.nn.functional"))
    return QStringLiteral("F.");
  if (qualifier == QLatin1String("torch")) return QStringLiteral("torch.");
  return QStringLiteral("x.");
}

struct Ranked {
  int rank;
  OpCompletion choice;
};

/// Adds a row's spellings that fit. `wanted`: what they begin with; empty: any function.
void addRow(const OpRow& row, const QString& wanted, const QString& prefix,
            std::vector<Ranked>& found) {
  bool needed = row.arity > 1;
  for (const Parameter& parameter : row.parameters) needed = needed || parameter.required;
  for (const std::string_view spelling : row.spellings) {
    const QString text = asText(spelling);
    const qsizetype dot = text.lastIndexOf(u'.');
    if (dot < 0) continue;  // an operator
    const QString head = text.left(dot + 1), name = text.mid(dot + 1);
    const bool method = head == QLatin1String("x.");
    if (wanted.isEmpty() ? method : head != wanted) continue;
    const qsizetype at = name.indexOf(prefix, 0, Qt::CaseInsensitive);
    if (at < 0 || (at > 0 && prefix.size() < 2)) continue;
    const QString shown = method ? QLatin1Char('.') + name : text;
    const bool there = std::any_of(found.begin(), found.end(),
                                   [&](const Ranked& r) { return r.choice.shown == shown; });
    // An overloaded name stands for all of its rows.
    if (there) continue;
    found.push_back(
        {at == 0 ? (name.size() == prefix.size() ? 0 : 1) : 2,
         {wanted.isEmpty() ? text : name, shown, asText(said(row.doc)), needed || !method}});
    if (wanted.isEmpty()) return;  // torch.relu is enough; F.relu would repeat it
  }
}

}  // namespace

OpCompletions completeOp(const QString& beforeCaret, std::size_t most) {
  static const QRegularExpression kPath(
      QStringLiteral(R"((?:([A-Za-z_][\w]*(?:\.[A-Za-z_]\w*)*)\.|([\)\]])\.)?([A-Za-z_]\w*)?$)"));
  const QString code = beforeCaret.section(u'#', 0, 0);
  OpCompletions result;
  if (code.size() != beforeCaret.size()) return result;  // in a comment
  const auto match = kPath.match(beforeCaret);
  const QString prefix = match.captured(3);
  const bool bracket = match.capturedStart(2) >= 0;
  const bool qualified = bracket || match.capturedStart(1) >= 0;
  if (!qualified && prefix.size() < 2) return result;
  result.typed = static_cast<int>(prefix.size());
  std::vector<Ranked> found;
  for (const OpRow& row : opRows())
    addRow(row,
           !qualified ? QString()
           : bracket  ? QStringLiteral("x.")
                      : tableQualifier(match.captured(1)),
           prefix, found);
  std::stable_sort(found.begin(), found.end(),
                   [](const Ranked& a, const Ranked& b) { return a.rank < b.rank; });
  if (found.size() > most) found.resize(most);
  for (Ranked& one : found) result.choices.push_back(std::move(one.choice));
  return result;
}

}  // namespace fusebench
