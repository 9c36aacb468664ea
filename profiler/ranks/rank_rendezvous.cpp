// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/ranks/rank_rendezvous.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "engine/base/saying.h"
#include "profiler/files/files.h"

namespace fusebench {

RankRendezvous::RankRendezvous() {
  folder_ = (std::filesystem::temp_directory_path() / "fusebench-ranks-XXXXXX").string();
  if (!mkdtemp(folder_.data()))
    throw std::runtime_error(
        systemMessage(folder_, saying("could not create a folder for the ranks")));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path().size() >= sizeof address.sun_path)
    throw std::runtime_error(saying("{}: this path is too long for a socket", path()));
  std::memcpy(address.sun_path, path().c_str(), path().size() + 1);
  socket_.set(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (::bind(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(socket_.get(), SOMAXCONN) != 0)
    throw std::runtime_error(
        systemMessage(path(), saying("could not create a socket for the ranks")));
}

void RankRendezvous::remove() const {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

}  // namespace fusebench
