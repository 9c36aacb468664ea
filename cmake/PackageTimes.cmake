# Run by cpack before it packs: every file is as old as SOURCE_DATE_EPOCH says, else as the last commit, so that two
# packages of one build are the same bytes.
if(DEFINED ENV{SOURCE_DATE_EPOCH})
  file(GLOB_RECURSE staged LIST_DIRECTORIES true ${CPACK_TEMPORARY_DIRECTORY}/*)
  foreach(path IN LISTS staged)
    execute_process(COMMAND touch -h -d @$ENV{SOURCE_DATE_EPOCH} ${path} COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
endif()
