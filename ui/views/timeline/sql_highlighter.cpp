// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/timeline/sql_highlighter.h"

#include <QSet>

namespace fusebench {
namespace {

/// SQLite's words that a SELECT can have.
const QSet<QString>& sqlWords() {
  static const QSet<QString> kWords = {
      QStringLiteral("select"), QStringLiteral("from"),      QStringLiteral("where"),
      QStringLiteral("group"),  QStringLiteral("by"),        QStringLiteral("order"),
      QStringLiteral("having"), QStringLiteral("limit"),     QStringLiteral("offset"),
      QStringLiteral("join"),   QStringLiteral("left"),      QStringLiteral("inner"),
      QStringLiteral("on"),     QStringLiteral("using"),     QStringLiteral("as"),
      QStringLiteral("and"),    QStringLiteral("or"),        QStringLiteral("not"),
      QStringLiteral("null"),   QStringLiteral("is"),        QStringLiteral("in"),
      QStringLiteral("like"),   QStringLiteral("glob"),      QStringLiteral("between"),
      QStringLiteral("exists"), QStringLiteral("case"),      QStringLiteral("when"),
      QStringLiteral("then"),   QStringLiteral("else"),      QStringLiteral("end"),
      QStringLiteral("cast"),   QStringLiteral("distinct"),  QStringLiteral("union"),
      QStringLiteral("all"),    QStringLiteral("with"),      QStringLiteral("recursive"),
      QStringLiteral("over"),   QStringLiteral("partition"), QStringLiteral("asc"),
      QStringLiteral("desc"),   QStringLiteral("integer"),   QStringLiteral("real"),
      QStringLiteral("text")};
  return kWords;
}

}  // namespace

void SqlHighlighter::setTheme(const Theme& theme) {
  word_.setForeground(theme.accent);
  literal_.setForeground(theme.dark ? theme.seriesColors[4] : theme.seriesColors[1]);
  comment_.setForeground(theme.muted);
  rehighlight();
}

void SqlHighlighter::highlightBlock(const QString& text) {
  // A comment /* */ or a text may continue in the next line.
  enum { kNone = 0, kComment = 1, kText = 2 };
  qsizetype at = 0;
  const auto run = [&](QStringView end, qsizetype from, qsizetype begin, int state,
                       const QTextCharFormat& format) {
    const qsizetype found = text.indexOf(end, begin);
    const qsizetype to = found < 0 ? text.size() : found + end.size();
    setFormat(int(from), int(to - from), format);
    setCurrentBlockState(found < 0 ? state : kNone);
    return to;
  };
  setCurrentBlockState(kNone);
  if (previousBlockState() == kComment) at = run(u"*/", 0, 0, kComment, comment_);
  if (previousBlockState() == kText) at = run(u"'", 0, 0, kText, literal_);
  while (at < text.size()) {
    const QChar c = text[at];
    const QStringView rest = QStringView(text).mid(at);
    if (rest.startsWith(u"--")) return setFormat(int(at), int(rest.size()), comment_);
    if (rest.startsWith(u"/*")) {
      at = run(u"*/", at, at + 2, kComment, comment_);
    } else if (c == u'\'') {
      at = run(u"'", at, at + 1, kText, literal_);
    } else if (c.isLetterOrNumber() || c == u'_') {
      qsizetype end = at;
      while (end < text.size() && (text[end].isLetterOrNumber() || text[end] == u'_')) ++end;
      const QString word = text.mid(at, end - at).toLower();
      if (c.isDigit()) setFormat(int(at), int(end - at), literal_);
      if (sqlWords().contains(word)) setFormat(int(at), int(end - at), word_);
      at = end;
    } else {
      ++at;
    }
  }
}

}  // namespace fusebench
