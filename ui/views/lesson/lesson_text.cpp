// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/lesson/lesson_text.h"

#include <QRegularExpression>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextTable>
#include <QUrl>
#include <algorithm>
#include <vector>

#include "ui/views/lesson/lesson_document.h"
#include "ui/views/lesson/queue_image.h"

namespace fusebench {
namespace {

constexpr double kLineHeight = 138;  // percent

void setTable(QTextTable& table, const Theme& theme) {
  QTextTableFormat format = table.format();
  format.setBorder(0);
  format.setCellPadding(3);
  format.setCellSpacing(0);
  format.setTopMargin(4);
  format.setBottomMargin(10);
  format.setWidth(QTextLength(QTextLength::PercentageLength, 100));
  table.setFormat(format);
  for (int row = 0; row < table.rows(); ++row)
    for (int column = 0; column < table.columns(); ++column) {
      QTextTableCell cell = table.cellAt(row, column);
      QTextTableCellFormat cellFormat = cell.format().toTableCellFormat();
      cellFormat.setBottomBorder(1);
      cellFormat.setBottomBorderStyle(QTextFrameFormat::BorderStyle_Solid);
      cellFormat.setBottomBorderBrush(theme.border);
      cell.setFormat(cellFormat);
      QTextCursor cursor = cell.firstCursorPosition();
      if (row == 0 && table.rows() > 1) {  // Markdown aligns the columns but not their heads
        QTextBlockFormat head = cursor.blockFormat();
        head.setAlignment(table.cellAt(1, column).firstCursorPosition().blockFormat().alignment());
        cursor.setBlockFormat(head);
      }
      cursor.setPosition(cell.lastCursorPosition().position(), QTextCursor::KeepAnchor);
      QTextCharFormat text;
      text.setFont(row == 0 ? textFont(0.92, QFont::DemiBold) : textFont(0.92));
      text.setForeground(row == 0 ? theme.muted : theme.text);
      cursor.mergeCharFormat(text);
    }
}

/// Whether this is a Chinese ideograph or punctuation mark, which has no space next to it.
bool standsClose(QChar letter) {
  return letter.script() == QChar::Script_Han ||
         (letter >= QChar(0x3000) && letter <= QChar(0x303F)) ||
         (letter >= QChar(0xFF01) && letter <= QChar(0xFF60));
}

bool isQuote(QChar letter) {
  return letter == QChar(0x201C) || letter == QChar(0x201D);
}

/// Whether no space goes between two letters. A quote next to Chinese is a Chinese one.
bool standClose(QChar one, QChar next) {
  return standsClose(one) ? standsClose(next) || isQuote(next) : isQuote(one) && standsClose(next);
}

}  // namespace

QString chineseJoined(const QString& markdown) {
  QStringList joined;
  bool code = false;
  for (const QString& line : markdown.split(u'\n')) {
    const QString bare = line.trimmed();
    const bool fence = bare.startsWith(QLatin1String("```"));
    if (fence) code = !code;
    if (!code && !fence && !joined.isEmpty() && !bare.isEmpty() &&
        !joined.back().startsWith(u'#') && !joined.back().endsWith(QLatin1String("  "))) {
      const QString before = joined.back().trimmed();
      qsizetype last = before.size() - 1;  // last letter before the break; emphasis may end there
      while (last >= 0 && before[last] == u'*') --last;
      qsizetype first = 0;  // first letter after the break; emphasis may begin there
      while (first < bare.size() && bare[first] == u'*') ++first;
      if (last >= 0 && first < bare.size() && standClose(before[last], bare[first])) {
        joined.back() += bare;
        continue;
      }
    }
    joined << line;
  }
  return joined.join(u'\n');
}

QString figuresKeptWhole(const QString& markdown) {
  static const QRegularExpression space(
      QStringLiteral("(?<=[0-9]) (?=[0-9]{3}(?![0-9])|(?:ns|µs|ms|s|%|KiB|MiB|GiB|GB/s)(?!\\w))"));
  QStringList lines = markdown.split(u'\n');
  bool code = false;
  for (QString& line : lines) {
    const bool fence = line.trimmed().startsWith(QLatin1String("```"));
    if (fence) code = !code;
    if (code || fence) continue;
    QStringList parts = line.split(u'`');  // every other one is code
    for (qsizetype i = 0; i < parts.size(); i += 2) parts[i].replace(space, QString(QChar::Nbsp));
    line = parts.join(u'`');
  }
  return lines.join(u'\n');
}

void typesetLesson(QTextDocument& document, const QString& markdown, const Theme& theme) {
  document.setDefaultFont(textFont());
  document.setMarkdown(figuresKeptWhole(chineseJoined(markdown)),
                       QTextDocument::MarkdownDialectGitHub);
  dropForeignAddresses(document);
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
    QTextCursor cursor(block);
    const bool inTable = cursor.currentTable() != nullptr;
    const int level = block.blockFormat().headingLevel();
    // Each line of code is a block, so only the last one has a margin below.
    const auto isCode = [](const QTextBlock& one) {
      return one.isValid() && one.blockFormat().hasProperty(QTextFormat::BlockCodeLanguage);
    };
    const bool codeGoesOn = isCode(block) && isCode(block.next());
    QTextBlockFormat format = block.blockFormat();
    format.setLineHeight(inTable || isCode(block) ? 115 : kLineHeight,
                         QTextBlockFormat::ProportionalHeight);
    if (isCode(block)) format.setNonBreakableLines(false);  // a column is narrower than code
    format.setTopMargin(level > 1 ? 16 : 0);
    format.setBottomMargin(inTable || codeGoesOn ? 0 : level ? 5 : block.textList() ? 5 : 9);
    std::vector<QTextFragment> fragments;  // changing formats upsets the iterator
    for (auto at = block.begin(); !at.atEnd(); ++at) fragments.push_back(at.fragment());
    if (std::ranges::any_of(fragments, [](const QTextFragment& fragment) {
          return fragment.charFormat().isImageFormat();
        }))
      format.setLineHeight(0, QTextBlockFormat::SingleHeight);
    cursor.setBlockFormat(format);
    for (const QTextFragment& fragment : fragments) {
      QTextCursor part(&document);
      part.setPosition(fragment.position());
      part.setPosition(fragment.position() + fragment.length(), QTextCursor::KeepAnchor);
      QTextCharFormat text = fragment.charFormat();
      if (text.isImageFormat()) continue;
      if (level) {
        text.clearProperty(QTextFormat::FontSizeAdjustment);  // it would override the size
        text.setFont(textFont(level == 1 ? 1.4 : 1.1, QFont::DemiBold));
      } else if (fragment.charFormat().fontFixedPitch()) {
        text.setFont(monoFont(0.94));
        text.setBackground(theme.raised);
      }
      text.setForeground(fragment.charFormat().isAnchor() ? theme.accent : theme.text);
      part.setCharFormat(text);
    }
  }
  for (const QueueAddress& address : queuesOf(document))
    document.addResource(QTextDocument::ImageResource, QUrl(address.text),
                         queueImage(address.model, theme));
  fitPictures(document, kQueueImageWidth, theme);
  for (QTextFrame* frame : document.rootFrame()->childFrames())
    if (auto* table = qobject_cast<QTextTable*>(frame)) setTable(*table, theme);
}

}  // namespace fusebench
