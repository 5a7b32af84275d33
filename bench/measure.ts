/** Runs `work` on so many lanes at once for so long; returns how often it was done in a second. */
export const ratePerSecond = async (
  lanes: number,
  seconds: number,
  work: (lane: number) => Promise<void>,
): Promise<number> => {
  let done = 0
  const start = performance.now()
  const end = start + seconds * 1000
  const lane = async (index: number) => {
    while (performance.now() < end) {
      await work(index)
      done++
    }
  }
  await Promise.all(Array.from({ length: lanes }, (_, index) => lane(index)))
  return done / ((performance.now() - start) / 1000)
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

export const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
  Number.NaN

/** The median of three runs. */
export const medianOfThree = async (run: () => Promise<number>): Promise<number> => {
  const values: number[] = []
  for (let i = 0; i < 3; i++) values.push(await run())
  return median(values)
}

export const round = (value: number, digits = 0): number => Number(value.toFixed(digits))
