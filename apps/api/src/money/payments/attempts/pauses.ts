import { counted } from '@hedgerow/domain/order-description'
import type { PaymentMethod } from '@hedgerow/domain/payment-methods'
import type { VelocityKind } from '@hedgerow/domain/velocity-limits'
import {
  type CountedBy,
  claimPauseNotice,
  findPause,
  isOverLimit,
} from '#money/payments/attempts/velocity.queries.ts'
import { hasKeptPurchase } from '#money/refunds/returned-purchases.queries.ts'
import type { With } from '#platform/dependencies.ts'
import { Problem } from '#platform/http/problems.ts'
import { addJob } from '#platform/queue/add-job.ts'

type Deps = With<'db' | 'meters' | 'log'>

const MINUTE_S = 60
const HOURS_FROM_MINUTES = 120

const howLong = (seconds: number): string => {
  const minutes = Math.max(1, Math.ceil(seconds / MINUTE_S))
  return minutes < HOURS_FROM_MINUTES
    ? counted(minutes, 'minute')
    : counted(Math.ceil(minutes / MINUTE_S), 'hour')
}

type Explain = (time: string, orElse: string) => string

/** Which pause, for how long, and what can be done meanwhile. `orElse` is another way to pay, where there is one. */
const CARD_TEXTS: Readonly<Record<VelocityKind, Explain>> = {
  order: (time, orElse) =>
    `Too many cards were declined for this purchase, so it cannot be paid by card for ${time}. Nothing was charged. ${orElse}`,
  account: (time, orElse) =>
    `Too many cards were declined for your account, so it cannot pay by card for ${time}. Nothing was charged. ${orElse}`,
  issuer: (time, orElse) =>
    `Too many cards of this bank were declined here, so we take none of them for ${time}. Nothing was charged. Use a card from another bank. ${orElse}`,
  network: (time, orElse) =>
    `Too many cards were declined from your internet connection, so it cannot be used to pay by card for ${time}. Nothing was charged. Use another connection. ${orElse}`,
}

const elsewhereText = (kind: VelocityKind, time: string): string =>
  `Too many payments ${kind === 'order' ? 'for this purchase' : 'from your account'} by bank or Blik have failed, so you cannot pay these ways for ${time}. Nothing was charged. Pay by card, or try again then.`

/** How it is paid, and whether it could be paid another way. */
export type Paying = { method: PaymentMethod; isCardOnly: boolean }

const explain = (kind: VelocityKind, seconds: number, { method, isCardOnly }: Paying): string =>
  method === 'card'
    ? CARD_TEXTS[kind](
        howLong(seconds),
        isCardOnly ? 'Or try again then.' : 'Or pay another way, or try again then.',
      )
    : elsewhereText(kind, howLong(seconds))

/** Many tries of one order are no attack; what goes beyond an order may be one. */
const tellOperator = async ({ db }: Deps, kind: VelocityKind, key: Buffer): Promise<void> => {
  if (kind === 'order') return
  await db.transaction().execute(async (trx) => {
    if (await claimPauseNotice(trx, key)) await addJob(trx, 'mail-card-testing', {}, { key: 'card-testing' })
  })
}

type RecordAttempt<T> = (countedBy: readonly CountedBy[]) => Promise<T>

/** Undefined when it was one too many. */
const recordWithin = async <T>(
  record: RecordAttempt<T>,
  counted: readonly CountedBy[],
): Promise<{ recorded: T } | undefined> => {
  try {
    return { recorded: await record(counted) }
  } catch (error) {
    if (!isOverLimit(error)) throw error
    return undefined
  }
}

/** The same attempt, where its account may make it in spite of pauses of such kinds. */
const inSpiteOf = (
  kinds: readonly CountedBy['kind'][],
  counted: readonly CountedBy[],
  pass: CountedBy,
): CountedBy[] => [
  ...counted.map((one) => (kinds.includes(one.kind) ? { ...one, mayExceed: true } : one)),
  pass,
]

/**
 * Records an attempt by `record`. Throws 'payments-paused' where it was one too many by something that it is counted by;
 * then nothing of it is recorded. An issuer's pause is passed as often as `pass` says; one of a network as well, by an
 * account that has kept a purchase.
 */
export const withinLimits = async <T>(
  deps: Deps,
  { customerId, countedBy, pass }: { customerId: string; countedBy: readonly CountedBy[]; pass: CountedBy },
  paying: Paying,
  record: RecordAttempt<T>,
): Promise<T> => {
  const first = await recordWithin(record, countedBy)
  if (first) return first.recorded
  const pause = await findPause(deps.db, countedBy)
  // It has ended at this very moment.
  if (!pause) throw new Problem('too-many-requests', { retryAfterSeconds: 1 })
  const { kind, key, until, seconds } = pause
  // Mailed for attempts that pass, too: an attack by many accounts consists of these.
  await tellOperator(deps, kind, key)
  const passable: VelocityKind[] = (await hasKeptPurchase(deps.db, customerId))
    ? ['issuer', 'network']
    : ['issuer']
  const passed = passable.includes(kind)
    ? await recordWithin(record, inSpiteOf(passable, countedBy, pass))
    : undefined
  if (passed) return passed.recorded
  deps.meters.paused(kind)
  throw new Problem('payments-paused', {
    detail: explain(kind, seconds, paying),
    retryAfterSeconds: Math.max(1, Math.ceil(seconds)),
    until: until.toISOString(),
  })
}
