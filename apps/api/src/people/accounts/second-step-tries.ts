import { hashToken } from '#platform/crypto/tokens.ts'
import type { With } from '#platform/dependencies.ts'
import { type RateCount, refuseTooMany } from '#platform/http/limits/rate-counter.ts'

const MINUTES_15_S = 900
const HOUR_S = 3_600
const DAY_S = 86_400

const TRIES_AT_ONCE = 10
/** Of strangers together, whatever network they come from. Of a million codes three are right at a time. */
const TRIES_AN_HOUR = 50
const TRIES_A_DAY = 200
/** Of a session or a known browser, which its owner may have lost. */
const TRIES_OF_ONE_A_DAY = 50

/** Who tries: the account's known browser, or else an address. */
export type TriedFrom = { browser: string | undefined; address: string }

const ofOne = (of: string): RateCount[] => [
  { name: 'code tries of one', of, most: TRIES_AT_ONCE, seconds: MINUTES_15_S },
  { name: 'code tries of one a day', of, most: TRIES_OF_ONE_A_DAY, seconds: DAY_S },
]

const ofStranger = (customerId: string, address: string): RateCount[] => [
  {
    name: 'code tries of a network',
    of: customerId,
    from: address,
    most: TRIES_AT_ONCE,
    seconds: MINUTES_15_S,
  },
  { name: 'code tries an hour', of: customerId, most: TRIES_AN_HOUR, seconds: HOUR_S },
  { name: 'code tries a day', of: customerId, most: TRIES_A_DAY, seconds: DAY_S },
]

export const ofTriedFrom = (customerId: string, { browser, address }: TriedFrom): RateCount[] =>
  browser === undefined ? ofStranger(customerId, address) : ofOne(`browser ${customerId} ${browser}`)

export const ofSession = (sessionToken: string): RateCount[] =>
  ofOne(`session ${hashToken(sessionToken).toString('hex')}`)

/**
 * Counts what tells whether a code is right. Who knows the password uses up the count of strangers, and no other: a browser
 * in which the owner has finished a log-in has its own. Throws 'too-many-requests'.
 */
export const countCodeTry = ({ rateCounter }: With<'rateCounter'>, counts: RateCount[]): Promise<void> =>
  refuseTooMany(rateCounter, counts)

/** Right codes are no guesses. */
export const giveCodeTryBack = async (
  { rateCounter }: With<'rateCounter'>,
  counts: RateCount[],
): Promise<void> => {
  await Promise.all(counts.map(rateCounter.giveBack))
}
