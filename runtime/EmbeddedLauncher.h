/*===- EmbeddedLauncher.h - The launcher's archive in the tool ----*- C -*-===*\
|*                                                                            *|
|* Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.      *|
|* See LICENSE for license information.                                       *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* The bytes of the static library that executables are linked with, so that  *|
|* the compiler needs no files beside itself to emit one.                     *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef FORMWORK_RUNTIME_EMBEDDEDLAUNCHER_H
#define FORMWORK_RUNTIME_EMBEDDEDLAUNCHER_H

#ifdef __cplusplus
extern "C" {
#endif

extern const char fwLauncherArchiveBegin[], fwLauncherArchiveEnd[];

#ifdef __cplusplus
}
#endif

#endif /* FORMWORK_RUNTIME_EMBEDDEDLAUNCHER_H */
