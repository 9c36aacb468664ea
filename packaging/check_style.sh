#!/usr/bin/env bash
# Checks the style of the sources; changes nothing.
#   packaging/check_style.sh format         clang-format on every source file
#   packaging/check_style.sh python         pyflakes on every Python file
#   packaging/check_style.sh tidy [BASE]    clang-tidy on the sources that changed since BASE (a commit; default: where
#                                           this branch left origin/main, or else the commit before the last)
set -euo pipefail
cd "$(dirname "$0")/.."

check_format() {
  git ls-files '*.cpp' '*.h' | xargs -P "$(nproc)" -n 40 clang-format --dry-run -Werror
  # Debian 12's clang-tidy cannot parse what builds on std::ranges::view_interface, and it checks only changed sources:
  # a use would pass here and stop a later change of the same file.
  if git grep -nE 'std::(ranges::(unique|subrange|search|find_end|partition|remove|remove_if|rotate|equal_range|stable_partition)\(|views::|ranges::views::)' \
    -- 'app/*' 'engine/*' 'profiler/*' 'ui/*' 'tests/*'; then
    echo "clang-tidy 14 cannot parse these: use the algorithm of <algorithm> with iterators" >&2
    return 1
  fi
}

check_python() {
  # The library's files share one namespace: they are checked as one text, in the order they are read in. The builtins
  # are what a program knows without importing it.
  local folder=engine/language/library library
  mapfile -t library < <(sed -n 's/^  set(fusebench_library \(.*\))$/\1/p' $folder/library.cmake | tr ' ' '\n' | sed "s#.*#$folder/&.py#")
  cat "${library[@]}" | PYFLAKES_BUILTINS=torch,F,nn,math,_deepcopy,_has_part,_holds_here,_without_gradient,_carrier_of,_keep_entries,_prepares,_replace_entry /usr/bin/python3 -m pyflakes
  # The skeleton of an exported script: the exporter writes these definitions in front of it.
  local defined=AXES,BASELINE,BUDGETS,FLOATS,GRADIENTS,LEAST_SAMPLES,LEAST_SAMPLE_NS,MOST_SAMPLES,PLACES,PRECISION,RESET,SECONDS,SEED
  cat resources/script/study.py resources/script/inputs.py |
    PYFLAKES_BUILTINS=$defined,TITLE,UNIT,VALUES,VARIANTS,WEIGHTS,make_inputs,program_of /usr/bin/python3 -m pyflakes
  # The corpus is checked by running it.
  git ls-files '*.py' ":!$folder" ':!tests/corpus' ':!resources/script' | xargs /usr/bin/python3 -m pyflakes
}

check_tidy() {
  local base=${1:-}
  if [ -z "$base" ]; then
    base=$(git merge-base HEAD origin/main 2>/dev/null || true)
    [ -n "$base" ] && [ "$base" != "$(git rev-parse HEAD)" ] || base=$(git rev-parse --verify --quiet HEAD~1 || git rev-parse HEAD)
  fi
  local changed
  mapfile -t changed < <(git diff --name-only --diff-filter=d "$base" -- 'engine/*.cpp' 'profiler/*.cpp' 'ui/*.cpp' 'app/*.cpp')
  if [ ${#changed[@]} -eq 0 ]; then
    echo "No source changed since ${base:0:12}: nothing for clang-tidy"
    return
  fi
  local most=${FUSEBENCH_TIDY_FILES:-12}  # clang-tidy takes 10 to 20 s per file
  if [ ${#changed[@]} -gt "$most" ]; then
    echo "${#changed[@]} sources changed since ${base:0:12}; clang-tidy checks the first $most (FUSEBENCH_TIDY_FILES sets how many)"
    changed=("${changed[@]:0:$most}")
  fi
  # One command per file, which unity builds do not have, and no precompiled headers, which are another compiler's.
  local folder=build/style
  cmake -S . -B $folder -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=OFF -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON \
    -DFUSEBENCH_TESTS=OFF -DFUSEBENCH_BENCHMARKS=OFF -DFUSEBENCH_SHIP_KERNELS=OFF -DFUSEBENCH_COMPILER_CACHE=OFF >/dev/null
  if printf '%s\n' "${changed[@]}" | grep -q '^ui/'; then
    # Qt's generated sources alone: their build targets would first compile all that the window links.
    local list
    for list in "$folder"/ui/CMakeFiles/*_autogen.dir/AutogenInfo.json; do cmake -E cmake_autogen "$list" Release; done
  fi
  # The compiler's own options that clang does not know.
  sed -i -E 's/ --param=[^ ]+//g; s/ -fno-(align-[a-z]+|tree-pre)//g; s/ -Wno-(restrict|stringop-overflow)//g' $folder/compile_commands.json
  printf '%s\n' "${changed[@]}" | xargs -P "$(nproc)" -n 1 clang-tidy -p $folder --quiet
}

case "${1:-}" in
  format) check_format ;;
  python) check_python ;;
  tidy) check_tidy "${2:-}" ;;
  *)
    sed -n '2,6s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
