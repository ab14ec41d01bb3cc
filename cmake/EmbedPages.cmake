# Script: writes OUT, a header that defines formwork::embedded::SYMBOL as the names
# and texts of all FOLDER/*.md, sorted by name.
file(GLOB files ${FOLDER}/*.md)
list(SORT files)
set(rows "")
foreach(file IN LISTS files)
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} text)
  string(APPEND rows "    {\"${name}\", R\"__fw__(${text})__fw__\"},\n")
endforeach()
file(WRITE ${OUT}
"// Generated from the pages of a folder; do not edit.
#pragma once
#include \"llvm/ADT/StringRef.h\"
namespace formwork::embedded {
struct ${SYMBOL}Page {
  llvm::StringLiteral name, text;
};
inline constexpr ${SYMBOL}Page ${SYMBOL}[] = {
${rows}};
} // namespace formwork::embedded
")
