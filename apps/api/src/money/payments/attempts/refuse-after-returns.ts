import { formatUkTime } from '@hedgerow/domain/dates'
import type { ReturnKind } from '@hedgerow/domain/returned-purchases'
import {
  type BoughtWith,
  findOpenPause,
  findReturnsPause,
} from '#money/refunds/returned-purchases.queries.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'

type Explain = (until: string) => string

const TEXTS: Readonly<Record<ReturnKind, Explain>> = {
  account: (until) =>
    `Many of your purchases have been cancelled lately or still can be, so you cannot buy again until ${until}. Nothing was charged. Write to us if you need to buy sooner. You can still cancel what you have bought.`,
  card: (until) =>
    `Many purchases with this card have been cancelled lately or still can be, so we do not take it again until ${until}. Nothing was charged. Use another card, or write to us if you need to buy sooner.`,
  network: (until) =>
    `Many purchases from your internet connection were cancelled lately, so it cannot be used to buy until ${until}. Nothing was charged. Use another connection, or write to us if you need to buy sooner.`,
}

/**
 * Each purchase that is cancelled costs fees, and addresses that rest. It is the customer's right, so that it is the next
 * purchase that waits. Throws 'payments-paused'.
 */
export const refuseAfterReturns = async (
  { db, settings, meters }: With<'db' | 'settings' | 'meters'>,
  boughtWith: BoughtWith,
): Promise<void> => {
  const scale = settings.rateLimitScale
  if (scale === 0) return
  const pause =
    (await findReturnsPause(db, boughtWith, scale)) ?? (await findOpenPause(db, boughtWith, scale))
  if (!pause) return
  const { kind, until, seconds } = pause
  meters.paused(`returns-${kind}`)
  throw new Problem('payments-paused', {
    detail: TEXTS[kind](formatUkTime(until)),
    retryAfterSeconds: Math.max(1, Math.ceil(seconds)),
    until: until.toISOString(),
  })
}
