import { GATEWAY_TITLES } from '@hedgerow/domain/gateways'
import { type GatewayDependencies, gatewayOf } from '#money/gateway/gateway.ts'
import type { With } from '#platform/dependencies.ts'
import { findSilence, noteSilence, SILENT_AFTER } from '#platform/running-settings/running-settings.ts'

/** A payment that was never made: who answers that it is not known, answers. */
const NO_PAYMENT = { id: '0'.repeat(32), ref: 'cs_none' }

/**
 * Whether the gateway for cards answers, where another may take its place: cards go there after three questions in a row
 * without an answer, and come back with the first one. It is asked on all the while, because no customer asks it.
 */
export const watchCardGateway = async ({
  db,
  gateways,
  settings,
  log,
}: With<'db' | 'settings' | 'log'> & GatewayDependencies): Promise<void> => {
  const { first, second } = settings.cardGateways
  const before = await findSilence(db)
  if (!second) return before && noteSilence(db, null)
  const known = before?.gateway === first ? before.failed : 0
  const answer = await gatewayOf(gateways, first).status(NO_PAYMENT)
  if (answer.kind !== 'unknown' || !answer.isSilent) {
    if (before) await noteSilence(db, null)
    if (known >= SILENT_AFTER) log.warn({ gateway: first }, 'the gateway answers again: cards go back to it')
    return
  }
  if (known >= SILENT_AFTER) return
  await noteSilence(db, { gateway: first, failed: known + 1 })
  if (known + 1 >= SILENT_AFTER)
    log.error({ gateway: first }, `the gateway does not answer: cards go to ${GATEWAY_TITLES[second]}`)
}
