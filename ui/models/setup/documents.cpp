// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/setup/documents.h"

#include <QFile>
#include <QFileInfo>
#include <exception>
#include <new>

#include <fmt/format.h>

#include "engine/base/saying.h"
#include "profiler/catalogue/catalogue.h"
#include "profiler/files/bundle.h"
#include "profiler/files/files.h"
#include "profiler/files/resources.h"
#include "profiler/run/report_runs.h"

namespace fusebench {
namespace {

constexpr qint64 kMostLookedAt = 1 << 20;  ///< bytes that are read to recognize a run

}  // namespace

bool isBundleFile(const QString& path) {
  if (isBundleName(path.toStdString())) return true;
  // A pipe cannot be looked into and then read.
  QFile file(path);
  return QFileInfo(path).isFile() && file.open(QIODevice::ReadOnly) &&
         isBundleText(file.read(100).toStdString());
}

OpenedBundle openBundle(const QString& path) {
  const std::string name = path.toStdString();
  const Bundle bundle = parseBundle(readFile(name), name);
  OpenedBundle opened;
  if (!bundle.experiment.empty())
    opened.experiment = parseDraft(bundle.experiment, saying("the experiment in {}", name));
  opened.notes = QString::fromStdString(bundle.notes);
  opened.view = QByteArray::fromStdString(bundle.view);
  return opened;
}

Document openDocument(const QString& path) {
  const std::string name = path.toStdString();
  bool run = path.endsWith(QLatin1String(".jsonl"), Qt::CaseInsensitive);
  // To open a pipe that nobody writes would stop the window; readFile() knows how to read one.
  const QFileInfo info(path);
  if (QFile file(path); !run && (info.isFile() || !info.exists())) {
    if (!file.open(QIODevice::ReadOnly))
      throw InputError(fmt::format("{}: {} ({})", name, saying("cannot be opened"),
                                   file.errorString().toStdString()));
    const QByteArray line = file.readLine(kMostLookedAt);
    run = isRunText(line.toStdString());
    const QByteArray bare = (line.startsWith("\xEF\xBB\xBF") ? line.mid(3) : line).trimmed();
    if (!run && !isReportName(name) && !bare.isEmpty() && bare.front() != '{')
      throw InputError(name + saying(": not a run, trace, experiment or lesson; open a file "
                                     "written by Fusebench, torch.profiler or Nsight Systems"));
  }
  try {
    if (isBundleFile(path)) {
      const Bundle bundle = parseBundle(readFile(name), name);
      if (!bundle.run.empty()) return parseRun(bundle.run, name);
      return parseDraft(bundle.experiment, saying("the experiment in {}", name));
    }
    if (isReportName(name)) {
      const std::vector<std::string> texts = runsInReport(readFile(name));
      if (texts.empty())
        throw InputError(
            name +
            saying(": this file contains no run; only reports written by Fusebench contain one"));
      return parseRun(texts.front(), name);
    }
    if (run) return loadRun(name);
    return parseDraft(readFile(name), name);
  } catch (const InputError&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw InputError(name + saying(": not enough free memory; close other programs"));
  } catch (const std::exception& error) {
    // Errors that a damaged file causes later are also reported with its name.
    throw InputError(name + ": " + error.what());
  }
}

std::vector<Run> openRuns(const QString& path) {
  Document document = openDocument(path);
  std::vector<Run> runs;
  if (auto* run = std::get_if<Run>(&document)) runs.push_back(std::move(*run));
  if (!isReportName(path.toStdString())) return runs;
  const std::vector<std::string> texts = runsInReport(readFile(path.toStdString()));
  for (std::size_t i = 1; i < texts.size(); ++i)
    runs.push_back(parseRun(texts[i], path.toStdString()));
  return runs;
}

std::optional<Reference> referenceFor(const Experiment& experiment) {
  if (experiment.reference.empty()) return std::nullopt;
  try {
    return loadReference(resourcePath("references/" + experiment.reference + ".json"));
  } catch (const std::exception&) {
    return std::nullopt;  // without it the toggle is simply not offered
  }
}

namespace {

QString helpPage(const std::string& name) {
  // In English where there is no other.
  const std::string chosen = language() == "en" ? "" : "." + language();
  for (const std::string& ending : {chosen + ".md", std::string(".md")}) {
    QFile file(QString::fromStdString(resourcePath("help/" + name + ending)));
    if (file.open(QIODevice::ReadOnly)) return QString::fromUtf8(file.readAll());
  }
  return {};
}

}  // namespace

QString timelineLesson() {
  return helpPage("timeline");
}

QString lessonFor(const Experiment& experiment) {
  if (!experiment.lesson.empty() && experiment.lesson.find('/') == std::string::npos)
    if (QString own = helpPage(experiment.lesson); !own.isEmpty()) return own;
  // The user's own experiments get the page on how the workbench works.
  return helpPage("workbench");
}

QString fileNameFor(const Experiment& experiment) {
  QString name;
  for (const QChar c : QString::fromStdString(experiment.title).toLower())
    if (c.isLetterOrNumber())
      name += c;
    else if (!name.isEmpty() && !name.endsWith(u'-'))
      name += u'-';
  while (name.endsWith(u'-')) name.chop(1);
  return name.isEmpty() ? QStringLiteral("experiment") : name.left(60);
}

}  // namespace fusebench
