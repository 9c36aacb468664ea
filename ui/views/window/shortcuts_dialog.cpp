// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/window/shortcuts_dialog.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "ui/views/window/view_rows.h"

namespace fusebench {
namespace {

struct Key {
  const char* keys;
  const char* what;
};
struct Part {
  const char* title;
  std::initializer_list<Key> keys;
};

constexpr const char* kViewWords = "";  ///< stands for the names of the views

const std::initializer_list<Part> kParts = {
    {"Anywhere",
     {{"Ctrl+R", "Run"},
      {"Esc", "Stop"},
      {"Ctrl+Shift+R", "Go on with a stopped run"},
      {"Ctrl+E", "Explore mode on or off"},
      {"Ctrl+K", "Quick on or off"},
      {"Ctrl+N, Ctrl+O, Ctrl+S", "New, open, save"},
      {"Ctrl+Shift+E", "Export: report, chart, table, data"},
      {"Ctrl+Z, Ctrl+Shift+Z", "Undo, redo"},
      {"Ctrl+Shift+S", "Save under another name"},
      {"F6, Shift+F6", "Next part of the window, the one before"},
      {"F11", "Focus mode: the middle alone, and back"},
      {"Ctrl+B, Ctrl+Alt+B, Ctrl+J", "Hide or show the left column, the right one, the results"},
      {"Alt+1 … Alt+9, Alt+0", kViewWords},
      {"F1", "Lesson"},
      {"F10", "Menu"},
      {"Ctrl+T", "Dark or light"},
      {"Ctrl+Q", "Quit"}}},
    {"Operator chain",
     {{"Arrows, Tab", "Walk along the edges"},
      {"/ or Insert", "Insert an operator after this one (Shift+Insert: before)"},
      {"Enter or F2", "Edit a parameter"},
      {"Alt+Up, Alt+Down", "Move in the chain"},
      {"Shift+arrows, Ctrl+A", "Select several, all"},
      {"C", "Choose what an operand reads"},
      {"B, R", "Branch off here, replace the operator"},
      {"F", "Fold or unfold the function, module or round of a loop"},
      {"L", "Show how the tensor lies in memory"},
      {"Ctrl+D", "Duplicate"},
      {"Ctrl+C, Ctrl+X, Ctrl+V", "Copy, cut, paste as PyTorch text"},
      {"Delete", "Remove"},
      {"Ctrl+0, Ctrl+1, +, −", "Fit, 100%, zoom"}}},
    {"PyTorch text",
     {{"Ctrl+Space", "Complete the operator's name"},
      {"Ctrl+Z", "Undo, one history with the chain's"},
      {"Tab, Shift+Tab", "Leave the text"}}},
    {"Chart and map",
     {{"Left, Right", "Move the cursor along the axis"},
      {"Home or F", "Fit"},
      {"Esc", "Let go of the cursor"},
      {"+, −", "Zoom"},
      {"Shift+arrows", "Pan"},
      {"L", "Vertical axis logarithmic or linear"},
      {"1 … 7", "What the chart shows: latency, speed-up, launches, …"},
      {"T", "Next time of a call, on a device: wall, host, device, alone"},
      {"Enter", "Map: open the curve of the cell"}}},
    {"Results",
     {{"Up, Down", "Walk through the rows"},
      {"Enter", "Go to the row's place in the chart"},
      {"Ctrl+F", "Filter"},
      {"Ctrl+C", "Copy the rows that are selected"}}},
    {"Runs",
     {{"Enter", "Open"},
      {"Space", "Lay over the chart, or take away"},
      {"F2, Delete", "Rename, delete"}}},
    {"Memory",
     {{"Left, Right", "Go from step to step"}, {"Home, End", "First step, after the last"}}},
    {"Timeline",
     {{"W, S or +, −", "Zoom in, out"},
      {"A, D or Left, Right", "Pan"},
      {"Home, End, F", "Begin, end, fit"},
      {"N, P or F3, Shift+F3", "Next kernel or match, the one before"},
      {"Ctrl+F", "Find a kernel"},
      {"L", "Along the arrow, from call to kernel and back"},
      {"M, Delete", "Select the span's time, select nothing"},
      {"C, Shift+C", "Collapse the span's lane to one row, all lanes; again: all rows"},
      {"O", "All rows of a very deep lane, or its outer ones"},
      {"T", "Keep the span's lane at the top, or let it go"},
      {"H, Shift+H", "Hide the span's lane, show all lanes"},
      {"Alt+Up, Alt+Down", "Move the span's lane"}}},
};

/// "Chain, text, operators": the views that have such keys.
QString viewWords() {
  QStringList words;
  for (const ViewRow* row : viewsByRank())
    if (row->rank <= 10) words << QLatin1String(row->word);
  QString all = words.join(QStringLiteral(", "));
  all[0] = all[0].toUpper();
  return all;
}

QString page() {
  QString html = QStringLiteral("<table cellspacing='0' cellpadding='4'>");
  for (const Part& part : kParts) {
    html += QStringLiteral("<tr><td colspan='2'><br><b>%1</b></td></tr>")
                .arg(QString::fromUtf8(part.title));
    for (const Key& key : part.keys)
      html += QStringLiteral("<tr><td><code>%1</code>&nbsp;&nbsp;</td><td>%2</td></tr>")
                  .arg(QString::fromUtf8(key.keys),
                       key.what == kViewWords ? viewWords() : QString::fromUtf8(key.what));
  }
  return html + QStringLiteral("</table>");
}

}  // namespace

void showShortcuts(QWidget* parent) {
  auto* dialog = new QDialog(parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(QStringLiteral("Keys"));
  dialog->resize(620, 640);
  auto* text = new QTextBrowser(dialog);
  text->setAccessibleName(QStringLiteral("Keys"));
  text->document()->setDocumentMargin(16);
  text->setHtml(page());
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
  QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  auto* layout = new QVBoxLayout(dialog);
  layout->setContentsMargins(0, 0, 0, 12);
  layout->addWidget(text, 1);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(16, 0, 16, 0);
  row->addWidget(buttons);
  layout->addLayout(row);
  dialog->open();
}

}  // namespace fusebench
