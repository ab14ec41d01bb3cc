# What `cmake --install` puts where: the tools, the plugin, the libraries with
# their headers and a CMake package, the documents, examples, manual pages and
# completions of shells.

include(CMakePackageConfigHelpers)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/Formwork)
get_property(libraries GLOBAL PROPERTY FORMWORK_LIBRARIES)
get_property(targets GLOBAL PROPERTY FORMWORK_TARGETS)
foreach(target IN LISTS targets)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL EXECUTABLE)
    list(APPEND tools ${target})
  elseif(type STREQUAL MODULE_LIBRARY)
    list(APPEND plugins ${target})
  endif()
endforeach()
# They find MLIR's library where the build found it.
set_target_properties(${tools} ${plugins} PROPERTIES
  INSTALL_RPATH_USE_LINK_PATH ON)

install(TARGETS ${tools} DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS ${plugins} DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS FormworkBase FormworkHalfConversions FormworkEmbeddedLauncher
    ${libraries}
  EXPORT Formwork DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT Formwork NAMESPACE Formwork:: DESTINATION ${package}
  FILE FormworkTargets.cmake)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/FormworkConfig.cmake.in
  ${PROJECT_BINARY_DIR}/FormworkConfig.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/FormworkConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/FormworkConfig.cmake
    ${PROJECT_BINARY_DIR}/FormworkConfigVersion.cmake
  DESTINATION ${package})

# Under the folder from which they are included, as in the source tree.
foreach(layer engine normalforms verifier transforms)
  foreach(root ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
    install(DIRECTORY ${root}/${layer}
      DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/formwork
      FILES_MATCHING PATTERN "*.h" PATTERN "*.h.inc" PATTERN "*.td"
        PATTERN "*.def" PATTERN CMakeFiles EXCLUDE PATTERN library EXCLUDE)
  endforeach()
endforeach()

install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/LICENSE
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs ${PROJECT_SOURCE_DIR}/examples
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
# The project to copy, where extending.md looks for it.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/test/install/project
  DESTINATION ${CMAKE_INSTALL_DOCDIR}/test/install)

# And whatever else the pages link to.
install(CODE "
  set(SOURCE \"${PROJECT_SOURCE_DIR}\")
  set(FOLDER \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}\")
  include(\"${PROJECT_SOURCE_DIR}/cmake/InstallLinked.cmake\")")

install(DIRECTORY ${PROJECT_SOURCE_DIR}/editors
  DESTINATION ${CMAKE_INSTALL_DATADIR}/formwork)

# For `pip install`; the licence is a link to that of the source tree.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/python
  DESTINATION ${CMAKE_INSTALL_DATADIR}/formwork
  PATTERN "*.egg-info" EXCLUDE PATTERN ".*" EXCLUDE PATTERN "__pycache__" EXCLUDE
  PATTERN LICENSE EXCLUDE PATTERN tests EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE
  DESTINATION ${CMAKE_INSTALL_DATADIR}/formwork/python)

# Made from --help when the tool is built.
set(share ${PROJECT_BINARY_DIR}/share)
install(DIRECTORY ${share}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
install(FILES ${share}/completions/formwork
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${share}/completions/_formwork
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${share}/completions/formwork.fish
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# A Debian package, `cpack` in the build folder: for the release whose LLVM 22
# this was built with.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME formwork)
set(CPACK_PACKAGE_CONTACT "The authors of Formwork")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
  "checks, normalizes, compiles and runs schedules of MLIR's Transform dialect")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# A C compiler links the programs that `compile` writes.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "gcc | clang-22, mlir-22-tools")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libmlir-22-dev, llvm-22-dev, graphviz")
include(CPack)
