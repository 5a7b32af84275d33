import type {
  AuthorisationMetadata,
  ChallengeMetadata,
  ClarificationMetadata,
} from '@hedgerow/contract/payments'
import { bankForm } from '#testing/payments.ts'
import { STRIPE_CARDS } from '#testing/stripe.ts'
import type { PlannedPayment } from '#testing/torture/plan.ts'
import { ask, isNoAnswer } from '#testing/torture/shop-door.ts'
import { actOnInvoice } from '#testing/torture/vendors.ts'

export type Asked = { paymentId: string; status: string; metadata: string }

type Doors = { shopUrl: string; sandboxUrl: string }

/** A form of the gateway's, filled in. */
const filledIn = ({ fields }: ClarificationMetadata) =>
  Object.fromEntries(fields.map(({ name, type }) => [name, type === 'consent' ? true : 'SW1A 1AA']))

/** The customer at the bank, whose pages are the gateway's affair. */
const atTheBank = async (
  { sandboxUrl }: Doors,
  { paymentId }: Asked,
  { isApproved, code }: PlannedPayment,
) => {
  const body = { answer: isApproved ? 'approve' : 'refuse', ...(code ? { code } : {}) }
  return ask(`${sandboxUrl}/gate/payments/${paymentId}/answer`, { body })
}

const CARD = { expiry: '12 / 35', cvc: '123', name: 'Ada Lovelace' }

/** The customer at Stripe's page, whose answers are pages too. */
const atStripe = async (page: string, { typed = [], debit, isApproved }: PlannedPayment): Promise<void> => {
  const post = (url: string, form: Record<string, string>) => ask(url, { body: new URLSearchParams(form) })
  if (debit) await post(page, { debit })
  for (const pan of typed) await post(page, { pan, ...CARD })
  if (typed.includes(STRIPE_CARDS.challenged))
    await post(`${page}/bank`, { answer: isApproved ? 'approve' : 'refuse' })
}

/** The customer's wallet, and the network. Once: what is pressed twice pays twice. */
const atBtcpay = async (page: string, { acts = [] }: PlannedPayment): Promise<void> => {
  for (const act of acts) await actOnInvoice(page, act)
}

/** What is done on a page that is the gateway's affair. Undefined: this page is the Gate's. */
const onTheirPage = ({ metadata }: Asked): ((way: PlannedPayment) => Promise<void>) | undefined => {
  const { url = '' } = JSON.parse(metadata) as { url?: string }
  if (url.includes('/c/pay/')) return (way) => atStripe(url, way)
  return url.includes('/i/') ? (way) => atBtcpay(url, way) : undefined
}

/** Does once what the page shows is to be done. False: it may not have arrived. */
export const answerOnce = async (doors: Doors, asked: Asked, way: PlannedPayment): Promise<boolean> => {
  const { paymentId, status } = asked
  const api = `${doors.shopUrl}/api/v1/payment`
  const metadata: unknown = JSON.parse(asked.metadata)
  switch (status) {
    case 'awaiting 3ds result': {
      const body = bankForm(metadata as ChallengeMetadata, way.isApproved)
      return !isNoAnswer(await ask(`${api}/challenge/${paymentId}`, { body }))
    }
    case 'awaiting clarification': {
      const body = { answers: filledIn(metadata as ClarificationMetadata) }
      return !isNoAnswer(await ask(`${api}/clarification/${paymentId}`, { body }))
    }
    case 'awaiting merchant auth': {
      const { stage } = metadata as AuthorisationMetadata
      const body = stage === 'start' ? {} : { code: '1234' }
      return !isNoAnswer(await ask(`${api}/authorisation/${paymentId}`, { body }))
    }
    default: {
      const act = onTheirPage(asked)
      if (act) return act(way).then(() => true)
      return !isNoAnswer(await atTheBank(doors, asked, way))
    }
  }
}
