# Script: fails when one of FILES (of LAYER) includes a header of a layer that
# stands above it in LAYERS (lowest first), or one of a folder of LAYER that
# stands above its own folder in ROOMS; "." is the folder of LAYER itself. The
# room PLAIN may include no header of a dialect of payload. All lists are
# separated by "|".
string(REPLACE "|" ";" files "${FILES}")
string(REPLACE "|" ";" layers "${LAYERS}")
string(REPLACE "|" ";" rooms "${ROOMS}")
list(FIND layers ${LAYER} rank)

# The rank of the room of `path`, which begins behind the folder of the layer.
function(get_room_rank path result)
  string(REGEX REPLACE "/.*" "" room "${path}")
  if(room STREQUAL path)
    set(room ".")
  endif()
  list(FIND rooms "${room}" found)
  set(${result} ${found} PARENT_SCOPE)
endfunction()

set(errors "")
foreach(file IN LISTS files)
  file(STRINGS ${file} includes REGEX "^[ \t]*#[ \t]*include[ \t]*\"|^include[ \t]*\"")
  foreach(line IN LISTS includes)
    string(REGEX REPLACE "^[^\"]*\"([^/\"]*)/.*$" "\\1" folder "${line}")
    list(FIND layers "${folder}" other)
    if(other GREATER rank)
      string(APPEND errors "\n  ${file}: ${line}")
    endif()
    string(REGEX REPLACE "^.*/${LAYER}/" "" here "${file}")
    if(PLAIN AND here MATCHES "^${PLAIN}/" AND line MATCHES "\"mlir/Dialect/"
        AND NOT line MATCHES "\"mlir/Dialect/Transform/")
      string(APPEND errors "\n  ${file}: ${line}")
    endif()
    if(rooms AND folder STREQUAL LAYER)
      string(REGEX REPLACE "^[^\"]*\"${LAYER}/([^\"]*)\".*" "\\1" there "${line}")
      get_room_rank("${here}" hereRank)
      get_room_rank("${there}" thereRank)
      if(thereRank GREATER hereRank)
        string(APPEND errors "\n  ${file}: ${line}")
      endif()
    endif()
  endforeach()
endforeach()
if(errors)
  message(FATAL_ERROR "layering: ${LAYER} must not include this:${errors}")
endif()
file(TOUCH ${STAMP})
