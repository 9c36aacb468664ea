#!/usr/bin/env bash
# Fusebench on a fresh Debian 12 machine, in one command:
#   packaging/bootstrap.sh run    install what is missing, build, and do the main job: the window if there
#                                 is a display, else the fusion study in the terminal with its report
#   packaging/bootstrap.sh test   install, build and run all tests, the engine's, the profiler's and the
#                                 command line's under sanitizers, too
#   packaging/bootstrap.sh long   compile every file by itself, then run the campaigns and sweeps, which takes hours
#   packaging/bootstrap.sh window-sanitized   the window's tests under sanitizers, which takes long
#   packaging/bootstrap.sh deps   install what is missing, and nothing else
set -euo pipefail
cd "$(dirname "$0")/.."

build_packages=(
  g++ cmake ninja-build
  llvm-19-dev libzstd-dev zlib1g-dev libxml2-dev
  libfmt-dev nlohmann-json3-dev libcli11-dev
  libsimdjson-dev libsqlite3-dev
  libdnnl-dev  # its headers: oneDNN itself is opened at run time
  qt6-base-dev qt6-base-dev-tools qt6-svg-dev libqcustomplot-dev
  qt6-tools-dev qt6-tools-dev-tools qt6-l10n-tools  # lrelease: the window in Chinese
  fonts-inter fonts-jetbrains-mono fonts-noto-cjk qt6-translations-l10n
)
test_packages=(
  libgtest-dev libgmock-dev libbenchmark-dev
  python3-pyflakes mypy python3-pytest  # check and test the Python in the repository
  libmpfr-dev python3-gmpy2  # what ops are exactly, to any number of bits
  xvfb xauth xdotool openbox imagemagick poppler-utils locales
  openssh-server slurm-wlm munge  # workers elsewhere are tested on the loopback
  openmpi-bin mpich  # several ranks are tested with both
  chromium  # reads a report as people would
  python3-torch  # 1.13, eager: PyTorch's variants are tested with it
  python3-venv  # the wheel is installed into a fresh environment
  clang-format clang-tidy
  ccache  # a second build takes what did not change from there
)
jobs=$(nproc)
# Kernels that the stand-in for CUDA compiles in tests: next to the other caches of builds, so that a second run finds them.
export FUSEBENCH_DOUBLE_CACHE=${FUSEBENCH_DOUBLE_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/fusebench-build/double}

say() { printf '\n== %s  [%d min]\n' "$*" $((SECONDS / 60)); }

install_missing() {
  local missing=() package
  for package in "$@"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  say "Installing: ${missing[*]}"
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "bootstrap: not root and no sudo; as root run: apt-get install ${missing[*]}" >&2; exit 1; }
    as_root=(sudo)
  fi
  "${as_root[@]}" apt-get update -q
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
}

# Eight files at a time: the compiler reads the headers once for all of them, and a changed file does not make it
# compile many others again.
build() {  # preset, further configure arguments...
  local preset=$1
  shift
  say "Building ($preset)"
  cmake --preset "${preset%-window}" -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=8 "$@" >/dev/null
  cmake --build --preset "$preset" -j "$jobs"
}

has_torch_2() {
  "${FUSEBENCH_PYTHON:-python3}" -c 'import sys, torch; sys.exit(int(torch.__version__.split(".")[0]) < 2)' 2>/dev/null
}

case "${1:-}" in
  deps)
    install_missing "${build_packages[@]}" "${test_packages[@]}"
    ;;
  run)
    install_missing "${build_packages[@]}"
    build release -DFUSEBENCH_TESTS=OFF -DFUSEBENCH_BENCHMARKS=OFF
    if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
      exec build/release/bin/fusebench
    fi
    say "No display: running the fusion study here"
    mkdir -p results
    study=fusion_study
    has_torch_2 && study=fusion_study_torch # with PyTorch's curves
    build/release/bin/fusebench-cli run "resources/experiments/$study.json" --out results/fusion_study.jsonl
    for form in html pdf; do
      build/release/bin/fusebench --export "results/fusion_study.$form" results/fusion_study.jsonl
    done
    say "The report is results/fusion_study.html (and .pdf), the run results/fusion_study.jsonl"
    ls results
    ;;
  test)
    install_missing "${build_packages[@]}" "${test_packages[@]}"
    say "Style"
    packaging/check_style.sh format
    packaging/check_style.sh python
    packaging/check_style.sh tidy
    build release -DFUSEBENCH_TESTS=ON -DFUSEBENCH_BENCHMARKS=OFF -DFUSEBENCH_TEST_SHARDS=ON
    say "Tests"
    ctest --preset release -j "$jobs"
    build asan
    say "Tests under the address and undefined-behavior sanitizers"
    ctest --preset asan -j "$jobs"
    build tsan
    say "Threaded tests under the thread sanitizer"
    ctest --preset tsan
    logs=()
    for preset in release asan tsan; do logs+=("$PWD/build/$preset/Testing/Temporary/LastTest.log"); done
    skips=$(packaging/count_skips.sh "${logs[@]}") || { echo "bootstrap: tests were skipped that nobody expects to be" >&2; exit 1; }
    say "All tests passed, $skips"
    ;;
  long)
    install_missing "${build_packages[@]}" "${test_packages[@]}"
    say "Building (long)"
    cmake --preset long >/dev/null
    cmake --build --preset long -j "$jobs"
    say "Campaigns and sweeps"
    ctest --preset long -j "$jobs"
    ;;
  window-sanitized)
    install_missing "${build_packages[@]}" "${test_packages[@]}"
    build asan-window
    say "The window's tests under the address and undefined-behavior sanitizers"
    ctest --preset asan-window -j "$jobs"
    ;;
  *)
    sed -n '2,9s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
