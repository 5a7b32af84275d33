import { DEFAULT_CHOICE, totalMinor } from '@hedgerow/domain/pricing'
import { usePrices } from '#shared/prices-query.ts'

/** What the calculator starts with: a purchase that every reader can look up. */
export const useExample = () => ({ ...DEFAULT_CHOICE, minor: totalMinor(DEFAULT_CHOICE, usePrices()) })
