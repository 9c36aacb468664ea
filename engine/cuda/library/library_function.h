// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/base/saying.h"
#include "engine/base/shared_library.h"

namespace fusebench::cuda {

/// One function of a library of NVIDIA's, which answers with a status.
template <class... Parameters>
struct LibraryFunction {
  const char* name = nullptr;
  int (*address)(Parameters...) = nullptr;
  int operator()(Parameters... arguments) const { return address(arguments...); }
};

/// Looks for functions by their symbols and remembers those that are not there.
class FunctionSearch {
 public:
  explicit FunctionSearch(SharedLibrary& library) : library_(library) {}
  template <class Address>
  void find(const char* symbol, Address& address) {
    if (!library_.find(symbol, address))
      missing_ += missing_.empty() ? symbol : std::string(", ") + symbol;
  }
  template <class... Parameters>
  void find(const char* symbol, LibraryFunction<Parameters...>& function) {
    function.name = symbol;
    find(symbol, function.address);
  }
  /// "it lacks a, b"; empty: all are there.
  std::string complaint() const {
    return missing_.empty() ? missing_ : saying("it lacks {}", missing_);
  }

 private:
  SharedLibrary& library_;
  std::string missing_;
};

}  // namespace fusebench::cuda
