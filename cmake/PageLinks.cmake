# Function: sets `result` to the files that the links of a page in Markdown lead
# to, as the page `file` writes them.
function(formwork_read_links file result)
  file(READ ${file} text)
  # Brackets and semicolons would break the list of links.
  string(REPLACE "](" "<link>" text "${text}")
  string(REGEX REPLACE "[][;]" " " text "${text}")
  string(REGEX MATCHALL "<link>[^)#: ]+[)#]" links "${text}")
  list(TRANSFORM links REPLACE "^<link>|.$" "")
  set(${result} "${links}" PARENT_SCOPE)
endfunction()
