import { CURRENCY_CODES, type CurrencyCode } from '@hedgerow/domain/money'
import {
  type Choice,
  CONNECTIONS,
  clampConnections,
  clampDays,
  DEFAULT_CHOICE,
  FEATURES,
  type Features,
} from '@hedgerow/domain/pricing'
import type { Place } from '#shared/locations-query.ts'

/** The calculator with this choice made: where someone comes back to after logging in. */
export const calculatorPath = (
  { days, connections, features }: Choice,
  currency: CurrencyCode,
  renew: readonly string[] = [],
  location?: string,
): string => {
  const chosen = FEATURES.filter(({ key }) => features[key]).map(({ wire }) => wire)
  const params = new URLSearchParams({
    days: String(days),
    connections: String(connections),
    features: chosen.join(),
    currency,
    ...(renew.length > 0 ? { renew: renew.join() } : {}),
    ...(location ? { location } : {}),
  })
  return `/calculator?${params}`
}

const ORDER = 'order'

/** The same, for who has asked for it before logging in: then it is ordered on arrival. */
export const orderingPath = (
  choice: Choice,
  currency: CurrencyCode,
  { location, near }: Place = {},
): string => `${calculatorPath(choice, currency, [], location)}${near ? `&near=${near}` : ''}&${ORDER}=1`

export const isOrdering = (params: URLSearchParams): boolean => params.get(ORDER) === '1'

const whole = (text: string | null, clamp: (value: number) => number, otherwise: number) =>
  text !== null && /^-?\d{1,9}$/.test(text) ? clamp(Number(text)) : otherwise

/** Anyone may write an address: what is out of range is clamped, what makes no sense is left at its default. */
export const choiceFrom = (params: URLSearchParams): Choice => {
  const wanted = new Set(params.get('features')?.split(','))
  return {
    days: whole(params.get('days'), clampDays, DEFAULT_CHOICE.days),
    connections: whole(params.get('connections'), clampConnections, DEFAULT_CHOICE.connections),
    features: Object.fromEntries(FEATURES.map(({ key, wire }) => [key, wanted.has(wire)])) as Features,
  }
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** The connections that are to be extended, each once, and no more than an order extends. */
export const renewFrom = (params: URLSearchParams): string[] =>
  [...new Set(params.get('renew')?.toLowerCase().split(','))]
    .filter((id) => UUID.test(id))
    .slice(0, CONNECTIONS.max)

const uuidFrom = (params: URLSearchParams, name: string): string | undefined => {
  const id = params.get(name)?.toLowerCase() ?? ''
  return UUID.test(id) ? id : undefined
}

/** The location that was chosen, or was nearest; whether there is such a one is for the list of them to say. */
export const placeFrom = (params: URLSearchParams): Place => {
  const location = uuidFrom(params, 'location')
  const near = uuidFrom(params, 'near')
  return location ? { location } : near ? { near } : {}
}

export const currencyFrom = (params: URLSearchParams): CurrencyCode | undefined =>
  CURRENCY_CODES.find((code) => code === params.get('currency'))
