import type { Payment, Wait } from '#payments/payment.ts'

/** What an earlier version wrote: the next actions were called steps, and before that there was one challenge or none. */
type EarlierPayment = Payment & {
  plan: Partial<{ steps: Payment['plan']['actions'] }>
  wait?: (Wait & Partial<{ step: Wait['action'] }>) | undefined
} & Partial<{ declineUrl: string; challenge: unknown }>

/** A payment of a former run, in today's words. */
export const paymentFromEarlier = (payment: EarlierPayment): Payment => {
  const { steps, ...plan } = payment.plan
  if (!plan.actions && !steps) return fromOneChallenge(payment)
  if (!steps) return payment
  const { step, ...wait } = payment.wait ?? {}
  return {
    ...payment,
    plan: { ...plan, actions: steps },
    wait: step && ({ ...wait, action: step } as Wait),
  }
}

/** A card holder who was at the bank then can no longer answer, and loses the payment. */
const fromOneChallenge = ({ declineUrl, challenge, ...payment }: EarlierPayment): Payment => {
  const code = challenge ? '108' : payment.plan.code
  const [sale, ...others] = payment.operations
  const operations =
    challenge && sale ? [{ ...sale, status: 'processing' as const }, ...others] : payment.operations
  return { ...payment, plan: { actions: [], code }, returnUrls: { decline: declineUrl }, operations }
}
