/** Sums in minor units, by currency; or how many, under 'documents'. */
export type Sums = Readonly<Record<string, number>>

export type Total = { what: string; sums: Sums }

/** What differs: the id of what it is about, and what is wrong with it. */
export type Difference = { about: string; says: string }

/** Two totals that were found in different ways, and must be the same. */
export type Line = {
  id: string
  left: Total
  right: Total
  agrees: boolean
  differences: Difference[]
  /** How many more differ than are named. */
  more: number
}

/** So many are named for each line: who has more looks at the first, and runs it again. */
const MOST_NAMED = 20

export const DOCUMENTS = 'documents'

export const isCurrency = (unit: string): boolean => /^[A-Z]{3}$/.test(unit)

const isSame = (left: Sums, right: Sums): boolean =>
  [...new Set([...Object.keys(left), ...Object.keys(right)])].every(
    (currency) => (left[currency] ?? 0) === (right[currency] ?? 0),
  )

type Side = 'left' | 'right'

/** A line that is being added up. Holds two sums for each currency and the first few differences, however much is read. */
export const createLine = (id: string, left: string, right: string) => {
  const sums: Record<Side, Map<string, number>> = { left: new Map(), right: new Map() }
  const differences: Difference[] = []
  let count = 0
  return {
    add: (side: Side, currency: string, amount: number): void => {
      sums[side].set(currency, (sums[side].get(currency) ?? 0) + amount)
    },
    differ: (about: string, says: string): void => {
      count++
      if (differences.length < MOST_NAMED) differences.push({ about, says })
    },
    end: (): Line => {
      const [ofLeft, ofRight] = [Object.fromEntries(sums.left), Object.fromEntries(sums.right)]
      return {
        id,
        left: { what: left, sums: ofLeft },
        right: { what: right, sums: ofRight },
        agrees: count === 0 && isSame(ofLeft, ofRight),
        differences,
        more: count - differences.length,
      }
    },
  }
}

export type OpenLine = ReturnType<typeof createLine>
