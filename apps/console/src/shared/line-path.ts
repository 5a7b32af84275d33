/** A value at each step, the oldest first. Null: nothing is known of it. */
export type Values = readonly (number | null)[]

/** Of the picture, in its own units: it is stretched to whatever room there is. */
export const WIDTH = 1_000
export const HEIGHT = 100

export const xAt = (at: number, count: number): number => (count > 1 ? (at / (count - 1)) * WIDTH : WIDTH / 2)
const yOf = (value: number, top: number): number => HEIGHT - (Math.min(value, top) / top) * HEIGHT

/** Steps that follow each other without a gap. */
const runsOf = (values: Values): { at: number; value: number }[][] => {
  const runs: { at: number; value: number }[][] = [[]]
  for (const [at, value] of values.entries()) {
    if (value === null) runs.push([])
    else runs.at(-1)?.push({ at, value })
  }
  return runs.filter((run) => run.length > 0)
}

const round = (value: number) => Math.round(value * 10) / 10

/** The line through them, broken where there is a gap; a value between two gaps is a dot. */
export const linePath = (values: Values, top: number): string =>
  runsOf(values)
    .map((run) => {
      const points = run.map(({ at, value }) => `${round(xAt(at, values.length))} ${round(yOf(value, top))}`)
      return `M${points.join('L')}${points.length === 1 ? 'h0' : ''}`
    })
    .join('')

/** What is below the line. */
export const areaPath = (values: Values, top: number): string =>
  runsOf(values)
    .map((run) => {
      const xs = run.map(({ at }) => round(xAt(at, values.length)))
      const line = run.map(({ value }, at) => `L${xs[at]} ${round(yOf(value, top))}`).join('')
      return `M${xs[0]} ${HEIGHT}${line}L${xs.at(-1)} ${HEIGHT}Z`
    })
    .join('')

export const knownOf = (values: Values): number[] => values.filter((value) => value !== null)
