# Script of `cmake --install`: the pages below FOLDER, which are those of SOURCE,
# link to files and folders of the source tree, such as headers and tests. Those
# that are not installed with the pages are copied to where the links lead.
foreach(folder . docs examples)
  if(folder STREQUAL ".")
    file(GLOB pages RELATIVE ${SOURCE} ${SOURCE}/*.md)
  else()
    file(GLOB_RECURSE pages RELATIVE ${SOURCE} ${SOURCE}/${folder}/*.md)
  endif()
  foreach(page IN LISTS pages)
    cmake_path(GET page PARENT_PATH from)
    file(READ ${SOURCE}/${page} text)
    # Brackets and semicolons would break the list of links.
    string(REPLACE "](" "<link>" text "${text}")
    string(REGEX REPLACE "[][;]" " " text "${text}")
    string(REGEX MATCHALL "<link>[^)#: ]+[)#]" links "${text}")
    foreach(link IN LISTS links)
      string(REGEX REPLACE "^<link>|.$" "" link "${link}")
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
