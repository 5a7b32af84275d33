import { isReasonCode, type ToldStatus } from '@hedgerow/domain/dispute-status'
import * as z from 'zod/mini'
import type { SharedChargeback } from '#money/gateway/chargeback.ts'

const maybe = <T extends z.core.$ZodType>(schema: T) => z.catch(z.optional(schema), undefined)
const text = z.string().check(z.maxLength(60))
const seconds = z.int().check(z.positive())

const Dispute = z.object({
  id: text,
  amount: z.int().check(z.positive()),
  currency: z.string().check(z.length(3)),
  status: text,
  created: seconds,
  livemode: z.boolean(),
  evidence_details: maybe(z.object({ due_by: maybe(seconds) })),
  payment_intent: z.object({ id: text, metadata: z.object({ payment_id: text }) }),
  network_reason_code: maybe(text),
  payment_method_details: maybe(z.object({ card: maybe(z.object({ network_reason_code: maybe(text) })) })),
})

const ENDS: ReadonlyMap<string, ToldStatus> = new Map([
  ['won', 'won'],
  ['prevented', 'won'],
  ['lost', 'lost'],
  // The money stays away until that is won.
  ['appeal_needs_response', 'lost'],
  ['appeal_under_review', 'lost'],
])

const dateOf = (at: number | undefined): Date | undefined =>
  at === undefined ? undefined : new Date(at * 1000)

/**
 * What is a dispute of a payment that names one of a shop's. An inquiry (`warning_…`) takes no money, and is none; it becomes one
 * if the bank goes on. The reason is the card network's code: Stripe's own word says less.
 */
export const readDispute = (item: unknown, isLive: boolean): SharedChargeback | undefined => {
  const { data } = z.safeParse(Dispute, item)
  if (!data || data.livemode !== isLive || data.status.startsWith('warning_')) return undefined
  const reason = data.payment_method_details?.card?.network_reason_code ?? data.network_reason_code
  return {
    gateId: data.id,
    paymentId: data.payment_intent.metadata.payment_id,
    saleId: data.payment_intent.id,
    amountMinor: data.amount,
    currency: data.currency.toUpperCase(),
    reason: reason !== undefined && isReasonCode(reason) ? reason : undefined,
    gateStatus: data.status,
    status: ENDS.get(data.status) ?? 'open',
    openedAt: dateOf(data.created),
    respondBy: dateOf(data.evidence_details?.due_by),
  }
}
