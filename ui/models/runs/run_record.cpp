// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/runs/run_record.h"

#include <QFile>
#include <QFileInfo>
#include <algorithm>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/base/saying.h"
#include "profiler/analysis/paired_samples.h"
#include "profiler/analysis/wording.h"
#include "profiler/files/files.h"
#include "profiler/files/json_text.h"
#include "ui/models/base/format.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"
#include "ui/models/results/comparison.h"

namespace fusebench {
namespace {

using nlohmann::json;

constexpr qint64 kLongestHeader = 4 << 20;
constexpr qint64 kLongestNote = 1 << 20;

QString textMember(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string()
             ? QString::fromStdString(found->get<std::string>())
             : QString();
}

bool flagMember(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_boolean() && found->get<bool>();
}

QDateTime timeFrom(const QString& text) {
  return QDateTime::fromString(text, Qt::ISODateWithMs);
}

std::int64_t countOf(const json& experiment) {
  std::int64_t count = 1;
  if (!experiment.contains("variants") || !experiment["variants"].is_array()) return 0;
  count *= static_cast<std::int64_t>(experiment["variants"].size());
  if (!experiment.contains("axes") || !experiment["axes"].is_array()) return count;
  for (const json& axis : experiment["axes"])
    if (axis.is_object() && axis.contains("values") && axis["values"].is_array())
      count *= static_cast<std::int64_t>(axis["values"].size());
  return count;
}

/// Title, date, device and number of cells out of the run's first line.
void readHeader(QFile& file, RunRecord& record) {
  const QByteArray line = file.readLine(kLongestHeader);
  const json header = jsonOf({line.constData(), static_cast<std::size_t>(line.size())});
  if (header.is_discarded() || !header.is_object() || header.value("fusebench", json()) != "run") {
    record.problem = line.isEmpty()
                         ? uiText("The file is empty.")
                         : uiText("This is not a Fusebench run, or the file is damaged.");
    return;
  }
  const json experiment = header.value("experiment", json::object());
  if (!experiment.is_object()) {
    record.problem = uiText("The run's experiment is damaged.");
    return;
  }
  record.title = textMember(experiment, "title");
  record.device = textMember(header, "device");
  record.cellCount = countOf(experiment);
  record.quick = flagMember(header, "quick");
  record.explored = flagMember(header, "explored");
  const QDateTime started = timeFrom(textMember(header, "started_at"));
  if (started.isValid()) record.date = started;
}

/// Opening a pipe that nobody writes to would block the window. A missing file is left to open().
bool isRegularFile(const QFile& file) {
  const QFileInfo info(file);
  return info.isFile() || !info.exists();
}

json readNote(const QString& path) {
  QFile file(notePath(path));
  if (!isRegularFile(file) || !file.open(QIODevice::ReadOnly)) return {};
  const QByteArray text = file.read(kLongestNote);
  json note = jsonOf({text.constData(), static_cast<std::size_t>(text.size())});
  return note.is_object() ? note : json();
}

/// The summary of the run that the note contains; null if there is none.
json summaryIn(const json& note) {
  const auto found = note.find("run");
  return found != note.end() && found->is_object() ? *found : json();
}

/// Whether that was found in the file as it is now.
bool isOfFile(const json& summary, const RunRecord& record) {
  const auto size = summary.find("size");
  return size != summary.end() && size->is_number_integer() && size->get<qint64>() == record.size &&
         timeFrom(textMember(summary, "modified")) == record.modified;
}

void takeSummary(const json& summary, RunRecord& record) {
  record.title = textMember(summary, "title");
  record.device = textMember(summary, "device");
  record.result = textMember(summary, "result");
  record.problem = textMember(summary, "problem");
  record.quick = flagMember(summary, "quick");
  record.explored = flagMember(summary, "explored");
  if (const QDateTime date = timeFrom(textMember(summary, "date")); date.isValid())
    record.date = date;
  if (const auto cells = summary.find("cells");
      cells != summary.end() && cells->is_number_integer())
    record.cellCount = cells->get<std::int64_t>();
}

/// As the axes of the chart write it: "30", "2, 1Mi".
QString placeText(const Run& run, const std::vector<std::int64_t>& at) {
  QStringList values;
  for (std::size_t axis = 0; axis < at.size(); ++axis)
    values << QString::fromStdString(
        wording::place(run.experiment.axes[axis], static_cast<double>(at[axis])));
  return values.join(QStringLiteral(", "));
}

}  // namespace

QString RunRecord::shownName() const {
  if (!name.isEmpty()) return name;
  return title.isEmpty() ? QFileInfo(path).fileName() : shownTitle();
}

QString RunRecord::shownTitle() const {
  return text(said(title.toStdString()));
}

QString notePath(const QString& runPath) {
  return runPath + QLatin1String(kNoteEnding);
}

QString resultLine(const Run& run) {
  if (sampleCount(run) == 0) return uiText("nothing measured");
  struct Place {
    const Cell* cell;
    double ratio;
  };
  std::optional<Place> first, largest, smallest;
  for (const Cell& cell : run.cells) {
    if (cell.samples.empty()) continue;
    const auto ratio = speedUpOf(run, cell);
    if (!ratio) continue;
    const Place place{&cell, ratio->value};
    // Along one axis only its last measured place counts: that is where the curves have parted.
    if (run.experiment.axes.size() < 2 && largest && largest->cell->key.at != cell.key.at)
      largest.reset();
    if (!largest || place.ratio > largest->ratio) largest = place;
    if (!smallest || place.ratio < smallest->ratio) smallest = place;
  }
  QString line;
  if (!largest) {
    const auto last = std::find_if(run.cells.rbegin(), run.cells.rend(),
                                   [](const Cell& cell) { return !cell.samples.empty(); });
    line = uiText("%1 %2 at %3")
               .arg(QString::fromStdString(
                        run.experiment.variants[static_cast<std::size_t>(last->key.variant)].name),
                    formatTime(last->latency().value), placeText(run, last->key.at));
  } else {
    const auto variant = static_cast<std::size_t>(largest->cell->key.variant);
    line = uiText("%1 %2 at %3")
               .arg(QString::fromStdString(run.experiment.variants[variant].name),
                    formatRatio(largest->ratio), placeText(run, largest->cell->key.at));
    if (run.experiment.axes.size() > 1)
      line += uiText(", least %1").arg(formatRatio(smallest->ratio));
  }
  return run.interrupted ? line + uiText(" (stopped early)") : line;
}

RunRecord readRecord(const QString& path) {
  RunRecord record;
  record.path = path;
  const QFileInfo info(path);
  record.size = info.size();
  record.modified = info.lastModified().toUTC();
  record.date = record.modified;
  const json note = readNote(path);
  record.name = textMember(note, "name");
  record.notes = textMember(note, "notes");
  const json summary = summaryIn(note);
  if (!info.exists()) {
    takeSummary(summary, record);
    record.problem = uiText("The file is gone.");
    return record;
  }
  if (isOfFile(summary, record)) {
    takeSummary(summary, record);
    // Older notes do not say how the run was measured: its first line does.
    if (summary.contains("quick") || !record.problem.isEmpty()) return record;
  }
  if (!path.endsWith(QLatin1String(".jsonl"), Qt::CaseInsensitive)) {
    record.problem = uiText("This is not a run: the name of a run ends in .jsonl.");
    return record;
  }
  QFile file(path);
  if (!isRegularFile(file)) {
    record.problem = uiText("This is a pipe or a device, not a file.");
    return record;
  }
  if (!file.open(QIODevice::ReadOnly)) {
    record.problem = uiText("The file cannot be opened: %1.").arg(file.errorString());
    return record;
  }
  readHeader(file, record);
  return record;
}

RunRecord completed(RunRecord record) {
  if (!record.problem.isEmpty() || !record.result.isEmpty()) return record;
  try {
    const Run run = loadRun(record.path.toStdString());
    record.result = resultLine(run);
    record.cellCount = static_cast<std::int64_t>(run.cells.size());
  } catch (const std::exception& error) {
    // One line without the folder, which the person knows.
    QString text = QString::fromUtf8(error.what());
    record.problem = text.remove(QFileInfo(record.path).path() + u'/');
  }
  return record;
}

std::optional<QString> writeNote(const RunRecord& record) {
  const json note = {{"fusebench", "note"},
                     {"version", 1},
                     {"name", record.name.toStdString()},
                     {"notes", record.notes.toStdString()},
                     {"run",
                      {{"size", record.size},
                       {"modified", record.modified.toString(Qt::ISODateWithMs).toStdString()},
                       {"title", record.title.toStdString()},
                       {"date", record.date.toString(Qt::ISODateWithMs).toStdString()},
                       {"device", record.device.toStdString()},
                       {"cells", record.cellCount},
                       {"quick", record.quick},
                       {"explored", record.explored},
                       {"result", record.result.toStdString()},
                       {"problem", record.problem.toStdString()}}}};
  try {
    writeFile(notePath(record.path).toStdString(),
              note.dump(1, ' ', false, json::error_handler_t::replace) + "\n");
  } catch (const std::exception& error) {
    return QString::fromUtf8(error.what());
  }
  return std::nullopt;
}

}  // namespace fusebench
