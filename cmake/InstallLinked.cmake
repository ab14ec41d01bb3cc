# Script of `cmake --install`: the pages below FOLDER, which are those of SOURCE,
# link to files and folders of the source tree, such as headers and tests. Those
# that are not installed with the pages are copied to where the links lead.
include(${CMAKE_CURRENT_LIST_DIR}/PageLinks.cmake)
foreach(folder . docs examples)
  if(folder STREQUAL ".")
    file(GLOB pages RELATIVE ${SOURCE} ${SOURCE}/*.md)
  else()
    file(GLOB_RECURSE pages RELATIVE ${SOURCE} ${SOURCE}/${folder}/*.md)
  endif()
  foreach(page IN LISTS pages)
    cmake_path(GET page PARENT_PATH from)
    formwork_read_links(${SOURCE}/${page} links)
    foreach(link IN LISTS links)
      cmake_path(APPEND from "${link}" OUTPUT_VARIABLE path)
      cmake_path(NORMAL_PATH path)
      if(EXISTS ${SOURCE}/${path} AND NOT EXISTS ${FOLDER}/${path})
        cmake_path(GET path PARENT_PATH to)
        file(INSTALL ${SOURCE}/${path} DESTINATION ${FOLDER}/${to}
          PATTERN "*.egg-info" EXCLUDE PATTERN "__pycache__" EXCLUDE
          PATTERN ".pytest_cache" EXCLUDE)
      endif()
    endforeach()
  endforeach()
endforeach()
