import { formatUkTime } from '@hedgerow/domain/dates'
import { FACTOR_TRIAL_DAYS } from '@hedgerow/domain/second-step'
import { deletePasskeys, listPasskeys } from '#people/passkeys/passkeys.queries.ts'
import {
  beginWayBack,
  deleteAppSince,
  deleteRecoveryCodes,
  findApp,
  findTrialStart,
  forgetPendingApp,
  lockHolder,
} from '#people/second-step/second-step.queries.ts'
import { canAnswer, endSecondStep } from '#people/second-step/second-step.service.ts'
import { tellBeforeTheEnd } from '#people/second-step/way-back.ts'
import type { Trx } from '#platform/database/client.ts'
import type { With } from '#platform/dependencies.ts'
import { addJob } from '#platform/queue/add-job.ts'
import type { Settings } from '#platform/settings.ts'

/** 'wait': nothing that answered the second step before is left, so it ends after the waiting time of one that was lost. */
export type Dropped = 'passkey' | 'app' | 'recovery codes' | 'second step' | 'wait'

/**
 * Someone who was in the account may have added what opens it, so a factor is on trial for its first days: a passkey that was
 * added in the days before goes, and a second step that was turned on in them. An older second step stays on. If something
 * that answered it before is left, what was added goes. Otherwise it stays, because it may be the owner's new phone and opens
 * nothing without the new password, and the second step ends after the waiting time of one that was lost. Withdrawals that
 * were requested in these days are not sent. `before`: when the account was last its owner's without doubt, if not now.
 */
export const dropNewFactors = async (trx: Trx, customerId: string, before?: Date): Promise<Dropped[]> => {
  const holder = await lockHolder(trx, customerId)
  const since = await findTrialStart(trx, before)
  const passkeys = await deletePasskeys(trx, customerId, since)
  const dropped: Dropped[] = passkeys.map(() => 'passkey')
  await forgetPendingApp(trx, customerId)
  await addJob(trx, 'refuse-withdrawals', { customerId, since: since.toISOString() })
  if (!holder?.second_step_at) return dropped
  if (holder.second_step_at > since) {
    await endSecondStep(trx, customerId)
    return [...dropped, 'second step']
  }
  if (await canAnswer(trx, customerId, since)) {
    if (await deleteAppSince(trx, customerId, since)) dropped.push('app')
    if (await deleteRecoveryCodes(trx, customerId, since)) dropped.push('recovery codes')
    return dropped
  }
  if (!(await beginWayBack(trx, customerId))) return dropped
  await tellBeforeTheEnd(trx, customerId)
  return [...dropped, 'wait']
}

/**
 * What was added in these days and stays. A new password that its owner sets in the account takes none of it, as with large
 * mail providers: most who change it have set up a passkey on another device, and no one else was there.
 */
export const paragraphsOfNew = async (
  { db, settings }: With<'db'> & { settings: Pick<Settings, 'publicUrl'> },
  customerId: string,
): Promise<string[]> => {
  const since = await findTrialStart(db)
  const passkeys = (await listPasskeys(db, customerId)).map(
    ({ created_at }) => ['a passkey', created_at] as const,
  )
  const app = (await findApp(db, customerId))?.confirmed_at
  const added = [...passkeys, ...(app ? [['an authenticator app', app] as const] : [])].filter(
    ([, at]) => at > since,
  )
  if (added.length === 0) return []
  const list = added.map(([what, at]) => `${what} on ${formatUkTime(at)}`).join(', ')
  return [
    `In the last ${FACTOR_TRIAL_DAYS} days this was added to log in with, and it still works: ${list}. If you did not add it, remove it at ${settings.publicUrl}/profile/security.`,
  ]
}

/** What its owner is mailed of it. */
export const paragraphsOfDropped = (
  dropped: readonly string[],
  secondStepEndsAt: Date | null | undefined,
): string[] => {
  const passkeys = dropped.filter((one) => one === 'passkey').length
  const removed = [
    ...(passkeys > 0 ? [passkeys === 1 ? '1 passkey' : `${passkeys} passkeys`] : []),
    ...(dropped.includes('app') ? ['the authenticator app'] : []),
    ...(dropped.includes('recovery codes') ? ['the recovery codes'] : []),
    ...(dropped.includes('second step') ? ['the second step, with its app and recovery codes'] : []),
  ]
  return [
    ...(removed.length > 0
      ? [
          `We removed what was added in the ${FACTOR_TRIAL_DAYS} days before, in case someone else added it: ${removed.join(', ')}. If it was you, add it again under Security.`,
        ]
      : []),
    ...(dropped.includes('wait') && secondStepEndsAt
      ? [
          `Your account had a second step before, and nothing that answered it then is left. If you cannot answer it, wait until ${formatUkTime(secondStepEndsAt)}: we will turn it off then, and you can log in with your password. Answering it before then stops the wait.`,
        ]
      : []),
  ]
}
