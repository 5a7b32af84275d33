import { taxPlaceOf } from './vat.ts'

/** What says where a customer is. ISO 3166 codes; null where it is not known. */
export type PlacePieces = { chosen: string; bank: string | null; network: string | null }

/**
 * How the pieces stand to each other (Implementing Regulation 282/2011 art. 24b(d): two that do not contradict each other):
 * - 'agrees': another piece names the country that was chosen
 * - 'contradicts': others are known, and none names it
 * - 'single': nothing but what was chosen
 */
export type PlaceVerdict = 'agrees' | 'contradicts' | 'single'

/** Cards and networks name these as Spain: they say nothing of whether it is the mainland. */
const NAMED_AS_SPAIN = new Set(['EA', 'IC'])

/** Countries that are one for value added tax, such as Monaco and France, do not contradict each other. */
export const judgePlace = ({ chosen, bank, network }: PlacePieces): PlaceVerdict => {
  const others = [bank, network].filter((one) => one !== null)
  if (others.length === 0) return 'single'
  if (NAMED_AS_SPAIN.has(chosen) && others.every((one) => one === 'ES')) return 'single'
  return others.some((one) => taxPlaceOf(one) === taxPlaceOf(chosen)) ? 'agrees' : 'contradicts'
}
