/** A number from 0 up to 1. */
export type Random = () => number

/** The same numbers for the same seed, on every machine (sfc32 by Chris Doty-Humphrey, public domain). */
export const createRandom = (seed: number): Random => {
  let a = 0x9e3779b9
  let b = 0x243f6a88
  let c = seed | 0
  let counter = 1
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return (sum >>> 0) / 2 ** 32
  }
  // Seeds that differ in one bit begin alike.
  for (let i = 0; i < 15; i++) next()
  return next
}

/** Times between arrivals that know nothing of each other. */
export const exponential = (random: Random, mean: number): number => -mean * Math.log(1 - random())

/** How long others take to answer: most about `median`, a few much longer. `spread` is the standard deviation of the logarithm. */
export const logNormal = (random: Random, median: number, spread: number): number => {
  const radius = Math.sqrt(-2 * Math.log(1 - random()))
  return median * Math.exp(spread * radius * Math.cos(2 * Math.PI * random()))
}
