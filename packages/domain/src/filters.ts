/** What a connection's resolver filters. The resolver of a choice is the sum of its bits: eight choices, 0 to 7. */
export const FILTERS = [
  { key: 'adFilter', list: 'ads', bit: 1 },
  { key: 'malwareFilter', list: 'malicious', bit: 2 },
  { key: 'familyFilter', list: 'family', bit: 4 },
] as const

export type FilterKey = (typeof FILTERS)[number]['key']
export type FilterList = (typeof FILTERS)[number]['list']

export const FILTER_CHOICES = 8

export const filterBits = (filters: Readonly<Record<FilterKey, boolean>>): number =>
  FILTERS.reduce((sum, { key, bit }) => sum + (filters[key] ? bit : 0), 0)

/** The names of the lists that a choice filters by. */
export const listsOf = (bits: number): FilterList[] =>
  FILTERS.filter(({ bit }) => (bits & bit) !== 0).map(({ list }) => list)
