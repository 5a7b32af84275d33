import { fileURLToPath } from 'node:url'

/** How the API's process is started. With V8's own limits, which follow the machine's memory, it would keep twice as much garbage. */
export const API_FLAGS = ['--max-semi-space-size=4', '--max-old-space-size=512']

/** The sandbox has nothing to hurry for: 10 MiB less. */
export const SANDBOX_FLAGS = ['--max-semi-space-size=1']

/** Compiled code is kept between starts: they are quicker, and take less memory. As in the units, the C library has two heaps. */
export const PROGRAM_ENV = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../node_modules/.cache/hedgerow-node', import.meta.url)),
  MALLOC_ARENA_MAX: '2',
}
