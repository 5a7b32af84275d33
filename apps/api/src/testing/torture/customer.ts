import { randomUUID } from 'node:crypto'
import type { Plan } from '@hedgerow/domain/plans'
import { FEATURES } from '@hedgerow/domain/pricing'
import type { Json } from '@hedgerow/testing/call'
import { anOrderBody, type TestOrder } from '#testing/orders.ts'
import { aCard, cardBody } from '#testing/payments.ts'
import { type Asked, answerOnce } from '#testing/torture/answers.ts'
import { count, type History, noteShownStatus, type PlanTerms } from '#testing/torture/history.ts'
import type { PlannedAttempt, PlannedCheckout, PlannedPayment } from '#testing/torture/plan.ts'
import { type Answer, ask, isNoAnswer, sleep } from '#testing/torture/shop-door.ts'

export type Buyer = {
  token: string
  shopUrl: string
  sandboxUrl: string
  history: History
  /** Ids of the places that there are. */
  places: readonly string[]
  /** How long they look at a payment that stands still. */
  patienceMs: number
  /** Whether the run has been ended, and customers stop. */
  isOver: () => boolean
  /** Called when a payment has just been sent, to pull the plug. */
  onPress: () => void
}

const POLL_MS = 250
/** Longer than the shop is ever away. */
const INSIST_MS = 90_000

const FINAL = new Set(['Success', 'Decline', 'Error'])

/** Asks until there is an answer, however often the shop falls over. */
export const insist = async (
  { isOver }: Buyer,
  send: () => Promise<Answer | undefined>,
): Promise<Answer | undefined> => {
  const end = Date.now() + INSIST_MS
  while (Date.now() < end && !isOver()) {
    const answer = await send()
    if (!isNoAnswer(answer)) return answer
    await sleep(POLL_MS)
  }
  return undefined
}

export const strange = ({ history }: Buyer, what: string, answer: Answer | undefined): undefined => {
  history.strange.push(`${what}: ${answer ? `${answer.status} ${JSON.stringify(answer.body)}` : 'no answer'}`)
}

/** Connections of theirs that the choice, or the plan, can extend. */
const findRenewable = async (buyer: Buyer, { choice, plan, renews }: PlannedCheckout): Promise<string[]> => {
  if (renews === 0) return []
  const { shopUrl, token } = buyer
  const answer = await insist(buyer, () => ask(`${shopUrl}/api/v1/user/profile`, { token }))
  const connections: Json[] = answer?.status === 200 ? answer.body.connections : []
  return connections
    .filter(({ isRenewable, features }) =>
      FEATURES.every(({ wire }) => isRenewable && ((!plan && choice.features[wire]) || !features[wire])),
    )
    .map(({ _id }) => _id)
    .slice(0, renews)
}

const placeOf = ({ places }: Buyer, { place }: PlannedCheckout) => {
  if (!place) return {}
  const id = places[place.which] as string
  return place.isChosen ? { location: id } : { near: id }
}

/** Of a press that is refused, the connections were given back meanwhile, or the place is closed or full. */
const withoutWishes = (plan: PlannedCheckout): PlannedCheckout => ({ ...plan, renews: 0, place: undefined })

const placeOrder = async (buyer: Buyer, plan: PlannedCheckout): Promise<TestOrder | undefined> => {
  const renew = await findRenewable(buyer, plan)
  const place = placeOf(buyer, plan)
  const body = anOrderBody({ ...plan.choice, ...place, ...(renew.length > 0 ? { renew } : {}) })
  const { shopUrl, token } = buyer
  const answer = await insist(buyer, () => ask(`${shopUrl}/api/v1/orders`, { token, body }))
  if (answer?.status === 422 && (renew.length > 0 || plan.place))
    return placeOrder(buyer, withoutWishes(plan))
  if (answer?.status !== 201) return strange(buyer, 'an order', answer)
  if (renew.length > 0) count(buyer.history, 'orders that extend connections')
  return { ...body, orderId: answer.body.orderId }
}

type BasketBody = { renew?: readonly string[]; location?: string }

/** What is paid for: an order, or a plan, of which each press says what it is to be. */
type Basket = {
  path: (way: PlannedPayment) => string
  /** With the card, unless that is typed on a gateway's page. */
  body: (way: PlannedPayment, isOnPage: boolean) => BasketBody
  /** Says less, where this was refused. False: there was nothing to leave out. */
  sayLess: (refused: BasketBody) => boolean
  said?: ReadonlySet<PlanTerms>
}

const orderBasket = async (buyer: Buyer, plan: PlannedCheckout): Promise<Basket | undefined> => {
  const order = await placeOrder(buyer, plan)
  return (
    order && {
      path: ({ method }) => `orders/${PATHS[method]}${order.orderId}`,
      body: (way, isOnPage) => formOf(order, way, isOnPage),
      sayLess: () => false,
    }
  )
}

/** One purchase, by whatever way it was to be paid: plans are bought by card. */
const planBasket = async (buyer: Buyer, planned: PlannedCheckout, { id }: Plan): Promise<Basket> => {
  const purchaseId = randomUUID()
  let renew = await findRenewable(buyer, planned)
  let place: { location?: string; near?: string } = placeOf(buyer, planned)
  const said = new Set<PlanTerms>()
  if (renew.length > 0) count(buyer.history, 'plans that extend connections')
  return {
    path: () => 'payment/gate/sale',
    body: ({ pan }, isOnPage) => {
      said.add({ renew, location: place.location })
      const card = isOnPage ? { acceptTerms: true } : aCard(pan ? { pan } : {})
      return { id, purchaseId, renew, ...place, ...card }
    },
    // Another press at the same moment may have left it out.
    sayLess: (refused) => {
      renew = []
      place = {}
      return Boolean(refused.location || refused.renew?.length)
    },
    said,
  }
}

const REFUSALS = ['This order is already paid', 'A payment']

const PATHS = { card: '', open_banking: 'ob/', blik: 'blik/', crypto: 'crypto/' } as const

const formOf = (order: TestOrder, { method, pan, bankId }: PlannedPayment, isOnPage: boolean): object => {
  if (method === 'card' && !isOnPage) return cardBody(order, { pan })
  const name =
    method === 'open_banking' || method === 'blik' ? { firstName: 'Ada', lastName: 'Lovelace' } : {}
  return {
    total: order.total,
    currency: order.currency.code,
    ...name,
    acceptTerms: true,
    ...(bankId ? { bankId } : {}),
  }
}

/** Whether cards are typed on a gateway's page now, as the checkout asks. */
const isCardOnPage = async (buyer: Buyer): Promise<boolean> => {
  const answer = await insist(buyer, () => ask(`${buyer.shopUrl}/api/v1/payment/methods`))
  return answer?.body.card?.hosted === true
}

/** How often the checkout is loaded anew because another gateway has taken over cards meanwhile. */
const RELOADS = 20

/** Presses the button until there is an answer. Undefined: the order is paid, or nothing could be had. */
const press = async (
  buyer: Buyer,
  basket: Basket,
  way: PlannedPayment,
  instead: string | undefined,
  reloads = RELOADS,
): Promise<string | undefined> => {
  const { shopUrl, token, history, onPress } = buyer
  const url = `${shopUrl}/api/v1/${basket.path(way)}`
  const isOnPage = way.method === 'card' && (await isCardOnPage(buyer))
  const body = { ...basket.body(way, isOnPage), ...(instead ? { instead } : {}) }
  const answer = await insist(buyer, () => {
    onPress()
    return ask(url, { token, body })
  })
  const { _id, paymentId = _id, detail } = answer?.body ?? {}
  if (answer?.status === 200 || (answer?.status === 409 && paymentId)) {
    noteShownStatus(history, paymentId)
    // Also of one that is under way: the answer to the press that started it may have been lost.
    if (basket.said)
      history.said.set(paymentId, new Set([...(history.said.get(paymentId) ?? []), ...basket.said]))
    count(history, answer.status === 200 ? 'attempts taken' : 'presses answered with the attempt under way')
    return paymentId
  }
  // Paid by another tab; or the attempt that stood in the way has ended between two looks at it.
  if (answer?.status === 409 && REFUSALS.some((refusal) => detail.startsWith(refusal))) return undefined
  if (answer?.status === 422 && basket.sayLess(body)) return press(buyer, basket, way, instead)
  if (answer?.status === 422 && way.method === 'card' && reloads > 0) {
    await sleep(POLL_MS)
    return press(buyer, basket, way, instead, reloads - 1)
  }
  return strange(buyer, 'a payment', answer)
}

/** Sits at the result page until it has ended, and does what it asks. Returns how it ended, if it did. */
const follow = async (
  buyer: Buyer,
  paymentId: string,
  attempt: PlannedAttempt,
  way: PlannedPayment,
): Promise<string> => {
  const { shopUrl, history, patienceMs, isOver } = buyer
  const end = Date.now() + patienceMs
  let answered = ''
  while (Date.now() < end && !isOver()) {
    const reply = await ask(`${shopUrl}/api/v1/payment/status/${paymentId}`)
    if (reply?.status === 404) return strange(buyer, `status of ${paymentId}`, reply) ?? 'lost'
    const { status = '', metadata = '{}' } = reply?.status === 200 ? reply.body : {}
    if (FINAL.has(status)) {
      noteShownStatus(history, paymentId, status)
      return status
    }
    if (status.startsWith('awaiting ')) {
      if (attempt.patience !== 'stays') return 'left'
      if (metadata !== answered) {
        const asked: Asked = { paymentId, status, metadata }
        const tries = Array.from({ length: attempt.answers }, () => answerOnce(buyer, asked, way))
        if ((await Promise.all(tries)).includes(true)) answered = metadata
      }
    }
    await sleep(POLL_MS)
  }
  return 'gave up'
}

const STAYING = { presses: 1, answers: 2, patience: 'stays' } as const

/** One attempt from the button to its end: with more tabs and clicks than one, if it was planned so. */
const attemptOnce = async (
  buyer: Buyer,
  basket: Basket,
  attempt: PlannedAttempt,
  instead: string | undefined,
) => {
  const ways = [
    ...Array.from({ length: attempt.presses }, () => attempt.way),
    ...(attempt.otherTab ? [attempt.otherTab] : []),
  ]
  const ids = await Promise.all(ways.map((way) => press(buyer, basket, way, instead)))
  const tabs = new Map(ids.flatMap((id, i) => (id ? [[id, ways[i] as PlannedPayment] as const] : [])))
  const ends = await Promise.all(
    Array.from(tabs, async ([id, way]) => ({ id, end: await follow(buyer, id, attempt, way) })),
  )
  return { ends, isPaid: tabs.size === 0 || ends.some(({ end }) => end === 'Success') }
}

/** The left attempt is approved at its bank after all, by a customer who forgot that they left it. */
const payTheLeftOneToo = async (buyer: Buyer, left: string, attempt: PlannedAttempt) => {
  count(buyer.history, 'left attempts that were approved after all')
  await follow(buyer, left, { ...attempt, ...STAYING }, { ...attempt.way, isApproved: true })
}

/** Buys as planned. Returns the payments that succeeded, as far as the customer saw. */
export const checkOut = async (buyer: Buyer, plan: PlannedCheckout): Promise<string[]> => {
  const basket = plan.plan ? await planBasket(buyer, plan, plan.plan) : await orderBasket(buyer, plan)
  if (!basket) return []
  const paid: string[] = []
  const besides: Promise<void>[] = []
  let instead: string | undefined
  for (const attempt of plan.attempts) {
    const { ends, isPaid } = await attemptOnce(buyer, basket, attempt, instead)
    for (const { id, end } of ends) if (end === 'Success') paid.push(id)
    if (isPaid) break
    const left = ends.find(({ end }) => end === 'left')?.id
    count(buyer.history, left ? `customers who left: ${attempt.patience}` : 'attempts that failed')
    if (left && attempt.patience === 'leaves') break
    // What stands still may be over at the gateway, or promised by a bank: it can be left like one that waits for them.
    const stuck = ends.find(({ end }) => end === 'gave up')?.id
    if (left && attempt.patience === 'pays both') besides.push(payTheLeftOneToo(buyer, left, attempt))
    instead = left ?? stuck
  }
  await Promise.all(besides)
  return paid
}
