// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/setup/sites_model.h"

#include <utility>

#include "ui/models/base/ui_text.h"

namespace fusebench {
namespace {

std::vector<Site> usable(const QString& target, const DeviceList& devices) {
  std::vector<Site> sites;
  for (const ListedDevice& device : devices)
    // A simulated one is the same on every machine.
    if (device.usable() && (!device.simulated || target == QLatin1String("here")))
      sites.push_back(
          {target, QString::fromStdString(device.name), QString::fromStdString(device.model)});
  return sites;
}

}  // namespace

SitesModel::SitesModel(const TargetsModel& targets, QObject* parent)
    : QObject(parent), targets_(targets) {
  connect(&targets_, &TargetsModel::changed, this, &SitesModel::learn);
  learn();
}

/// The devices of a machine are remembered after its allocation was released.
void SitesModel::learn() {
  for (const TargetsModel::Target& target : targets_.targets())
    if (target.reached && target.reached->ready)
      known_[target.name] = usable(target.name, target.reached->devices);
  emit changed();
}

void SitesModel::setHere(const DeviceList& devices) {
  const QString here = targets_.targets().front().name;
  known_[here] = usable(here, devices);
  emit changed();
}

std::vector<Site> SitesModel::sites() const {
  std::vector<Site> all;
  for (const TargetsModel::Target& target : targets_.targets()) {
    const auto known = known_.find(target.name);
    if (known == known_.end())
      all.push_back({target.name, QStringLiteral("cpu"), {}});
    else
      all.insert(all.end(), known->second.begin(), known->second.end());
  }
  return all;
}

void SitesModel::tick(const Site& site, bool on) {
  if (on ? ticked_.insert(site).second : ticked_.erase(site) > 0) emit changed();
}

std::vector<Site> SitesModel::chosen() const {
  std::vector<Site> chosen = sites();
  std::erase_if(chosen, [this](const Site& site) { return !ticked(site); });
  return chosen;
}

void SitesModel::setProgress(const QString& progress) {
  if (std::exchange(progress_, progress) != progress) emit changed();
}

QString nameOf(const Site& site) {
  return site.target == QLatin1String("here") ? site.device
                                              : uiText("%1 of %2").arg(site.device, site.target);
}

}  // namespace fusebench

#include "moc_sites_model.cpp"
