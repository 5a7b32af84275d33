import { DEFAULT_CHOICE, totalMinor } from '@hedgerow/domain/pricing'

/** What the calculator starts with: a purchase that every reader can look up. */
export const EXAMPLE = { ...DEFAULT_CHOICE, minor: totalMinor(DEFAULT_CHOICE) }
