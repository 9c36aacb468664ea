// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/window/session.h"

#include <QDir>
#include <QPointer>
#include <nlohmann/json.hpp>
#include <string>

#include "profiler/files/files.h"
#include "profiler/files/json_text.h"

namespace fusebench {
namespace {
constexpr int kSavePause = 1000;
}

Session::Session(DocumentModel& document, const QString& folder, QObject* parent)
    : QObject(parent),
      document_(document),
      folder_(folder),
      lock_(folder + QStringLiteral("/session.lock")) {
  QDir().mkpath(folder_);
  lock_.setStaleLockTime(0);  // stale only if its process is gone
  mine_ = lock_.tryLock(0);
  pool_.setMaxThreadCount(1);  // writes stay in order
  pause_.setSingleShot(true);
  pause_.setInterval(kSavePause);
  connect(&pause_, &QTimer::timeout, this, &Session::write);
}

Session::~Session() {
  pool_.waitForDone();
}

std::optional<Session::State> Session::read(const QString& file) {
  if (!QFile::exists(file)) return std::nullopt;
  try {
    const std::string path = file.toStdString();
    const auto json = jsonOf(readFile(path));
    State state;
    state.experiment = parseDraft(json.at("experiment").dump(), path);
    state.path = QString::fromStdString(json.value("path", ""));
    state.modified = json.value("modified", false);
    state.shownRun = QString::fromStdString(json.value("run", ""));
    state.crashed = json.value("open", false);
    return state;
  } catch (const std::exception&) {
    return std::nullopt;  // from another version, or damaged: see setAside()
  }
}

QString Session::setAside() const {
  if (!mine_) return {};
  for (int number = 1; number < 1000; ++number) {
    const QString aside = QStringLiteral("%1/session-unread-%2.json").arg(folder_).arg(number);
    if (QFile::exists(aside)) continue;
    return QFile::rename(file(), aside) ? aside : QString();
  }
  return {};
}

void Session::begin() {
  if (!mine_ || writing_) return;
  writing_ = true;
  connect(&document_, &DocumentModel::changed, &pause_, qOverload<>(&QTimer::start));
  connect(&document_, &DocumentModel::historyChanged, &pause_, qOverload<>(&QTimer::start));
  pause_.start();
}

void Session::setShownRun(const QString& path) {
  if (path == shownRun_) return;
  shownRun_ = path;
  if (writing_) pause_.start();
}

std::string Session::text(bool open, const std::string& experiment, bool modified) const {
  nlohmann::json json;
  json["fusebench"] = "session";
  json["version"] = 1;
  json["open"] = open;
  json["path"] = document_.path().toStdString();
  json["modified"] = modified;
  json["run"] = shownRun_.toStdString();
  json["experiment"] = jsonOf(experiment);
  return json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

void Session::write() {
  pool_.start([text = text(true, toJson(document_.experiment()), document_.modified()),
               path = file().toStdString(), self = QPointer(this)] {
    try {
      writeFile(path, text);
    } catch (const std::exception& error) {
      // The destructor waits for this thread, so `self` is alive while it runs.
      QMetaObject::invokeMethod(
          self,
          [self, what = QString::fromUtf8(error.what())] {
            if (self && !std::exchange(self->complained_, true)) emit self->failed(what);
          },
          Qt::QueuedConnection);
    }
  });
}

void Session::end(bool keepEdits) {
  if (!mine_ || !std::exchange(writing_, false)) return;
  pause_.stop();
  document_.disconnect(&pause_);
  pool_.waitForDone();
  try {
    const std::string path = document_.path().toStdString();
    if (keepEdits)
      writeFile(file().toStdString(),
                text(false, toJson(document_.experiment()), document_.modified()));
    else if (path.empty())
      QFile::remove(file());
    else
      // Its program is read at the next start: closing the window waits for no program.
      writeFile(file().toStdString(), text(false, readFile(path), false));
  } catch (const std::exception&) {
    // No window is left to show the error; the last state stays unless it must be discarded.
    if (!keepEdits) QFile::remove(file());
  }
  lock_.unlock();
  mine_ = false;
}

}  // namespace fusebench

#include "moc_session.cpp"
