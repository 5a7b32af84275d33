import { WAY_BACK_DAYS, WAY_BACK_WARNING_DAYS } from '@hedgerow/domain/second-step'
import { findChallenge } from '#people/second-step/challenges.ts'
import {
  beginWayBack,
  clearWayBack,
  findByWayBackLink,
  findHolder,
  listOverdue,
  lockOverdue,
} from '#people/second-step/second-step.queries.ts'
import { endSecondStep } from '#people/second-step/second-step.service.ts'
import { recordEvent } from '#people/security-events/security-events.ts'
import { deleteSessions } from '#people/sessions/sessions.queries.ts'
import { forgetSessions } from '#people/sessions/sessions.service.ts'
import { hashToken } from '#platform/crypto/tokens.ts'
import type { Db, Trx } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'
import { refuseTooMany } from '#platform/http/limits/rate-counter.ts'
import { Problem } from '#platform/http/problems.ts'
import { addJob } from '#platform/queue/add-job.ts'
import { runAllSteps } from '#platform/queue/run-all-steps.ts'

type Deps = With<'db' | 'log' | 'meters'>

const DAY_S = 86_400
/** Each sends mails, and a stranger with the password may ask as often as the owner stops it. */
const MOST_A_DAY = 5

/** A wait of seven days begins: a day before its end its owner is mailed of it once more. */
export const tellBeforeTheEnd = (trx: Trx, customerId: string): Promise<void> => {
  const inSeconds = (WAY_BACK_DAYS - WAY_BACK_WARNING_DAYS) * DAY_S
  return addJob(trx, 'mail-way-back-soon', { customerId }, { key: `way-back-soon:${customerId}`, inSeconds })
}

/** Both are there or none: the wait, and the mails that tell of it. */
const begin = (deps: Deps, customerId: string): Promise<Date | undefined> =>
  deps.db.transaction().execute(async (trx) => {
    const begun = await beginWayBack(trx, customerId)
    if (!begun?.second_step_ends_at) return undefined
    await addJob(trx, 'mail-way-back', { customerId })
    await tellBeforeTheEnd(trx, customerId)
    await recordEvent({ ...deps, db: trx }, customerId, 'way-back-asked')
    return begun.second_step_ends_at
  })

/**
 * A customer who has typed the password says that the second step is lost. It ends in seven days, counted from the
 * first time that this was said. Returns when. Throws 'second-step-over' for a ticket that is, and 'too-many-requests'.
 */
export const askForWayBack = async (deps: Deps & With<'rateCounter'>, ticket: string): Promise<Date> => {
  const customerId = (await findChallenge(deps.db, ticket, 'second-step'))?.customer_id
  const endsAt = async () => customerId && (await findHolder(deps.db, customerId))?.second_step_ends_at
  const asked = await endsAt()
  if (asked) return asked
  if (!customerId) throw new Problem('second-step-over')
  await refuseTooMany(deps.rateCounter, [
    { name: 'ways back', of: customerId, most: MOST_A_DAY, seconds: DAY_S },
  ])
  // Of two who ask at once, one begins it.
  const until = (await begin(deps, customerId)) ?? (await endsAt())
  if (!until) throw new Problem('second-step-over')
  return until
}

/** The second step was used, so it is not lost. Returns whether there was a wait, for the caller to note 'way-back-stopped'. */
export const stopWayBack = (trx: Trx, customerId: string): Promise<boolean> => clearWayBack(trx, customerId)

/** The same, for its owner, within a session. */
export const keepSecondStep = (deps: Deps, customerId: string): Promise<boolean> =>
  deps.db.transaction().execute(async (trx) => {
    const wasStopped = await stopWayBack(trx, customerId)
    if (wasStopped) await recordEvent({ ...deps, db: trx }, customerId, 'way-back-stopped')
    return wasStopped
  })

/** By the mailed link. Throws 'way-back-link-invalid'. */
export const stopWayBackByLink = async (deps: Deps, token: string): Promise<void> => {
  const customerId = await findByWayBackLink(deps.db, hashToken(token))
  if (customerId === undefined || !(await keepSecondStep(deps, customerId)))
    throw new Problem('way-back-link-invalid')
}

type EndDeps = Deps & With<'sessions'>

/**
 * Ends the second step of an account whose wait is over, by the database's clock; once. Its sessions
 * end too: they may be on the lost device.
 */
export const endIfOverdue = async (deps: EndDeps, customerId: string): Promise<void> => {
  const ended = await deps.db.transaction().execute(async (trx) => {
    if (!(await lockOverdue(trx, customerId))) return []
    await endSecondStep(trx, customerId)
    await addJob(trx, 'mail-way-back-ended', { customerId })
    await recordEvent({ ...deps, db: trx }, customerId, 'way-back-ended')
    return deleteSessions(trx, customerId)
  })
  forgetSessions(deps, ended)
}

/** Those whose wait is over. A log-in does the same for its own account, so this may be late. */
export const endOverdueSecondSteps = async ({ db, ...deps }: EndDeps & { db: Db }): Promise<void> => {
  const overdue = await listOverdue(db)
  await runAllSteps(overdue.map((customerId) => () => endIfOverdue({ db, ...deps }, customerId)))
}
