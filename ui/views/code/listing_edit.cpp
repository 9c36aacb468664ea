// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/code/listing_edit.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QMenu>
#include <QPainter>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextBlock>
#include <algorithm>
#include <utility>

#include "ui/models/base/ui_text.h"

namespace fusebench {
namespace {

constexpr int kListingPadding = 8;
constexpr double kTextScale = 0.94;
constexpr int kMarkWidth = 3;

struct Rule {
  QRegularExpression pattern;
  enum class Kind { comment, keyword, type, number, name, label } kind;
};

const std::vector<Rule>& rulesOf(const QString& language) {
  using Kind = Rule::Kind;
  const auto re = [](const char* pattern) { return QRegularExpression(QLatin1String(pattern)); };
  static const std::vector<Rule> readable = {
      {re("\\b(?:kernel|for|in|then|reduced)\\b"), Kind::keyword},
      {re("\\b[a-z_][a-z_0-9]*(?=\\()"), Kind::type},
      {re("\\b(?:input|output|scalar)\\d+\\b"), Kind::name},
      {re("(?<![\\w.])-?\\d[\\w.+-]*"), Kind::number},
      {re("#.*$"), Kind::comment}};
  static const std::vector<Rule> llvm = {
      {re("\\b(?:define|declare|alloca|load|store|br|ret|call|phi|select|getelementptr|icmp|fcmp|"
          "f?add|f?sub|f?mul|f?div|fneg|shl|lshr|ashr|and|or|xor|bitcast|zext|sext|trunc|fptrunc|"
          "fpext|sitofp|fptosi|shufflevector|extractelement|insertelement|label|to|splat|"
          "attributes|target|tail|switch|unreachable)\\b"),
       Kind::keyword},
      {re("\\b(?:void|ptr|i\\d+|float|double|x)\\b"), Kind::type},
      {re("[%@#][-\\w.$]+"), Kind::name},
      {re("(?<![\\w%@.])-?(?:0x[0-9A-Fa-f]+|\\d[\\d.e+-]*)"), Kind::number},
      {re("^[\\w.$-]+:"), Kind::label},
      {re(";.*$"), Kind::comment}};
  static const std::vector<Rule> assembly = {
      {re("^\\s+[a-z][\\w.]*"), Kind::keyword},
      {re("%\\w+"), Kind::type},
      {re("\\$?-?\\b(?:0x[0-9A-Fa-f]+|\\d+)\\b"), Kind::number},
      {re("^\\s+\\.\\w+.*$"), Kind::comment},
      {re("\\.L\\w+"), Kind::name},
      {re("^[\\w.$]+:"), Kind::label},
      {re("#.*$"), Kind::comment}};
  static const std::vector<Rule> cuda = {
      {re("\\b(?:extern|__global__|__device__|__forceinline__|__launch_bounds__|__restrict__|"
          "__shared__|__syncthreads|static|inline|template|typename|constexpr|struct|namespace|"
          "using|switch|case|default|break|continue|for|while|do|if|else|return)\\b"),
       Kind::keyword},
      {re("\\b(?:void|bool|char|short|int|long|unsigned|signed|float|double|const|auto|"
          "u?int\\d+_t|size_t|float[234])\\b"),
       Kind::type},
      {re("\\b(?:blockIdx|blockDim|threadIdx|gridDim)\\b"), Kind::name},
      {re("^\\s*#\\w+"), Kind::keyword},
      {re("(?<![\\w.])-?(?:0x[0-9A-Fa-f]+|\\d[\\w.]*(?:e[+-]?\\d+)?)[fFuUlL]*"), Kind::number},
      {re("//.*$"), Kind::comment}};
  static const std::vector<Rule> ptx = {
      {re("^\\s+(?:@!?%\\w+\\s+)?[a-z][\\w.:]*"), Kind::keyword},
      {re("%[\\w.]+"), Kind::type},
      {re("(?<![\\w.$%])-?(?:0[xfFdD][0-9A-Fa-f]+|\\d+(?:\\.\\d+)?)\\b"), Kind::number},
      {re("^\\s*\\.\\w+"), Kind::comment},
      {re("\\$L\\w+"), Kind::name},
      {re("^[\\w$]+:"), Kind::label},
      {re("//.*$"), Kind::comment}};
  static const std::vector<Rule> sass = {
      {re("(?<=\\*/)\\s+(?:@!?U?P\\w+\\s+)?[A-Z][\\w.]*"), Kind::keyword},
      {re("\\bU?[RP]\\d+(?:\\.\\w+)*|\\bU?[RP][ZT]\\b"), Kind::type},
      {re("(?<![\\w.])-?(?:0x[0-9a-f]+|\\d+(?:\\.\\d+)?(?:e[-+]?\\d+)?)\\b"), Kind::number},
      {re("\\.L_x_\\d+"), Kind::name},
      {re("^\\.[\\w.]+:"), Kind::label},
      {re("/\\*[0-9a-f]+\\*/"), Kind::comment}};
  if (language == QLatin1String("llvm")) return llvm;
  if (language == QLatin1String("assembly")) return assembly;
  if (language == QLatin1String("cuda")) return cuda;
  if (language == QLatin1String("sass")) return sass;
  return language == QLatin1String("ptx") ? ptx : readable;
}

}  // namespace

ListingHighlighter::ListingHighlighter(QTextDocument* document) : QSyntaxHighlighter(document) {}

void ListingHighlighter::setTheme(const Theme& theme) {
  theme_ = &theme;
  rehighlight();
}

void ListingHighlighter::setLanguage(const QString& language) {
  language_ = language;
}

void ListingHighlighter::highlightBlock(const QString& text) {
  for (const Rule& rule : rulesOf(language_)) {
    QTextCharFormat format;
    switch (rule.kind) {
      case Rule::Kind::comment:
        format.setForeground(theme_->muted);
        break;
      case Rule::Kind::keyword:
        format.setForeground(theme_->accent);
        break;
      case Rule::Kind::type:
        format.setForeground(theme_->seriesColors[2]);
        break;
      case Rule::Kind::number:
        format.setForeground(theme_->seriesColors[1]);
        break;
      case Rule::Kind::name:
        format.setForeground(theme_->seriesColors[4]);
        break;
      case Rule::Kind::label:
        format.setForeground(theme_->text);
        format.setFontWeight(QFont::DemiBold);
        break;
    }
    for (auto match = rule.pattern.globalMatch(text); match.hasNext();) {
      const auto found = match.next();
      setFormat(static_cast<int>(found.capturedStart()), static_cast<int>(found.capturedLength()),
                format);
    }
  }
}

ListingGutter::ListingGutter(ListingEdit& listing) : QWidget(&listing), listing_(listing) {
  setAccessibleName(uiText("Line numbers"));
}

void ListingGutter::paintEvent(QPaintEvent* event) {
  listing_.paintGutter(event);
}

ListingEdit::ListingEdit(QWidget* parent)
    : QPlainTextEdit(parent),
      highlighter_(new ListingHighlighter(document())),
      gutter_(new ListingGutter(*this)) {
  setReadOnly(true);
  setTabChangesFocus(true);
  setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  setLineWrapMode(NoWrap);
  setFont(monoFont(kTextScale));
  setFrameShape(QFrame::NoFrame);
  setAccessibleName(uiText("Generated code"));
  connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& rect, int dy) {
    if (dy)
      gutter_->scroll(0, dy);
    else
      gutter_->update(0, rect.y(), gutter_->width(), rect.height());
  });
  connect(this, &QPlainTextEdit::cursorPositionChanged, this, [this] {
    if (setting_) return;
    const int op = opAtCursor();
    if (std::exchange(reached_, op) != op) emit opReached(op);
  });
  placeGutter();
}

void ListingEdit::setTheme(const Theme& theme) {
  theme_ = &theme;
  setFont(monoFont(kTextScale));
  highlighter_->setTheme(theme);
  placeGutter();
  tint();
  gutter_->update();
}

void ListingEdit::setListing(const QString& text, const QString& language, std::vector<int> lineOps,
                             QStringList statements) {
  setting_ = true;
  lineOps_ = std::move(lineOps);
  statements_ = std::move(statements);
  colors_.clear();
  int statement = -1;
  for (std::size_t line = 0; line < lineOps_.size(); ++line) {
    const auto at = static_cast<qsizetype>(line);
    if (at < statements_.size() && !statements_[at].isEmpty()) statement = statements_[at].toInt();
    colors_.push_back(lineOps_[line] < 0 ? -1 : statement);
  }
  found_.clear();
  differing_.clear();
  highlighter_->setLanguage(language);
  setPlainText(text);
  setting_ = false;
  reached_ = opAtCursor();
  placeGutter();
  tint();
}

void ListingEdit::startAt(int line) {
  constexpr int kAbove = 2;
  const QTextBlock block = document()->findBlockByNumber(std::clamp(line, 0, blockCount() - 1));
  setting_ = true;
  setTextCursor(QTextCursor(block));
  setting_ = false;
  reached_ = opAtCursor();
  verticalScrollBar()->setValue(std::max(0, line - kAbove));  // it counts lines
}

int ListingEdit::opAtCursor() const {
  const auto line = static_cast<std::size_t>(textCursor().blockNumber());
  return line < lineOps_.size() ? lineOps_[line] : -1;
}

bool ListingEdit::isMarked(int line) const {
  const auto index = static_cast<std::size_t>(line);
  return index < lineOps_.size() && lineOps_[index] >= 0 &&
         std::find(marked_.begin(), marked_.end(), lineOps_[index]) != marked_.end();
}

std::vector<int> ListingEdit::markedLines() const {
  std::vector<int> lines;
  for (int line = 0; line < blockCount(); ++line)
    if (isMarked(line)) lines.push_back(line);
  return lines;
}

void ListingEdit::markOps(const std::vector<int>& ops, bool reveal) {
  marked_ = ops;
  tint();
  gutter_->update();
  const std::vector<int> lines = markedLines();
  if (!reveal || lines.empty()) return;
  const int top = firstVisibleBlock().blockNumber();
  const int height = std::max(1, viewport()->height() / std::max(1, fontMetrics().lineSpacing()));
  const bool visible = std::any_of(lines.begin(), lines.end(),
                                   [&](int line) { return line >= top && line < top + height; });
  if (visible) return;
  setting_ = true;
  QTextCursor cursor(document()->findBlockByNumber(lines.front()));
  setTextCursor(cursor);
  centerCursor();
  setting_ = false;
  reached_ = opAtCursor();
}

void ListingEdit::copyAll() const {
  QApplication::clipboard()->setText(toPlainText());
}

std::unique_ptr<QMenu> ListingEdit::menu() {
  std::unique_ptr<QMenu> menu(createStandardContextMenu());
  menu->addSeparator();
  menu->addAction(uiText("Copy the whole text"), this, &ListingEdit::copyAll);
  menu->addAction(uiText("Save as…"), this, &ListingEdit::saveWanted);
  return menu;
}

void ListingEdit::contextMenuEvent(QContextMenuEvent* event) {
  menu()->exec(event->globalPos());
}

/// A tint per statement under the text. Its number in the strip says the same without color.
void ListingEdit::paintEvent(QPaintEvent* event) {
  QPainter painter(viewport());
  const float opacity = theme_->dark ? 0.1F : 0.08F;
  for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
    const QRectF line = blockBoundingGeometry(block).translated(contentOffset());
    if (line.top() > event->rect().bottom()) break;
    const auto index = static_cast<std::size_t>(block.blockNumber());
    if (index >= colors_.size() || colors_[index] < 0) continue;
    QColor tint = theme_->series(colors_[index]).color;
    tint.setAlphaF(opacity);
    painter.fillRect(QRectF(0, line.top(), viewport()->width(), line.height()), tint);
  }
  painter.end();
  QPlainTextEdit::paintEvent(event);
}

void ListingEdit::setFound(const QList<QTextCursor>& found) {
  found_ = found;
  tint();
}

void ListingEdit::setDiffering(std::vector<bool> differing) {
  if (differing == differing_) return;
  differing_ = std::move(differing);
  tint();
  gutter_->update();
}

void ListingEdit::tint() {
  QList<QTextEdit::ExtraSelection> selections;
  QColor other = theme_->warning;
  other.setAlphaF(0.13F);
  for (std::size_t line = 0; line < differing_.size(); ++line) {
    if (!differing_[line]) continue;
    QTextEdit::ExtraSelection selection;
    selection.cursor = QTextCursor(document()->findBlockByNumber(static_cast<int>(line)));
    selection.format.setBackground(other);
    selection.format.setProperty(QTextFormat::FullWidthSelection, true);
    selections.append(selection);
  }
  QColor tinted = theme_->accent;
  tinted.setAlphaF(0.14F);
  for (const int line : markedLines()) {
    QTextEdit::ExtraSelection selection;
    selection.cursor = QTextCursor(document()->findBlockByNumber(line));
    selection.format.setBackground(tinted);
    selection.format.setProperty(QTextFormat::FullWidthSelection, true);
    selections.append(selection);
  }
  QColor spot = theme_->warning;
  spot.setAlphaF(0.35F);
  for (const QTextCursor& cursor : found_) {
    QTextEdit::ExtraSelection selection;
    selection.cursor = cursor;
    selection.format.setBackground(spot);
    selections.append(selection);
  }
  setExtraSelections(selections);
}

int ListingEdit::gutterWidth() const {
  const QFontMetrics metrics(monoFont(kTextScale * 0.9));
  const auto digits = std::max<qsizetype>(3, QString::number(blockCount()).size());
  int statement = 0;
  for (const QString& text : statements_)
    statement = std::max(statement, metrics.horizontalAdvance(text));
  return kListingPadding + static_cast<int>(digits) * metrics.horizontalAdvance(u'0') +
         (statement ? kListingPadding + statement : 0) + kListingPadding + kMarkWidth;
}

void ListingEdit::placeGutter() {
  const int width = gutterWidth();
  setViewportMargins(width + kListingPadding / 2, 0, 0, 0);
  gutter_->setGeometry(contentsRect().left(), contentsRect().top(), width, contentsRect().height());
}

void ListingEdit::resizeEvent(QResizeEvent* event) {
  QPlainTextEdit::resizeEvent(event);
  placeGutter();
}

void ListingEdit::paintGutter(QPaintEvent* event) {
  QPainter painter(gutter_);
  painter.fillRect(event->rect(), theme_->panel);
  const QFont font = monoFont(kTextScale * 0.9);
  painter.setFont(font);
  const int digits = static_cast<int>(std::max<qsizetype>(3, QString::number(blockCount()).size()));
  const int numberRight = kListingPadding + digits * QFontMetrics(font).horizontalAdvance(u'0');
  for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
    const QRectF box = blockBoundingGeometry(block).translated(contentOffset());
    if (box.top() > event->rect().bottom()) break;
    const int line = block.blockNumber();
    const bool marked = isMarked(line);
    const auto row = [&](int left, int right) {
      return QRectF(left, box.top(), right - left, box.height());
    };
    painter.setPen(marked ? theme_->text : theme_->muted);
    painter.drawText(row(0, numberRight), Qt::AlignRight | Qt::AlignVCenter,
                     QString::number(line + 1));
    if (line < statements_.size() && !statements_[line].isEmpty()) {
      painter.setPen(theme_->accent);
      painter.drawText(
          row(numberRight + kListingPadding, gutter_->width() - kMarkWidth - kListingPadding),
          Qt::AlignRight | Qt::AlignVCenter, statements_[line]);
    }
    // A sign in addition to the color, for people who cannot distinguish the colors.
    if (static_cast<std::size_t>(line) < differing_.size() &&
        differing_[static_cast<std::size_t>(line)]) {
      painter.setPen(theme_->warning);
      painter.drawText(row(0, kListingPadding), Qt::AlignCenter, QStringLiteral("≠"));
    }
    // A color per statement; its number is shown at its first line.
    const auto index = static_cast<std::size_t>(line);
    const int statement = index < colors_.size() ? colors_[index] : -1;
    if (marked || statement >= 0)
      painter.fillRect(row(gutter_->width() - kMarkWidth, gutter_->width()),
                       marked ? theme_->accent : theme_->series(statement).color);
  }
}

}  // namespace fusebench

#include "moc_listing_edit.cpp"
