// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace fusebench {

/// The absolute elements of a list such as PATH. An empty element means the current folder, and a
/// relative one depends on it.
std::string absoluteElements(std::string_view list);

/// Call it first in main(): this process and those that it starts then search for programs,
/// libraries, plug-ins and Python modules in absolute folders only. Otherwise a file in a
/// downloaded folder would run as soon as someone opens an experiment there. The dynamic linker
/// reads LD_LIBRARY_PATH before main(); if that list names the current folder, the program restarts
/// without it. `arguments` are those of main().
void searchAbsoluteFoldersOnly(char* const* arguments);

}  // namespace fusebench
