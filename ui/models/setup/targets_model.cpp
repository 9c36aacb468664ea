// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/setup/targets_model.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "engine/base/quantity_text.h"
#include "profiler/files/input_error.h"
#include "profiler/machine/machine.h"
#include "ui/models/base/ui_text.h"

namespace fusebench {
namespace {

const QString kHere = QStringLiteral("here");
/// One that is stopped may still be ending, and another one give an allocation back.
constexpr int kThreads = 3;

/// "Linux x86_64: cpu (EPYC), cuda:0 (H100)".
QString foundWords(const ReachedTarget& target) {
  QStringList devices;
  for (const ListedDevice& device : target.devices) {
    if (!device.usable() || device.simulated) continue;
    const QString name = QString::fromStdString(device.name);
    devices << (device.model.empty()
                    ? name
                    : QStringLiteral("%1 (%2)").arg(name, QString::fromStdString(device.model)));
  }
  return QString::fromStdString(target.system) + QStringLiteral(": ") +
         devices.join(QStringLiteral(", "));
}

}  // namespace

TargetsModel::TargetsModel(QObject* parent) : QObject(parent) {
  thread_.setMaxThreadCount(kThreads);
  targets_.push_back({kHere, Target::State::ready, uiText("this machine"), {}});
}

TargetsModel::~TargetsModel() {
  ++number_;
  stop_.request_stop();
  thread_.clear();
  thread_.waitForDone();
}

QStringList TargetsModel::names() const {
  QStringList names;
  for (std::size_t t = 1; t < targets_.size(); ++t) names << targets_[t].name;
  return names;
}

void TargetsModel::setNames(const QStringList& names) {
  for (const QString& name : names) add(name);
}

QString TargetsModel::add(const QString& name) {
  const QString plain = name.trimmed();
  try {
    parseTarget(plain.toStdString());
  } catch (const InputError& wrong) {
    return QString::fromUtf8(wrong.what());
  }
  if (find(plain)) return {};
  targets_.push_back({plain, Target::State::unknown, uiText("not checked yet"), {}});
  emit listChanged();
  emit changed();
  return {};
}

void TargetsModel::remove(const QString& name) {
  const Target* const removed = find(name);
  if (!removed || name == kHere || (quiet_ && name == chosen_)) return;
  if (removed->state == Target::State::looking) stopLooking();
  if (name == chosen_) become(kHere);
  if (std::erase_if(targets_, [&](const Target& target) { return target.name == name; }) == 0)
    return;
  emit listChanged();
  emit changed();
}

void TargetsModel::choose(const QString& name) {
  if (quiet_ || !find(name)) return;
  if (name == chosen_) return stopLooking();  // another one that was to become it
  if (name == kHere) return become(name);
  reach(name, false, true);
}

void TargetsModel::setQuiet(bool quiet) {
  if (std::exchange(quiet_, quiet) != quiet) emit changed();
}

const TargetsModel::Target* TargetsModel::find(const QString& name) const {
  const auto found = std::ranges::find(targets_, name, &Target::name);
  return found == targets_.end() ? nullptr : &*found;
}

TargetsModel::Target* TargetsModel::findMine(const QString& name) {
  const auto found = std::ranges::find(targets_, name, &Target::name);
  return found == targets_.end() ? nullptr : &*found;
}

const ReachedTarget* TargetsModel::reached() const {
  const Target* const target = find(chosen_);
  return target && target->reached && target->reached->ready ? &*target->reached : nullptr;
}

void TargetsModel::stopLooking() {
  stop_.request_stop();
  ++number_;
  for (Target& target : targets_)
    if (target.state == Target::State::looking) rest(target);
  emit changed();
}

/// Returns to the state that was known before the examination.
void TargetsModel::rest(Target& target) {
  const bool ready = target.reached && target.reached->ready;
  target.state = ready ? Target::State::ready : Target::State::unknown;
  target.words = ready ? foundWords(*target.reached) : uiText("not checked yet");
}

/// Slurm is asked on a thread: it may take its time.
void TargetsModel::giveBack(std::shared_ptr<SlurmAllocation> allocation) {
  if (allocation) thread_.start([held = std::move(allocation)]() mutable { held.reset(); });
}

/// An allocation that nobody measures in goes back.
void TargetsModel::become(const QString& name) {
  stop_.request_stop();
  ++number_;
  const QString before = std::exchange(chosen_, name);
  for (Target& target : targets_) {
    if (target.name != name && target.reached && target.reached->allocation) {
      giveBack(std::move(target.reached->allocation));
      target.reached.reset();
      if (target.state == Target::State::ready) target.state = Target::State::unknown;
    }
    if (target.state == Target::State::looking || target.state == Target::State::unknown)
      if (target.name != kHere) rest(target);
  }
  emit changed();
  if (before != name) emit chosenChanged();
}

void TargetsModel::reach(const QString& name, bool install, bool thenChoose) {
  Target* const target = findMine(name);
  if (!target || name == kHere || !reach_ || quiet_) return;
  stop_.request_stop();
  stop_ = std::stop_source();
  for (Target& other : targets_)
    if (other.state == Target::State::looking) rest(other);
  // Keep the allocation of a target in use: Slurm might not grant a second one while it exists.
  const auto held = target->reached ? target->reached->allocation : nullptr;
  const std::string asked = held ? target->reached->spec.text() : name.toStdString();
  target->state = Target::State::looking;
  target->words = install ? uiText("copying the program…") : uiText("looking…");
  // The destructor waits for the thread; Qt drops calls that come after it.
  thread_.start([this, name, asked, held, install, thenChoose, number = ++number_, reach = reach_,
                 stop = stop_.get_token()] {
    std::shared_ptr<ReachedTarget> found;
    QString problem;
    const auto waiting = [this, name, number](double seconds) {
      QMetaObject::invokeMethod(
          this,
          [this, name, number, seconds] {
            Target* const waited = findMine(name);
            if (number != number_ || !waited) return;
            waited->words = uiText("in Slurm's queue for %1 s").arg(std::lround(seconds));
            emit changed();
          },
          Qt::QueuedConnection);
    };
    try {
      found = std::make_shared<ReachedTarget>(reach(asked, install, waiting, stop));
      if (held) found->allocation = held;
      found->name = name.toStdString();
      if (stop.stop_requested()) found.reset();  // here, where Slurm may be waited for
    } catch (const std::exception& error) {
      problem = QString::fromUtf8(error.what());
    }
    QMetaObject::invokeMethod(
        this,
        [this, name, number, found, problem, thenChoose] {
          done(name, number, found, problem, thenChoose);
        },
        Qt::QueuedConnection);
  });
  emit changed();
}

void TargetsModel::done(const QString& name, int number, std::shared_ptr<ReachedTarget> found,
                        const QString& problem, bool thenChoose) {
  Target* const target = findMine(name);
  if (number != number_ || !target) {
    if (found) giveBack(std::move(found->allocation));
    return;
  }
  const bool isChosen = chosen_ == name;
  if (!found) {
    target->state = Target::State::failed;
    target->words = problem;
    // A measurement in progress there fails by losing its workers, if at all.
    if (isChosen && quiet_) return emit changed();
    if (target->reached) giveBack(std::move(target->reached->allocation));
    target->reached.reset();
    if (isChosen) return become(kHere);
    emit changed();
    return;
  }
  const bool becomes = found->ready && thenChoose && !quiet_;
  if (!becomes && !isChosen) giveBack(std::move(found->allocation));  // nobody measures in it
  target->state = found->ready ? Target::State::ready : Target::State::lacksProgram;
  target->words =
      found->ready
          ? foundWords(*found)
          : uiText("This version of Fusebench is not installed there (%1)")
                .arg(QString::fromStdString(bytesText(static_cast<double>(found->programBytes))));
  target->reached = std::move(*found);
  if (isChosen && !quiet_) {
    if (!target->reached->ready) return become(kHere);
    emit changed();
    emit chosenChanged();
    return;
  }
  if (becomes) return become(name);
  emit changed();
}

}  // namespace fusebench

#include "moc_targets_model.cpp"
