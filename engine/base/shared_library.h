// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <utility>

namespace fusebench {

/// A library opened at run time; closed with this object unless kept.
class SharedLibrary {
 public:
  SharedLibrary() = default;
  SharedLibrary(SharedLibrary&& other) noexcept
      : handle_(std::exchange(other.handle_, nullptr)), name_(std::move(other.name_)) {}
  SharedLibrary& operator=(SharedLibrary&& other) noexcept {
    std::swap(handle_, other.handle_);
    std::swap(name_, other.name_);
    return *this;
  }
  ~SharedLibrary();

  /// Opens an absolute path, or a name that the system searches for; a path relative to the current
  /// folder is rejected. Returns an empty library on failure; then `error` is the reason, in one
  /// line.
  static SharedLibrary open(const std::string& name, std::string& error);

  explicit operator bool() const { return handle_ != nullptr; }
  const std::string& name() const { return name_; }  ///< as opened
  /// Address of a symbol, or null.
  void* symbol(const char* symbol) const;
  /// Sets `function` to a symbol's address; false, and null, if there is none.
  template <class Function>
  bool find(const char* name, Function*& function) const {
    function = reinterpret_cast<Function*>(symbol(name));
    return function != nullptr;
  }
  /// The file that contains `address`, with links resolved; empty if there is none.
  static std::string fileOf(const void* address);
  /// Leaves the library open until the process exits.
  void keep() { handle_ = nullptr; }

 private:
  void* handle_ = nullptr;
  std::string name_;
};

}  // namespace fusebench
