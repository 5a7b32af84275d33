import { FEATURES, type Feature, hasBit } from './pricing.ts'

type FilterFeature = Extract<Feature, { filter: object }>
export type FilterList = FilterFeature['filter']['list']
export type WireFilter = FilterFeature['wire']
export type WireFilters = Readonly<Record<WireFilter, boolean>>

const isFilter = (feature: Feature): feature is FilterFeature => feature.filter !== null

/** The features that filter what a connection looks up. */
export const FILTERS: readonly FilterFeature[] = FEATURES.filter(isFilter)

/** The filters among the bits of a mask. */
export const FILTERS_MASK = FILTERS.reduce((mask, { bit }) => mask | bit, 0)

/** Those of a mask that are on, by their names on the wire. */
export const toWireFilters = (filtersOn: number): WireFilters =>
  Object.fromEntries(FILTERS.map((filter) => [filter.wire, hasBit(filtersOn, filter)])) as WireFilters

/** A mask with some of its filters switched on or off. */
export const withSwitched = (
  filtersOn: number,
  wanted: { readonly [K in WireFilter]?: boolean | undefined },
): number =>
  FILTERS.reduce((mask, { wire, bit }) => {
    if (wanted[wire] === undefined) return mask
    return wanted[wire] ? mask | bit : mask & ~bit
  }, filtersOn)

/** As a node gets them: the sum of the filters' own bits. The resolver of a choice is numbered by it. */
export const toNodeFilters = (filtersOn: number): number =>
  FILTERS.reduce((bits, one) => (hasBit(filtersOn, one) ? bits | one.filter.bit : bits), 0)

/** A node gets a choice of filters as a number below this one. */
export const FILTER_CHOICES = 2 * Math.max(...FILTERS.map(({ filter }) => filter.bit))

/** The names of the lists that a choice filters by, as a node gets it. */
export const listsOf = (bits: number): FilterList[] =>
  FILTERS.filter(({ filter }) => hasBit(bits, filter)).map(({ filter }) => filter.list)

/** A number of each list, as an agent writes it with its question: how many names it has, or when it was last looked after. */
export const writeByList = (names: ReadonlyMap<FilterList, number>): string =>
  [...names].map(([list, count]) => `${list}:${count}`).join()

/** What of it is of lists that are known here. */
export const readByList = (text: string): Partial<Record<FilterList, number>> => {
  const counts = new Map(text.split(',').map((part) => part.split(':') as [string, string]))
  return Object.fromEntries(
    FILTERS.flatMap(({ filter: { list } }) => (counts.has(list) ? [[list, Number(counts.get(list))]] : [])),
  )
}
