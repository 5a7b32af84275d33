import { loseDispute, openDispute, winDispute } from '#money/disputes/disputes.service.ts'
import { fetchDisputes } from '#money/disputes/fetch-disputes.ts'
import { createDataCall } from '#money/gateway/gate/data-call.ts'
import { chargeBack, decide } from '#testing/disputes.ts'
import { drawChoice } from '#testing/months/draw-choice.ts'
import { giveBack } from '#testing/months/give-back.ts'
import type { Deed, World } from '#testing/months/world.ts'
import { aPurchase, paymentRow } from '#testing/payments.ts'
import type { Chance } from '#testing/torture/chance.ts'

const ENDS = ['open', 'won', 'credit-note', 'bad-debt', 'again'] as const
type End = (typeof ENDS)[number]

const idOf = (answer: Awaited<ReturnType<typeof openDispute>>): string => {
  if (answer.kind === 'refused') throw new Error(`no dispute: ${answer.why}`)
  return answer.dispute.id
}

/** A purchase of which all, or a part, is charged back; the gateway takes the money. */
const chargedBack = async (world: World, chance: Chance) => {
  const { paymentId } = await aPurchase(world.shop, drawChoice(chance), world.place(chance))
  const { charged_minor: charged } = await paymentRow(world.shop, paymentId)
  const isWhole = chance.is(0.4)
  const amount = isWhole ? charged : 1 + chance.below(Math.floor(charged / 2))
  if (!isWhole && chance.is(0.4)) await giveBack(world, paymentId, 1 + chance.below(Math.floor(charged / 4)))
  const { id } = await chargeBack(world.shop, paymentId, { amount })
  return { paymentId, amount, chargebackId: id as number }
}

/** As the gateway decides it and the operator says. */
const endAs = async (
  { shop }: World,
  { chargebackId, id }: { chargebackId: number; id: string },
  end: End,
) => {
  if (end === 'open') return
  const isBack = end === 'won' || end === 'again'
  await decide(shop, chargebackId, { status: isBack ? 'won' : 'lost' })
  idOf(isBack ? await winDispute(shop, id) : await loseDispute(shop, id, { vat: end }))
}

const disputeAs =
  (draw: (chance: Chance) => End): Deed =>
  async (world, chance) => {
    const { shop } = world
    const { paymentId, amount, chargebackId } = await chargedBack(world, chance)
    const id = idOf(await openDispute(shop, { paymentId, amountMinor: amount, reason: '10.4' }))
    const end = draw(chance)
    await endAs(world, { chargebackId, id }, end)
    if (end === 'again') {
      await decide(shop, chargebackId, { status: 'new', stage: 'pre_arbitration' })
      idOf(await openDispute(shop, { paymentId, amountMinor: amount, isAgain: true }))
      await endAs(world, { chargebackId, id }, chance.pick(['open', 'won', 'credit-note', 'bad-debt']))
    }
    const { charged_minor: charged } = await paymentRow(shop, paymentId)
    if (amount <= charged / 2 && chance.is(0.4))
      await giveBack(world, paymentId, 1 + chance.below(Math.floor(charged / 4)))
    world.date(paymentId, chance)
  }

export const disputeSome = disputeAs((chance) => chance.pick(ENDS))

/** Each happens in every month. */
export const DISPUTES: readonly Deed[] = ENDS.map((end) => disputeAs(() => end))

const DAY_MS = 86_400_000

/** The shop hears of one from the Data API alone. It asks for all there are: it is done while nothing else happens. */
export const hearOfDispute: Deed = async (world, chance) => {
  const { db, settings } = world.shop
  const { paymentId, chargebackId } = await chargedBack(world, chance)
  const hear = async () => {
    const now = Date.now()
    const period = { from: new Date(now - DAY_MS), to: new Date(now + DAY_MS) }
    const { unfiled } = await fetchDisputes({ db, call: createDataCall(settings.dataApi) }, period)
    if (unfiled > 0) throw new Error(`${unfiled} chargebacks were not made disputes`)
  }
  await hear()
  const status = chance.pick(['new', 'won', 'lost'])
  if (status !== 'new') await decide(world.shop, chargebackId, { status })
  await hear()
  world.date(paymentId, chance)
}
