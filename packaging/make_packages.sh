#!/usr/bin/env bash
# Packages for Debian 12, fusebench-cli, fusebench and python3-fusebench:
#   packaging/make_packages.sh             builds, packs into build/packages, packs once more and compares the bytes
#   packaging/make_packages.sh --no-build  packs what build/package holds
# Set FUSEBENCH_HOMEPAGE to where pictures of the window are published: software centers show them from there.
set -euo pipefail
cd "$(dirname "$0")/.."
die() { echo "make_packages: $*" >&2; exit 1; }

# Files are as old as the commit that they were made of.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
if [ "${1:-}" != --no-build ]; then
  # 24 files together, as bootstrap.sh does: the compiler reads headers once.
  cmake --preset package -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=24 ${FUSEBENCH_HOMEPAGE:+"-DFUSEBENCH_HOMEPAGE=$FUSEBENCH_HOMEPAGE"} >/dev/null
  cmake --build --preset package -j "$(nproc)"
fi

# A release carries the GPU code of its own op table and code generator.
prebuilt=$(LC_ALL=C build/package/bin/fusebench-cli doctor --json | python3 -c '
import json, sys
print(*(check["status"] + ": " + check["found"] for check in json.load(sys.stdin)["checks"]
        if check["name"] == "Prebuilt GPU code"))') || true
[[ $prebuilt == good:* ]] || die "the prebuilt GPU code is of an earlier build (${prebuilt#*: }): where NVRTC is found, build and run fusebench-prebuild, and commit what it writes"

pack() {  # folder
  rm -rf "$1"
  cpack --config build/package/CPackConfig.cmake -B "$PWD/$1" >"$1.log" 2>&1 || { tail -20 "$1.log" >&2; die "cpack failed"; }
  rm -rf "$1/_CPack_Packages" "$1.log"
}
mkdir -p build
pack build/packages
pack build/packages-again
for package in build/packages/*.deb; do
  cmp "$package" "build/packages-again/$(basename "$package")" || die "packed twice, $package is not the same bytes"
  # A package that names a folder of this machine would differ on another one.
  unpacked=$(mktemp -d)
  dpkg-deb -x "$package" "$unpacked"
  if named=$(grep -rlF "$PWD" "$unpacked"); then die "$named names $PWD"; fi
  rm -rf "$unpacked"
done
rm -rf build/packages-again
ls -l build/packages
