/**
 * Standard rates of value added tax by country, with the day from which each holds (European Commission, TEDB, as collected
 * on 23 September 2026; VATA 1994 s. 2 for GB). To be looked at again each December: a change is another line, and no line
 * is ever altered. Rates are in per cent with at most one decimal.
 */

type Rate = { since: string; percent: number }

/** Where no day is known from which it holds, it has held for longer than any record is kept. */
const LONG_AGO = '2016-01-01'

const always = (percent: number): readonly Rate[] => [{ since: LONG_AGO, percent }]

/** The newest last. By ISO 3166 code: Greece is GR here, and EL in its VAT numbers. */
const RATES = {
  AT: always(20),
  BE: always(21),
  BG: always(20),
  CY: always(19),
  CZ: always(21),
  DE: [
    { since: LONG_AGO, percent: 19 },
    { since: '2020-07-01', percent: 16 },
    { since: '2021-01-01', percent: 19 },
  ],
  DK: always(25),
  EE: [
    { since: LONG_AGO, percent: 20 },
    { since: '2024-01-01', percent: 22 },
    { since: '2025-07-01', percent: 24 },
  ],
  ES: always(21),
  FI: [
    { since: LONG_AGO, percent: 24 },
    { since: '2024-09-01', percent: 25.5 },
  ],
  FR: always(20),
  GB: always(20),
  GR: always(24),
  HR: always(25),
  HU: always(27),
  IE: [
    { since: LONG_AGO, percent: 23 },
    { since: '2020-09-01', percent: 21 },
    { since: '2021-03-01', percent: 23 },
  ],
  IT: always(22),
  LT: always(21),
  LU: [
    { since: LONG_AGO, percent: 17 },
    { since: '2023-01-01', percent: 16 },
    { since: '2024-01-01', percent: 17 },
  ],
  LV: always(21),
  MT: always(18),
  NL: always(21),
  PL: always(23),
  PT: always(23),
  RO: [
    { since: LONG_AGO, percent: 19 },
    { since: '2025-08-01', percent: 21 },
  ],
  SE: always(25),
  SI: always(22),
  SK: [
    { since: LONG_AGO, percent: 20 },
    { since: '2025-01-01', percent: 23 },
  ],
} as const satisfies Readonly<Record<string, readonly Rate[]>>

export type RatedCountry = keyof typeof RATES

/** Of Madeira and the Azores, by their codes of countries.ts: they are declared as Portugal's. */
const REGION_RATES: Readonly<Record<string, readonly Rate[]>> = {
  QM: always(22),
  QZ: [
    { since: LONG_AGO, percent: 18 },
    { since: '2021-07-01', percent: 16 },
  ],
}

export const HOME_COUNTRY = 'GB'

/** ISO 3166 codes of the countries whose value added tax a sale to their consumers owes. */
export const EU_COUNTRIES = Object.keys(RATES).filter((code) => code !== HOME_COUNTRY) as Exclude<
  RatedCountry,
  'GB'
>[]

export const isEuCountry = (country: string): boolean => (EU_COUNTRIES as readonly string[]).includes(country)

const ALL_RATES = new Map<string, readonly Rate[]>(Object.entries({ ...RATES, ...REGION_RATES }))

/** The standard rate of a day, 'YYYY-MM-DD', in per cent; undefined for a country without one here. */
export const vatRateOn = (country: string, day: string): number | undefined =>
  ALL_RATES.get(country)?.findLast(({ since }) => since <= day)?.percent
