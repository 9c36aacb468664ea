# cmake -DFILE=... [-DALSO=NAME|NAME] -P NeedsOnlyLibc.cmake: fails where the executable needs a library that not every Linux has,
# apart from those that ALSO names.
execute_process(COMMAND readelf -d ${FILE} OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "NEEDED[^\n]*" needed "${dynamic}")
list(FILTER needed EXCLUDE REGEX "\\[(libc|libm|ld-linux-x86-64)\\.so")
if(ALSO)
  list(FILTER needed EXCLUDE REGEX "\\[(${ALSO})\\.so")
endif()
if(needed)
  message(FATAL_ERROR "${FILE} is to be copied to other machines, but needs more than the C library: ${needed}")
endif()
include(${CMAKE_CURRENT_LIST_DIR}/SearchesAbsoluteFolders.cmake)
