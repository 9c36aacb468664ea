// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/window/shortcuts_dialog.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "ui/models/base/ui_text.h"
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
    {uiMark("Anywhere"),
     {{"Ctrl+R", uiMark("Run")},
      {uiMark("Esc"), uiMark("Stop")},
      {"Ctrl+Shift+R", uiMark("Resume a stopped run")},
      {"Ctrl+E", uiMark("Explore mode on or off")},
      {"Ctrl+K", uiMark("Quick on or off")},
      {"Ctrl+N, Ctrl+O, Ctrl+S", uiMark("New, open, save")},
      {"Ctrl+Shift+E", uiMark("Export: report, chart, table, data")},
      {"Ctrl+Z, Ctrl+Shift+Z", uiMark("Undo, redo")},
      {"Ctrl+Shift+S", uiMark("Save under another name")},
      {"Ctrl+Alt+S", uiMark("Share experiment, run, notes and view as one file")},
      {"F6, Shift+F6", uiMark("Next part of the window, the one before")},
      {"F7, Shift+F7",
       uiMark("Split: move the current view to the right of the others, or below them")},
      {"F8, Shift+F8", uiMark("Move the view to the other group of tabs, or reset all views")},
      {"F9", uiMark("Move the current view to its own window, or back")},
      {"F11", uiMark("Full screen, and back")},
      {"Shift+F11", uiMark("Focus mode: the middle alone, and back")},
      {"Ctrl+B, Ctrl+Alt+B, Ctrl+J",
       uiMark("Hide or show the left column, the right one, the results")},
      {"Alt+1 … Alt+9, Alt+0", kViewWords},
      {"F1", uiMark("Guide")},
      {"Ctrl+Shift+P", uiMark("Find a command by its name")},
      {"F10", uiMark("Menu")},
      {"Ctrl+T", uiMark("Dark or light")},
      {"Ctrl+Q", uiMark("Quit")}}},
    {uiMark("Operator chain"),
     {{uiMark("Arrows, Tab"), uiMark("Walk along the edges")},
      {uiMark("/ or Insert"), uiMark("Insert an operator after this one (Shift+Insert: before)")},
      {uiMark("Enter or F2"), uiMark("Edit a parameter")},
      {uiMark("Alt+Up, Alt+Down"), uiMark("Move in the chain")},
      {"Shift+arrows, Ctrl+A", uiMark("Select several, all")},
      {"C", uiMark("Choose what an operand reads")},
      {"B, R", uiMark("Branch off here, replace the operator")},
      {"F", uiMark("Fold or unfold the function, module or round of a loop")},
      {"Ctrl+F", uiMark("Find an op, a module or a source line in a large program")},
      {"L", uiMark("Show the tensor's memory layout")},
      {"Ctrl+D", uiMark("Duplicate")},
      {"Ctrl+C, Ctrl+X, Ctrl+V", uiMark("Copy, cut, paste as PyTorch text")},
      {uiMark("Delete"), uiMark("Remove")},
      {"Ctrl+0, Ctrl+1, +, −", uiMark("Fit, 100%, zoom")}}},
    {uiMark("PyTorch text"),
     {{"Ctrl+Space", uiMark("Complete the operator's name")},
      {"Ctrl+Z", uiMark("Undo (shared with the chain)")},
      {uiMark("Tab, Shift+Tab"), uiMark("Leave the editor")}}},
    {uiMark("Chart and map"),
     {{uiMark("Left, Right"), uiMark("Move the cursor along the axis")},
      {uiMark("Home or F"), uiMark("Fit")},
      {uiMark("Esc"), uiMark("Clear the cursor")},
      {"+, −", uiMark("Zoom")},
      {"Shift+arrows", uiMark("Pan")},
      {"L", uiMark("Vertical axis logarithmic or linear")},
      {"1 … 8", uiMark("What the chart shows: latency, speedup, launches, …")},
      {"T", uiMark("Next time of a call, on a device: wall, host, device, synchronized")},
      {uiMark("Enter"), uiMark("Break-even map: open the curves through the point")}}},
    {uiMark("Scatter"),
     {{uiMark("Left, Right"), uiMark("Go from mark to mark")},
      {uiMark("Enter"), uiMark("Show the values of the mark")}}},
    {uiMark("Results"),
     {{uiMark("Up, Down"), uiMark("Walk through the rows")},
      {uiMark("Enter"), uiMark("Go to the row's point in the chart")},
      {"Ctrl+F", uiMark("Filter")},
      {"Ctrl+C", uiMark("Copy the rows that are selected")}}},
    {uiMark("Runs"),
     {{uiMark("Enter"), uiMark("Open")},
      {"Space", uiMark("Overlay on the chart, or remove")},
      {"F2, Delete", uiMark("Rename, delete")}}},
    {uiMark("Memory"),
     {{uiMark("Left, Right"), uiMark("Go from step to step")},
      {uiMark("Home, End"), uiMark("First step, after the last")}}},
    {uiMark("Timeline"),
     {{"W, S or +, −", uiMark("Zoom in, out")},
      {uiMark("A, D or Left, Right"), uiMark("Pan")},
      {uiMark("Home, End, F"), uiMark("Begin, end, fit")},
      {uiMark("N, P or F3, Shift+F3"), uiMark("Next kernel or match, the one before")},
      {"Ctrl+F", uiMark("Find a kernel")},
      {"L", uiMark("Along the arrow, from call to kernel and back")},
      {"M, Esc", uiMark("Select the slice's time, clear the selection")},
      {"C, Shift+C",
       uiMark("Collapse the slice's track to one row, or all tracks; again: all rows")},
      {"O", uiMark("All rows of a very deep track, or its outer ones")},
      {"T", uiMark("Pin the slice's track to the top, or unpin it")},
      {uiMark("Ctrl+drag"), uiMark("Measure between the edges of slices")},
      {"R", uiMark("Measure the slice, then the time to another one")},
      {"B", uiMark("Add a note to the selected range or slice")},
      {"[, ]", uiMark("Previous or next note")},
      {"H, Shift+H", uiMark("Hide the slice's track, show all tracks")},
      {uiMark("Alt+Up, Alt+Down"), uiMark("Move the slice's track")}}},
    {uiMark("Strip above the timeline"),
     {{uiMark("Left, Right"), uiMark("Move the part that is shown")},
      {uiMark("Up, Down"), uiMark("Zoom in, out")},
      {uiMark("Enter"), uiMark("Show the whole trace")}}},
};

/// "Chain, text, operators": the views that have such keys.
QString viewWords() {
  QStringList words;
  for (const ViewRow* row : viewsByRank())
    if (row->rank <= 10) words << uiText(row->word);
  QString all = words.join(QStringLiteral(", "));
  all[0] = all[0].toUpper();
  return all;
}

QString page() {
  QString html = QStringLiteral("<table cellspacing='0' cellpadding='4'>");
  for (const Part& part : kParts) {
    html += QStringLiteral("<tr><td colspan='2'><br><b>%1</b></td></tr>").arg(uiText(part.title));
    for (const Key& key : part.keys)
      html += QStringLiteral("<tr><td><code>%1</code>&nbsp;&nbsp;</td><td>%2</td></tr>")
                  .arg(uiText(key.keys), key.what == kViewWords ? viewWords() : uiText(key.what));
  }
  return html + QStringLiteral("</table>");
}

}  // namespace

std::vector<ShownKey> shownKeys() {
  std::vector<ShownKey> shown;
  for (const Part& part : kParts)
    for (const Key& key : part.keys) shown.push_back({part.title, key.keys});
  return shown;
}

void showShortcuts(QWidget* parent) {
  auto* dialog = new QDialog(parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(uiText("Keys"));
  dialog->resize(620, 640);
  auto* text = new QTextBrowser(dialog);
  text->setAccessibleName(uiText("Keys"));
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
