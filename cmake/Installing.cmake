# The files that `cmake --install` and `cpack` install, in three components: `cli` is the command line with everything
# that it measures and reads, `window` contains the window's additional files, `python` the package `fusebench`.
set(FUSEBENCH_HOMEPAGE "https://fusebench.example" CACHE STRING "Where who publishes packages shows pictures of the window")
set(linux ${CMAKE_SOURCE_DIR}/packaging/linux)
set(made ${CMAKE_BINARY_DIR}/installed)
set(shared ${CMAKE_INSTALL_DATADIR}/fusebench)

# Shipped files are looked for in the prefix that the program was configured for, and nowhere else.
foreach(component cli window)
  install(CODE "
    if(NOT CMAKE_INSTALL_PREFIX STREQUAL [[${CMAKE_INSTALL_PREFIX}]])
      message(FATAL_ERROR \"this build looks for its files in ${CMAKE_INSTALL_PREFIX}; to install it elsewhere, configure it with -DCMAKE_INSTALL_PREFIX=\${CMAKE_INSTALL_PREFIX}\")
    endif()" COMPONENT ${component})
endforeach()

# fusebench_install_texts(COMPONENT PROGRAM): its man page and completion, which it prints itself.
function(fusebench_install_texts component program)
  # Debian has separate folders for zsh completions from packages and from the administrator.
  set(zsh site-functions)
  if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
    set(zsh vendor-completions)
  endif()
  if(program STREQUAL fusebench)
    set(manual --manual)
    set(completion --completion)
  else()
    set(manual manual)
    set(completion completion)
  endif()
  install(CODE "
    set(ENV{FUSEBENCH_RESOURCES} [[${CMAKE_SOURCE_DIR}/resources]])
    file(MAKE_DIRECTORY [[${made}]])
    execute_process(COMMAND [[$<TARGET_FILE:${program}>]] ${manual}
      OUTPUT_FILE [[${made}/${program}.1]] COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND gzip -9nf [[${made}/${program}.1]] COMMAND_ERROR_IS_FATAL ANY)
    foreach(shell bash zsh fish)
      execute_process(COMMAND [[$<TARGET_FILE:${program}>]] ${completion} \${shell}
        OUTPUT_FILE \"${made}/${program}.\${shell}\" COMMAND_ERROR_IS_FATAL ANY)
    endforeach()" COMPONENT ${component})
  install(FILES ${made}/${program}.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT ${component})
  install(FILES ${made}/${program}.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
          RENAME ${program} COMPONENT ${component})
  install(FILES ${made}/${program}.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/${zsh}
          RENAME _${program} COMPONENT ${component})
  install(FILES ${made}/${program}.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
          COMPONENT ${component})
endfunction()

# fusebench_install_documents(COMPONENT PACKAGE)
function(fusebench_install_documents component package)
  install(FILES ${linux}/copyright DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
  install(CODE "
    file(MAKE_DIRECTORY [[${made}]])
    execute_process(COMMAND gzip -9nc [[${linux}/changelog]] OUTPUT_FILE [[${made}/changelog.gz]]
      COMMAND_ERROR_IS_FATAL ANY)" COMPONENT ${component})
  install(FILES ${made}/changelog.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
endfunction()

install(TARGETS fusebench-cli DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT cli)
foreach(folder devices experiments recordings references script torch)
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/resources/${folder} DESTINATION ${shared} COMPONENT cli
          PATTERN __pycache__ EXCLUDE)
endforeach()
fusebench_install_texts(cli fusebench-cli)
fusebench_install_documents(cli fusebench-cli)

if(FUSEBENCH_WINDOW)
  install(TARGETS fusebench DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT window)
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/resources/help ${CMAKE_SOURCE_DIR}/resources/icons DESTINATION ${shared}
          COMPONENT window)
  install(FILES ${CMAKE_SOURCE_DIR}/resources/icons/fusebench.svg
          DESTINATION ${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps COMPONENT window)
  install(FILES ${linux}/fusebench.desktop DESTINATION ${CMAKE_INSTALL_DATADIR}/applications COMPONENT window)
  install(FILES ${linux}/fusebench.mime.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/mime/packages
          RENAME fusebench.xml COMPONENT window)
  configure_file(${linux}/org.fusebench.fusebench.metainfo.xml.in ${made}/org.fusebench.fusebench.metainfo.xml @ONLY)
  install(FILES ${made}/org.fusebench.fusebench.metainfo.xml DESTINATION ${CMAKE_INSTALL_DATADIR}/metainfo
          COMPONENT window)
  fusebench_install_texts(window fusebench)
  fusebench_install_documents(window fusebench)
endif()

install(DIRECTORY ${CMAKE_SOURCE_DIR}/python/fusebench DESTINATION lib/python3/dist-packages COMPONENT python
        FILES_MATCHING PATTERN *.py PATTERN py.typed PATTERN __pycache__ EXCLUDE PATTERN .mypy_cache EXCLUDE)
fusebench_install_documents(python python3-fusebench)

# Packages for Debian 12: cpack in the build folder. CONTRIBUTING.md says how they are made and tried.
set(CPACK_GENERATOR DEB)
set(CPACK_SET_DESTDIR ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has its own
set(CPACK_PACKAGE_CONTACT "Fusebench maintainers <maintainers@fusebench.example>")
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL cli python)
if(FUSEBENCH_WINDOW)
  list(APPEND CPACK_COMPONENTS_ALL window)
endif()
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/cmake/PackageTimes.cmake)
set(CPACK_DEBIAN_CLI_PACKAGE_NAME fusebench-cli)
set(CPACK_DEBIAN_CLI_PACKAGE_RECOMMENDS "libdnnl2")
set(CPACK_DEBIAN_CLI_PACKAGE_SUGGESTS "python3-torch")
set(CPACK_DEBIAN_CLI_DESCRIPTION
"measure kernel fusion and launch costs, on the command line
A program of tensor operations can run as one kernel for each operation, or
fused into one kernel. This package measures both, on the processor or a GPU,
and prints latencies with their 95% intervals, from where on fusing wins, and
after how many calls a compile has paid for itself.
.
It also reads traces of profilers and says where their time went.")
set(CPACK_DEBIAN_WINDOW_PACKAGE_NAME fusebench)
# For the window in Chinese: a font (the first one is a download of 2 MB, if none is installed), and Qt's own buttons.
set(CPACK_DEBIAN_WINDOW_PACKAGE_DEPENDS "fusebench-cli (= ${PROJECT_VERSION}), fonts-inter, fonts-jetbrains-mono, \
fonts-wqy-microhei | fonts-noto-cjk | fonts-wqy-zenhei | fonts-droid-fallback, qt6-translations-l10n")
# 57 MB to fetch, in two weights.
set(CPACK_DEBIAN_WINDOW_PACKAGE_SUGGESTS "fonts-noto-cjk")
set(CPACK_DEBIAN_WINDOW_DESCRIPTION
"workbench for kernel fusion and kernel launches
A window in which a program of tensor operations is built on a canvas or as
PyTorch text, run in several ways and measured: curves with their 95%
intervals, break-evens, every launch on a timeline, and lessons that explain
what is seen.
.
Measuring is done by the package fusebench-cli.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-fusebench)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3:any (>= 3.9), fusebench-cli (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-torch, python3-numpy")
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA "${linux}/python/postinst;${linux}/python/prerm")
set(CPACK_DEBIAN_PYTHON_DESCRIPTION
"measure when compiling a tensor program pays off, from Python
One call measures a function, a PyTorch module or an experiment in several
ways, in processes of their own, and returns latencies and break-evens with
their 95% intervals: as dictionaries, as a chart in a notebook, or as a check
against a baseline in continuous integration.")
include(CPack)
