import type { CurrencyCode } from './money.ts'

/** Plans carry no currency of their own: they are sold in the service's default (spec §4). */
export const PLAN_CURRENCY: CurrencyCode = 'GBP'

/** The periods that end, and after how many days (spec §3). */
const PERIOD_DAYS: Readonly<Record<string, number>> = { '1 week': 7, '31 days': 31, '1 year': 365 }

/** How a period without an end is shown (spec §3). */
export const ETHERNITY = 'Ethernity'

/** How long a period lasts; null for any that is not known: it never ends. */
export const periodDays = (period: string): number | null =>
  Object.hasOwn(PERIOD_DAYS, period) ? (PERIOD_DAYS[period] ?? null) : null

/** What a plan may be sold for. A plan of any other period would never end, whatever it says. */
export const PERIODS: readonly string[] = [...Object.keys(PERIOD_DAYS), ETHERNITY]

export const periodLabel = (period: string): string => (periodDays(period) === null ? ETHERNITY : period)

/** Where a plan is paid for, which connections it is to extend, and the chosen location of the others. */
export const planCheckoutPath = (
  planId: string,
  renew: readonly string[] = [],
  location?: string | null,
): string => {
  const asked = [
    ...(renew.length > 0 ? [`renew=${renew.join()}`] : []),
    ...(location ? [`location=${location}`] : []),
  ]
  return `/payment/checkout/${planId}${asked.length > 0 ? `?${asked.join('&')}` : ''}`
}

/** What a day comes to, a started penny counting whole; undefined where there is no last day to count to. */
export const perDayMinor = (priceMinor: number, period: string): number | undefined => {
  const days = periodDays(period)
  return days === null ? undefined : Math.ceil(priceMinor / days)
}

export type Layer = { id: string; name: string; description: string }

export type Plan = {
  id: string
  layerId: string
  name: string
  period: string
  connections: number
  priceMinor: number
}

/** Fixed for ever: addresses of checkouts hold them, and so do orders. */
const id = (number: string) => `6b1f4c2e-93d7-4e0a-8a55-2f60c7d19e${number}`

const plan = (number: string, period: string, priceMinor: number) => ({ id: id(number), period, priceMinor })

/**
 * The layers that the shop ships with, by how many people share a plan, and the plans in each. A migration puts them in
 * the database, which is what is sold from then on.
 */
const SHIPPED = [
  {
    id: id('10'),
    name: 'For one',
    description: 'Your phone, your computer, and one to spare.',
    planName: 'Wren',
    connections: 3,
    plans: [plan('11', '1 week', 650), plan('12', '31 days', 2400), plan('13', '1 year', 18_000)],
  },
  {
    id: id('20'),
    name: 'For a household',
    description: 'Everyone at home, and the television.',
    planName: 'Blackbird',
    connections: 6,
    plans: [
      plan('21', '1 week', 690),
      plan('22', '31 days', 2500),
      plan('23', '1 year', 19_000),
      plan('24', ETHERNITY, 49_000),
    ],
  },
  {
    id: id('30'),
    name: 'For an office',
    description: 'A small team, wherever it works.',
    planName: 'Rook',
    connections: 12,
    plans: [plan('31', '1 week', 750), plan('32', '31 days', 2700), plan('33', '1 year', 21_000)],
  },
]

/** In the order in which they are shown, as are the plans. */
export const SHIPPED_LAYERS: readonly Layer[] = SHIPPED.map(({ id, name, description }) => ({
  id,
  name,
  description,
}))

export const SHIPPED_PLANS: readonly Plan[] = SHIPPED.flatMap(
  ({ id: layerId, planName, connections, plans }) =>
    plans.map((one) => ({ layerId, name: planName, connections, ...one })),
)
