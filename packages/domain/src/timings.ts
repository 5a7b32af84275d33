/** Timings that the specification gives (spec §9), in milliseconds. */
export const POLL_EVERY_MS = 500
export const ORDERS_CACHE_MS = 600_000
/** Between the last change of the profile and its save. */
export const AUTOSAVE_AFTER_MS = 2000
