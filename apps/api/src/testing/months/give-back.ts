import { until } from '@hedgerow/testing/until'
import { requestRefund } from '#money/refunds/refunds.service.ts'
import { resolveRefund } from '#money/refunds/resolve-refund.ts'
import type { World } from '#testing/months/world.ts'
import { refundsOf } from '#testing/refunds.ts'

const sendByHand = async (shop: World['shop'], paymentId: string): Promise<void> => {
  const answer = await resolveRefund(shop, { paymentId, verdict: 'sent' })
  if (answer.kind === 'refused') throw new Error(`a refund cannot be sent by hand: ${answer.why.code}`)
}

/** Until nothing of it is under way. What the gateway refuses, as the sandbox does with some sums, is sent by hand. */
export const isOver = async ({ shop }: Pick<World, 'shop'>, paymentId: string): Promise<void> => {
  const refunds = await until(async () => {
    const all = await refundsOf(shop, paymentId)
    return all.every(({ status, is_by_hand }) => status !== 'Pending' || is_by_hand) && all
  })
  for (const { status, closed_at } of refunds)
    if (status === 'Pending' || (status === 'Decline' && closed_at === null))
      await sendByHand(shop, paymentId)
}

/** Gives back one part, whatever the method. */
export const giveBack = async (world: World, paymentId: string, amountMinor?: number): Promise<void> => {
  const request = { paymentId, isAgain: true, ...(amountMinor ? { amountMinor } : {}) }
  const answer = await requestRefund(world.shop, request)
  if (answer.kind !== 'recorded') throw new Error(`not refunded: ${JSON.stringify(answer)}`)
  await isOver(world, paymentId)
}
