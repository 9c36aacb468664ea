// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace fusebench::cli {

/// Whether the command line is `run FILE.py ...` and the file imports fusebench: benchmarks that
/// the Python package collects. Other Python files are programs, which are read and never executed.
bool namesBenchmarks(int argc, char** argv);

/// Replaces this program by the Python in which PyTorch is searched for, which runs the file with
/// the package fusebench. Returns only if that cannot be started. Throws InputError.
int runPythonFile(int argc, char** argv);

}  // namespace fusebench::cli
