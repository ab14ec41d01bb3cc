# Script: writes OUT, a header that defines formwork::embedded::SYMBOL as the
# text of FILE.
file(READ ${FILE} text)
get_filename_component(name ${FILE} NAME)
file(WRITE ${OUT}
"// Generated from ${name}; do not edit.
#pragma once
#include \"llvm/ADT/StringRef.h\"
namespace formwork::embedded {
inline constexpr llvm::StringLiteral ${SYMBOL} = R\"__fw__(${text})__fw__\";
} // namespace formwork::embedded
")
