import type { FastifyInstance, FastifyReply } from 'fastify'
import { brandOf, passesLuhn } from '#card/card-number.ts'
import { sendPage } from '#pages/page-reply.ts'
import {
  answerBank,
  type DebitEnd,
  debitFor,
  intentOf,
  isAtBank,
  isOpen,
  payByCard,
  payByDebit,
  type TypedCard,
} from '#stripe/checkout.ts'
import type { Session } from '#stripe/object-types.ts'
import { askPage, overPage, payPage } from '#stripe/pay-page.ts'
import type { StripeAccount } from '#stripe/stripe-account.ts'

type WithSession = { Params: { session: string } }
type Form = WithSession & { Body: Record<string, unknown> | undefined }

const PAYMENT_REQUIRED = 402

const asText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** What was typed, or what is wrong with it. Nothing of it is kept but the number's end. */
const cardIn = (typed: Record<string, unknown>): TypedCard | string => {
  const pan = asText(typed.pan).replace(/[ -]/g, '')
  if (!/^\d{13,19}$/.test(pan) || !passesLuhn(pan)) return 'Your card number is invalid.'
  const [, month = '', year = ''] =
    asText(typed.expiry).match(/^\s{0,9}(\d\d?)\s{0,9}\/\s{0,9}(\d\d|\d{4})\s{0,9}$/) ?? []
  const card = {
    pan,
    name: asText(typed.name).slice(0, 100),
    month: Number(month),
    year: Number(year) + (year.length === 2 ? 2000 : 0),
  }
  if (card.month < 1 || card.month > 12) return "Your card's expiration date is incomplete."
  // On the first of the month after it the card has ended.
  if (Date.UTC(card.year, card.month) < Date.now()) return 'Your card has expired.'
  return /^\d{3,4}$/.test(asText(typed.cvc)) ? card : "Your card's security code is incomplete."
}

const successOf = ({ success_url, id }: Session): string =>
  (success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', id)

const isDebit = (value: unknown): value is DebitEnd => value === 'arrives' || value === 'fails'

/** The hosted page: the shop sends its customers here, and they come back by the session's addresses. */
export const payRoutes = (account: StripeAccount) => async (app: FastifyInstance) => {
  const { merchantName } = account.settings

  /** The session, while it can be paid; otherwise the reply has been sent. */
  const openIn = (id: string, reply: FastifyReply): Session | undefined => {
    const session = account.books.sessions.find(id)
    if (session && isOpen(account, session)) return session
    if (session?.status === 'complete') void reply.redirect(successOf(session), 303)
    else if (session)
      void sendPage(
        reply,
        overPage('The time to pay here is over. Nothing was charged.', session.cancel_url ?? undefined),
        410,
      )
    else void sendPage(reply, overPage('There is no such checkout.'), 404)
    return undefined
  }

  const show = (reply: FastifyReply, session: Session, problem?: string): FastifyReply =>
    sendPage(reply, payPage(session, merchantName, problem), problem ? PAYMENT_REQUIRED : 200)

  /** On to the bank, to the shop, or back to the page for another try. */
  const goOn = (reply: FastifyReply, session: Session): FastifyReply => {
    if (session.status === 'complete') return reply.redirect(successOf(session), 303)
    if (isAtBank(account, session)) return reply.redirect(`/c/pay/${session.id}/bank`, 303)
    return show(reply, session, intentOf(account, session).last_payment_error?.message)
  }

  app.get<WithSession>('/c/pay/:session', (request, reply) => {
    const session = openIn(request.params.session, reply)
    return session ? show(reply, session) : reply
  })

  app.post<Form>('/c/pay/:session', (request, reply) => {
    const session = openIn(request.params.session, reply)
    if (!session) return reply
    const typed = request.body ?? {}
    if (isDebit(typed.debit)) {
      if (!debitFor(session)) return show(reply, session, 'There is no bank debit in this currency.')
      payByDebit(account, session, typed.debit)
      return goOn(reply, session)
    }
    const card = cardIn(typed)
    if (typeof card === 'string') return show(reply, session, card)
    payByCard(account, session, card, brandOf(card.pan))
    return goOn(reply, session)
  })

  app.get<WithSession>('/c/pay/:session/bank', (request, reply) => {
    const session = openIn(request.params.session, reply)
    if (!session) return reply
    return isAtBank(account, session)
      ? sendPage(reply, askPage(session, merchantName))
      : reply.redirect(`/c/pay/${session.id}`, 303)
  })

  app.post<Form>('/c/pay/:session/bank', (request, reply) => {
    const session = openIn(request.params.session, reply)
    if (!session) return reply
    if (!isAtBank(account, session)) return reply.redirect(`/c/pay/${session.id}`, 303)
    answerBank(account, session, request.body?.answer === 'approve')
    return goOn(reply, session)
  })
}
