# A room is a folder of sources and a target of its own. It uses the rooms that it names and what these use;
# building it fails with a line that says so where one of its files includes any other.

# fusebench_room(TARGET FOLDER [ROOMS target...] [LIBRARIES library...] [GENERATED file...])
# LIBRARIES: what only this room's own files see.
function(fusebench_room target folder)
  cmake_parse_arguments(arg "" "" "ROOMS;LIBRARIES;GENERATED" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.cpp ${CMAKE_SOURCE_DIR}/${folder}/*.h)
  add_library(${target} STATIC ${sources} ${arg_GENERATED})
  target_link_libraries(${target} PUBLIC fusebench_habits ${arg_ROOMS} PRIVATE ${arg_LIBRARIES})

  set(visible ${folder})
  foreach(room IN LISTS arg_ROOMS)
    get_target_property(theirs ${room} FUSEBENCH_VISIBLE)
    list(APPEND visible ${theirs})
  endforeach()
  list(REMOVE_DUPLICATES visible)
  set_target_properties(${target} PROPERTIES FUSEBENCH_VISIBLE "${visible}")

  set(stamp ${CMAKE_CURRENT_BINARY_DIR}/${target}.includes)
  list(JOIN visible "," allowed)
  add_custom_command(OUTPUT ${stamp}
    COMMAND ${CMAKE_COMMAND} -DROOT=${CMAKE_SOURCE_DIR} -DROOM=${folder} -DALLOWED=${allowed} -DSTAMP=${stamp}
            -P ${CMAKE_SOURCE_DIR}/cmake/CheckIncludes.cmake
    DEPENDS ${sources} ${CMAKE_SOURCE_DIR}/cmake/CheckIncludes.cmake
    COMMENT "" VERBATIM)
  add_custom_target(${target}_includes DEPENDS ${stamp})
  add_dependencies(${target} ${target}_includes)
endfunction()

# fusebench_rooms(TARGET room...): a name for several rooms.
function(fusebench_rooms target)
  add_library(${target} INTERFACE)
  target_link_libraries(${target} INTERFACE ${ARGN})
  set(visible "")
  foreach(room IN LISTS ARGN)
    get_target_property(theirs ${room} FUSEBENCH_VISIBLE)
    list(APPEND visible ${theirs})
  endforeach()
  list(REMOVE_DUPLICATES visible)
  set_target_properties(${target} PROPERTIES FUSEBENCH_VISIBLE "${visible}")
endfunction()
