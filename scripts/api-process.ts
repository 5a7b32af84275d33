import { fileURLToPath } from 'node:url'

/** How the API's process is started: the short-lived memory of a request is small, so that little of it need be kept. */
export const API_FLAGS = ['--max-semi-space-size=2']

/** Compiled code is kept between starts: they are quicker, and take less memory. */
export const COMPILE_CACHE = fileURLToPath(new URL('../node_modules/.cache/hedgerow-node', import.meta.url))
