export const MOST_TRIES = 120

const LONGEST_PAUSE_S = 4 * 3_600

/** Seconds between the given try and the next, by the gateway's published schedule: six quick tries, then patience. */
export const pauseAfterTry = (tries: number): number =>
  tries < 6 ? 10 : Math.min(70 + 10 * 1.12 ** (tries - 4), LONGEST_PAUSE_S)
