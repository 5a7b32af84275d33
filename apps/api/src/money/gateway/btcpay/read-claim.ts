import * as z from 'zod/mini'
import { decimal, link, minorOf, text } from '#money/gateway/btcpay/read-invoice.ts'
import type { Claim } from '#money/gateway/gateway.ts'

const PullPayment = z.object({ id: text, name: text, currency: text, archived: z.boolean(), viewLink: link })
export type PullPayment = z.infer<typeof PullPayment>

const Payout = z.object({ originalCurrency: text, originalAmount: decimal, state: text })

export const readPullPayment = (body: unknown): PullPayment | undefined => z.safeParse(PullPayment, body).data

/** Undefined for what is no list. */
export const readPullPayments = (body: unknown): PullPayment[] | undefined =>
  Array.isArray(body) ? body.flatMap((one) => readPullPayment(one) ?? []) : undefined

/** A refund's name at the server, by which it is found again; customers see it when they claim. */
export const nameOf = (refundId: string): string => `Refund ${refundId}`

/** Undefined if it is not all in the refund's currency, or in no form that is known here. */
export const readClaim = (pull: PullPayment, payouts: unknown, currency: string): Claim | undefined => {
  const { data } = z.safeParse(z.array(Payout), payouts)
  const isOfCurrency = (one: string) => one.toUpperCase() === currency
  if (!data?.every(({ originalCurrency }) => isOfCurrency(originalCurrency)) || !isOfCurrency(pull.currency))
    return undefined
  const inState = (...states: string[]) => data.filter(({ state }) => states.includes(state))
  return {
    ref: pull.id,
    url: pull.viewLink,
    isClosed: pull.archived,
    isWaiting: inState('AwaitingApproval', 'AwaitingPayment').length > 0,
    isMoving: inState('InProgress').length > 0,
    sentMinor: inState('Completed').reduce((sum, { originalAmount }) => sum + minorOf(originalAmount), 0),
  }
}

/** Where the store's owner approves and pays what was claimed. */
export const payoutsPage = ({ url, store }: { url: string; store: string }, ref: string): string =>
  `${url}/stores/${encodeURIComponent(store)}/pull-payments/${encodeURIComponent(ref)}/payouts`
