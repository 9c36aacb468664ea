# fusebench_embed_library(VARIABLE): the library's generated source, appended to VARIABLE. The order counts: a class
# stands behind the one that it is derived from.
set(fusebench_library_folder ${CMAKE_CURRENT_LIST_DIR})
macro(fusebench_embed_library variable)
  set(fusebench_library functions moves orders losses modules layers recurrent optimizers scaling)
  list(TRANSFORM fusebench_library REPLACE "(.+)" "${fusebench_library_folder}/\\1.py")
  fusebench_embed(${variable} language_library HEADER engine/language/library.h NAMESPACE fusebench FUNCTION libraryFiles
                  BASE ${fusebench_library_folder} FILES ${fusebench_library})
endmacro()
