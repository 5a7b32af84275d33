import fc from 'fast-check'

/** Returns so many of a list, drawn by the seed; all of them where there are no more. */
export const pick = <T>(list: readonly T[], count: number, seed: number): T[] => {
  if (list.length <= count) return [...list]
  const places = fc.uniqueArray(fc.nat({ max: list.length - 1 }), { minLength: count, maxLength: count })
  const [drawn = []] = fc.sample(places, { seed, numRuns: 1 })
  return drawn.flatMap((place) => list.slice(place, place + 1))
}
