/*===- EmbeddedLauncher.c - The launcher's archive in the tool ----*- C -*-===*\
|*                                                                            *|
|* Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.      *|
|* See LICENSE for license information.                                       *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* See EmbeddedLauncher.h. The build defines FORMWORK_LAUNCHER_ARCHIVE as the *|
|* path of the archive.                                                       *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "EmbeddedLauncher.h"

__asm__(".section .rodata\n"
        ".balign 16\n"
        ".globl fwLauncherArchiveBegin\n"
        "fwLauncherArchiveBegin:\n"
        ".incbin \"" FORMWORK_LAUNCHER_ARCHIVE "\"\n"
        ".globl fwLauncherArchiveEnd\n"
        "fwLauncherArchiveEnd:\n"
        ".byte 0\n"
        ".text\n");
