// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

#include "engine/base/embedded_file.h"

namespace fusebench {

/// The folder resources of the sources, and the folder that the program was built in.
std::string_view sourceResources();
std::string_view buildFolder();
/// Where an installation has the folder.
std::string_view installedResources();

/// The files of the folder resources that are part of the program: experiments, references,
/// devices, lessons, catalogues, Python scripts, and the parts of reports.
std::span<const EmbeddedFile> shippedResources();

}  // namespace fusebench
