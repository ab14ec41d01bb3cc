/*===- Launcher.c - Runs, checks and times a program --------------*- C -*-===*\
|*                                                                            *|
|* Part of Formwork, under the Apache License v2.0 with LLVM Exceptions.      *|
|* See LICENSE for license information.                                       *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* The main function of emitted executables: fills the inputs from the seed,  *|
|* runs the program on the device, holds the results against the reference in *|
|* the program, and times it with CUDA events. It knows the program by its    *|
|* table alone. Exit codes: 0, 1 when a result differs, 3 when it cannot run, *|
|* with one line on standard error that says why.                             *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "CudaDriver.h"
#include "FormworkComparison.h"
#include "FormworkProgram.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Options {
  uint64_t seed;
  int warmup, iterations, device;
  bool check, json;
} Options;

/* Options ------------------------------------------------------------------ */

static void printHelp(const char *self, const FwProgram *program) {
  printf("usage: %s [options]\n\n"
         "Runs '%s', compiled for %s, on a CUDA device, compares the results "
         "with\n"
         "a reference computed on the host, and times it.\n\n"
         "  --seed=N        seed of the generated inputs (default %" PRIu64
         ")\n"
         "  --warmup=N      runs before those that are timed (default 10)\n"
         "  --iterations=N  timed runs; 0 for none (default 100)\n"
         "  --device=N      number of the device (default 0)\n"
         "  --no-check      do not compare with the reference\n"
         "  --json          print one JSON object\n"
         "  --help          print this\n\n"
         "exit codes: 0 results agree, 1 a result differs, 3 cannot run\n",
         self, program->name, program->target, program->seed);
}

/* Whether `argument` is `--name=N`; fails if N is no number up to `limit`. */
static bool takeNumber(const char *argument, const char *name, uint64_t limit,
                       uint64_t *value) {
  size_t length = strlen(name);
  if (strncmp(argument, name, length) != 0 || argument[length] != '=')
    return false;
  const char *digits = argument + length + 1;
  uint64_t number = 0;
  for (const char *at = digits; *at || at == digits; ++at) {
    unsigned digit = (unsigned)(*at - '0');
    if (digit > 9 || number > (limit - digit) / 10)
      fwFail("requires a number from 0 to %" PRIu64 " but has '%s'", limit,
             argument);
    number = number * 10 + digit;
  }
  *value = number;
  return true;
}

static Options parseOptions(int argc, char **argv, const FwProgram *program) {
  Options options = {program->seed, 10, 100, 0, true, false};
  for (int i = 1; i < argc; ++i) {
    const char *argument = argv[i];
    uint64_t number;
    if (strcmp(argument, "--help") == 0) {
      printHelp(argv[0], program);
      exit(FwExitPassed);
    } else if (strcmp(argument, "--no-check") == 0) {
      options.check = false;
    } else if (strcmp(argument, "--json") == 0) {
      options.json = true;
    } else if (takeNumber(argument, "--seed", UINT64_MAX, &number)) {
      options.seed = number;
    } else if (takeNumber(argument, "--warmup", 1000000, &number)) {
      options.warmup = (int)number;
    } else if (takeNumber(argument, "--iterations", 1000000, &number)) {
      options.iterations = (int)number;
    } else if (takeNumber(argument, "--device", 1000000, &number)) {
      options.device = (int)number;
    } else {
      fwFail("unknown option '%s', see --help", argument);
    }
  }
  return options;
}

/* Buffers ------------------------------------------------------------------ */

static void *allocate(size_t bytes) {
  /* Rounded up as aligned_alloc wants it, and never empty. */
  void *memory = aligned_alloc(64, (bytes + 64) & ~(size_t)63);
  if (!memory)
    fwFail("out of memory");
  return memory;
}

static size_t byteSize(const FwBuffer *buffer) {
  return fwElementCount(buffer) * fwElementSize(buffer->type);
}

/* What a function is passed for a buffer at `address`: a memref descriptor. */
static void *makeDescriptor(const FwBuffer *buffer, uint64_t address) {
  uint64_t *fields = allocate((3 + 2 * buffer->rank) * sizeof *fields);
  fields[0] = fields[1] = address;
  fields[2] = 0;
  int64_t stride = 1;
  for (uint32_t i = buffer->rank; i-- > 0;) {
    fields[3 + i] = (uint64_t)buffer->shape[i];
    fields[3 + buffer->rank + i] = (uint64_t)stride;
    stride *= buffer->shape[i];
  }
  return fields;
}

/* The program's buffers on host and device. */
typedef struct Run {
  const FwProgram *program;
  void **host;             /* contents before the run */
  FwDevicePointer *device; /* zero for what is passed by value */
  void **arguments;
} Run;

static Run prepareRun(const FwProgram *program, uint64_t seed) {
  uint32_t count = program->bufferCount;
  Run run = {program, allocate(count * sizeof(void *)),
             allocate(count * sizeof(FwDevicePointer)),
             allocate(count * sizeof(void *))};
  for (uint32_t i = 0; i < count; ++i) {
    const FwBuffer *buffer = &program->buffers[i];
    size_t bytes = byteSize(buffer);
    run.host[i] = allocate(bytes);
    run.device[i] = 0;
    if (buffer->role == FwRoleOutput)
      fwPoison(buffer->type, fwElementCount(buffer), run.host[i]);
    else
      fwFill(buffer, seed, i, run.host[i]);
    if (buffer->byValue) {
      run.arguments[i] = run.host[i];
      continue;
    }
    /* The driver has no empty allocations. */
    FW_CUDA(MemAlloc(&run.device[i], bytes ? bytes : 1));
    FW_CUDA(MemcpyHtoD(run.device[i], run.host[i], bytes));
    run.arguments[i] = makeDescriptor(buffer, run.device[i]);
  }
  return run;
}

/* Comparison --------------------------------------------------------------- */

/* One buffer to compare: what the program left in `buffer` with what the
 * reference left in `expected`. */
typedef struct Result {
  const FwBuffer *buffer;
  FwComparison errors;
} Result;

/* Calls the reference on copies of the inputs. Returns its buffers: the
 * arguments, then one for each result. */
static void **runReference(const Run *run) {
  const FwProgram *program = run->program;
  uint32_t count = program->argumentCount + program->resultCount;
  void **memory = allocate(count * sizeof(void *));
  void **arguments = allocate(count * sizeof(void *));
  for (uint32_t i = 0; i < count; ++i) {
    bool isResult = i >= program->argumentCount;
    uint32_t number =
        isResult ? program->resultBuffers[i - program->argumentCount] : i;
    const FwBuffer *buffer = &program->buffers[number];
    memory[i] = allocate(byteSize(buffer));
    if (isResult)
      fwPoison(buffer->type, fwElementCount(buffer), memory[i]);
    else
      memcpy(memory[i], run->host[i], byteSize(buffer));
    arguments[i] = buffer->byValue
                       ? memory[i]
                       : makeDescriptor(buffer, (uint64_t)(uintptr_t)memory[i]);
  }
  program->reference(arguments);
  return memory;
}

static Result compare(const Run *run, uint32_t number, const void *expected) {
  const FwBuffer *buffer = &run->program->buffers[number];
  void *actual = allocate(byteSize(buffer));
  FW_CUDA(MemcpyDtoH(actual, run->device[number], byteSize(buffer)));
  Result result = {
      buffer, fwCompare(buffer->type, fwElementCount(buffer), expected, actual,
                        fwTolerance(buffer->type, run->program->tolerance,
                                    buffer->leastTolerance))};
  free(actual);
  return result;
}

/* Compares all that the program may have written. Returns the number of
 * results. */
static uint32_t compareAll(const Run *run, Result *results) {
  const FwProgram *program = run->program;
  void **expected = runReference(run);
  uint32_t count = 0;
  for (uint32_t i = 0; i < program->argumentCount; ++i) {
    bool holdsResult = false;
    for (uint32_t j = 0; j < program->resultCount; ++j)
      holdsResult |= program->resultBuffers[j] == i;
    if (program->buffers[i].role == FwRoleInOut && !holdsResult)
      results[count++] = compare(run, i, expected[i]);
  }
  for (uint32_t j = 0; j < program->resultCount; ++j)
    results[count++] = compare(run, program->resultBuffers[j],
                               expected[program->argumentCount + j]);
  return count;
}

/* Timing ------------------------------------------------------------------- */

typedef struct Timing {
  double median, minimum; /* seconds */
} Timing;

static int compareFloats(const void *a, const void *b) {
  float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

/* Runs without waiting in between, an event behind each run: while the device
 * is behind the host, the host's own time does not count. */
static Timing timeRuns(const Run *run, int warmup, int iterations) {
  void **events = allocate(((size_t)iterations + 1) * sizeof *events);
  float *milliseconds = allocate((size_t)iterations * sizeof *milliseconds);
  for (int i = 0; i <= iterations; ++i)
    FW_CUDA(EventCreate(&events[i], 0));
  for (int i = 0; i < warmup; ++i)
    run->program->run(run->arguments);
  FW_CUDA(EventRecord(events[0], fwDriver.stream));
  for (int i = 0; i < iterations; ++i) {
    run->program->run(run->arguments);
    FW_CUDA(EventRecord(events[i + 1], fwDriver.stream));
  }
  FW_CUDA(EventSynchronize(events[iterations]));
  for (int i = 0; i < iterations; ++i)
    FW_CUDA(EventElapsedTime(&milliseconds[i], events[i], events[i + 1]));
  qsort(milliseconds, (size_t)iterations, sizeof *milliseconds, compareFloats);
  double upper = milliseconds[iterations / 2];
  double lower = milliseconds[(iterations - 1) / 2];
  Timing timing = {(lower + upper) / 2 / 1e3, milliseconds[0] / 1e3};
  return timing;
}

/* Report ------------------------------------------------------------------- */

static void printType(const FwBuffer *buffer) {
  for (uint32_t i = 0; i < buffer->rank; ++i)
    printf("%" PRId64 "x", buffer->shape[i]);
  printf("%s", fwElementName(buffer->type));
}

static void printResult(const Result *result) {
  const FwComparison *errors = &result->errors;
  printf("%s ", result->buffer->name);
  printType(result->buffer);
  const char *why = result->buffer->toleranceReason;
  int isLeast = why && errors->tolerance == result->buffer->leastTolerance;
  printf(": largest error %.3g absolute, %.3g relative (allowed: %.3g%s%s): "
         "%s\n",
         errors->maxAbsolute, errors->maxRelative, errors->tolerance,
         isLeast ? " for " : "", isLeast ? why : "",
         errors->mismatches ? "mismatch" : "ok");
  if (errors->mismatches == 0)
    return;
  printf("  %" PRIu64 " of %" PRIu64 " elements differ, most number %" PRIu64
         ": %.9g instead of %.9g\n",
         errors->mismatches, fwElementCount(result->buffer), errors->worst,
         errors->actual, errors->expected);
}

static void printText(const FwProgram *program, const Options *options,
                      const Result *results, uint32_t count,
                      const Timing *timing) {
  printf("%s for %s on %s (compute capability %d.%d), seed %" PRIu64 "\n",
         program->name, program->target, fwDriver.deviceName,
         fwDriver.computeMajor, fwDriver.computeMinor, options->seed);
  for (uint32_t i = 0; i < count; ++i)
    printResult(&results[i]);
  if (!timing)
    return;
  printf("time: median %.3f us, minimum %.3f us, of %d runs after %d\n",
         timing->median * 1e6, timing->minimum * 1e6, options->iterations,
         options->warmup);
  if (program->flops > 0 && timing->median > 0)
    printf("rate: %.1f GFLOP/s\n", program->flops / timing->median / 1e9);
}

static void printJsonString(const char *text) {
  putchar('"');
  for (; *text; ++text) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\')
      printf("\\%c", c);
    else if (c < 0x20)
      printf("\\u%04x", c);
    else
      putchar(c);
  }
  putchar('"');
}

/* JSON has no infinities. */
static void printJsonNumber(double value) {
  if (isfinite(value))
    printf("%.9g", value);
  else
    printf("null");
}

static void printJson(const FwProgram *program, const Options *options,
                      const Result *results, uint32_t count,
                      const Timing *timing) {
  printf("{\"program\": ");
  printJsonString(program->name);
  printf(", \"target\": ");
  printJsonString(program->target);
  printf(", \"device\": ");
  printJsonString(fwDriver.deviceName);
  printf(", \"seed\": %" PRIu64 ", \"results\": [", options->seed);
  for (uint32_t i = 0; i < count; ++i) {
    const FwComparison *errors = &results[i].errors;
    printf("%s{\"name\": ", i ? ", " : "");
    printJsonString(results[i].buffer->name);
    printf(", \"type\": \"");
    printType(results[i].buffer);
    printf("\", \"maxAbsoluteError\": ");
    printJsonNumber(errors->maxAbsolute);
    printf(", \"maxRelativeError\": ");
    printJsonNumber(errors->maxRelative);
    printf(", \"tolerance\": ");
    printJsonNumber(errors->tolerance);
    printf(", \"mismatches\": %" PRIu64 "}", errors->mismatches);
  }
  printf("]");
  if (timing) {
    printf(", \"medianSeconds\": ");
    printJsonNumber(timing->median);
    printf(", \"minimumSeconds\": ");
    printJsonNumber(timing->minimum);
    printf(", \"iterations\": %d, \"warmup\": %d", options->iterations,
           options->warmup);
    if (program->flops > 0) {
      printf(", \"gflops\": ");
      printJsonNumber(program->flops / timing->median / 1e9);
    }
  }
  printf("}\n");
}

int main(int argc, char **argv) {
  const FwProgram *program = &formwork_program;
  if (program->abi != FW_PROGRAM_ABI)
    fwFail("requires a program of version %u but has %u", FW_PROGRAM_ABI,
           program->abi);
  Options options = parseOptions(argc, argv, program);
  fwOpenDriver(options.device);

  Run run = prepareRun(program, options.seed);
  program->run(run.arguments);
  FW_CUDA(StreamSynchronize(fwDriver.stream));

  Result *results = NULL;
  uint32_t count = 0, failures = 0;
  if (options.check) {
    results = allocate((program->argumentCount + program->resultCount) *
                       sizeof *results);
    count = compareAll(&run, results);
    for (uint32_t i = 0; i < count; ++i)
      failures += results[i].errors.mismatches != 0;
  }

  Timing timing;
  bool timed = options.iterations > 0;
  if (timed)
    timing = timeRuns(&run, options.warmup, options.iterations);

  (options.json ? printJson : printText)(program, &options, results, count,
                                         timed ? &timing : NULL);
  return failures ? FwExitMismatch : FwExitPassed;
}
