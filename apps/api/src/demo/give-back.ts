import { type Colleague, underRecord } from '#demo/staff.ts'
import type { World } from '#demo/world.ts'
import { applyUpdate } from '#money/payments/updates/apply-update.ts'
import { requestRefund } from '#money/refunds/refunds.service.ts'
import { resolveRefund } from '#money/refunds/resolve-refund.ts'
import { issueCreditNotesOf } from '#sales/invoices/issue-credit-notes.ts'

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000]

const pendingOf = async ({ deps }: World, paymentId: string) =>
  deps.db
    .selectFrom('refunds')
    .select(['id', 'amount_minor', 'is_by_hand'])
    .where('payment_id', '=', paymentId)
    .where('status', '=', 'Pending')
    .executeTakeFirst()

/** Money goes back by the gateway within minutes; what a bank sent goes back by hand, which finance does and says. */
export const payBack = async (world: World, paymentId: string): Promise<void> => {
  const refund = await pendingOf(world, paymentId)
  if (!refund) return
  world.at(
    Date.now() + (refund.is_by_hand ? 5 * HOUR_MS : 2 * MINUTE_MS),
    async ({ deps, gateway, staff }) => {
      if (refund.is_by_hand) {
        const given = { refundId: refund.id, as: 'sent' }
        const said = { who: staff.finance, command: 'refund resolve', subject: paymentId, arguments: given }
        await underRecord(deps, said, () =>
          resolveRefund(deps, { paymentId, refundId: refund.id, verdict: 'sent' }),
        )
      } else await applyUpdate(deps, gateway.giveBack(paymentId, refund.id, refund.amount_minor))
      await issueCreditNotesOf(deps, paymentId)
    },
  )
}

/** All of it, or a share of what was charged. */
export const giveBack = async (
  world: World,
  paymentId: string,
  who: Colleague,
  share?: number,
): Promise<void> => {
  const { deps } = world
  const { charged_minor } = await deps.db
    .selectFrom('payments')
    .select('charged_minor')
    .where('id', '=', paymentId)
    .executeTakeFirstOrThrow()
  const part = share === undefined ? {} : { amountMinor: Math.round((charged_minor * share) / 50) * 50 || 50 }
  const given = Object.fromEntries(Object.entries(part).map(([name, minor]) => [name, String(minor)]))
  const said = { who, command: 'refund', subject: paymentId, arguments: given }
  await underRecord(deps, said, () => requestRefund(deps, { paymentId, ...part }))
  await payBack(world, paymentId)
}
