// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stop_token>
#include <string>
#include <string_view>

#include "profiler/doctor/doctor.h"
#include "profiler/study/study.h"

namespace fusebench {

/// The Python interpreter to use for PyTorch: the user's choice, else $FUSEBENCH_PYTHON, else
/// python3.
std::string chosenPython(const std::string& given);

/// Path of one of PyTorch's scripts ("torch/fusebench_torch.py"): among this program's files if it
/// came with them, otherwise in the cache, to which all of them are written. Throws InputError.
std::string torchScript(std::string_view name);

/// PyTorch as an additional worker of a study, in this interpreter, on this device ("cpu",
/// "cuda:0"). Throws InputError if its program is not available and cannot be written to the cache.
GuestWorker torchWorker(const std::string& python, const std::string& device);

/// Checks what a study would find there: starts the worker and sends a greeting, which takes as
/// long as importing torch; an interpreter that does not respond is abandoned much sooner.
DoctorCheck checkTorch(const std::string& python, std::stop_token stop = {});

}  // namespace fusebench
