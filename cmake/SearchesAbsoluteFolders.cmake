# cmake -DFILE="A;B" -P SearchesAbsoluteFolders.cmake: fails where an executable looks for its libraries in a folder that
# depends on where it is started. $ORIGIN is the executable's own. An empty element of the RUNPATH means the current folder.
foreach(file IN LISTS FILE)
  execute_process(COMMAND readelf -dW ${file} OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)
  if(NOT dynamic MATCHES "NEEDED")
    message(FATAL_ERROR "${file}: readelf shows no library that it needs")
  endif()
  string(REGEX MATCHALL "\\((RUNPATH|RPATH)\\)[^\n]*" lines "${dynamic}")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE ".*\\[(.*)\\].*" "\\1" folders "${line}")
    # In front, so that an element at the end that is empty is seen, too.
    if(NOT ":${folders}" MATCHES "^(:(/|[$]ORIGIN/)[^:]*)+$")
      message(FATAL_ERROR "${file}: its RUNPATH \"${folders}\" has an element that is neither an absolute folder nor below $ORIGIN")
    endif()
  endforeach()
endforeach()
