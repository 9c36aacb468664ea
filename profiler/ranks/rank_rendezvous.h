// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "profiler/files/descriptor.h"

namespace fusebench {

/// A folder of this process alone, with a socket in it that ranks connect to.
class RankRendezvous {
 public:
  /// Throws std::runtime_error, in one line.
  RankRendezvous();
  ~RankRendezvous() { remove(); }
  /// Call it once all have arrived: then nothing is left if this process is killed.
  void remove() const;
  RankRendezvous(const RankRendezvous&) = delete;
  RankRendezvous& operator=(const RankRendezvous&) = delete;
  std::string path() const { return folder_ + "/ranks"; }
  int socket() const { return socket_.get(); }

 private:
  std::string folder_;
  Descriptor socket_;
};

}  // namespace fusebench
