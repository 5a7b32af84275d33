import type { Json } from '@hedgerow/testing/call'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { hurry } from '#testing/jobs.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { aPurchase, paymentRow } from '#testing/payments.ts'
import type { ShopGround, TestShop } from '#testing/test-shop.ts'

type Ground = Pick<ShopGround, 'databaseUrl' | 'sandbox'>

/** Runs `ops dispute …`. */
export const dispute = (shop: Ground, ...args: string[]) => runOps(opsSettings(shop), 'dispute', ...args)

/** Opens a dispute by the operator's tool. Returns it as the tool's JSON has it. */
export const openedDispute = async (shop: Ground, paymentId: string, ...args: string[]): Promise<Json> => {
  const { code, err, json } = await dispute(shop, 'open', paymentId, ...args, '--json')
  if (code !== 0) throw new Error(`The dispute was not taken: ${err}`)
  return json.dispute
}

/** A purchase for €30.00 of which all is disputed. */
export const aDisputedPurchase = async (shop: TestShop, ...args: string[]) => {
  const purchase = await aPurchase(shop)
  return { ...purchase, dispute: await openedDispute(shop, purchase.paymentId, ...args) }
}

export const disputesOf = ({ db }: Pick<TestShop, 'db'>, paymentId: string) =>
  db.selectFrom('disputes').selectAll().where('payment_id', '=', paymentId).orderBy('opened_at').execute()

const post = async ({ sandbox }: Pick<ShopGround, 'sandbox'>, path: string, body: object): Promise<Json> => {
  const response = await fetch(`${sandbox.url}/gate/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer: Json = await response.json()
  if (!response.ok) throw new Error(`The sandbox refused: ${JSON.stringify(answer)}`)
  return answer
}

/** The card holder's bank takes money back at the gateway, which is not reported to the shop. */
export const chargeBack = (
  shop: Pick<ShopGround, 'sandbox'>,
  paymentId: string,
  body: object = {},
): Promise<Json> => post(shop, `payments/${paymentId}/chargebacks`, body)

/** Decides a chargeback at the gateway, or has it go on. */
export const decide = (shop: Pick<ShopGround, 'sandbox'>, chargebackId: number, to: object): Promise<Json> =>
  post(shop, `chargebacks/${chargebackId}`, to)

/** Has the gateway send the notice of the day. */
export const sendNotice = (shop: Pick<ShopGround, 'sandbox'>, body: object = {}): Promise<Json> =>
  post(shop, 'chargebacks/notice', body)

/** The gateway may be asked again at once. */
export const mayAsk = async ({ db }: Pick<TestShop, 'db'>): Promise<void> => {
  await sql`update dispute_watch set asked_at = null`.execute(db)
}

/** Lets the shop ask the gateway until something has come true. */
export const watchedUntil = (shop: Pick<TestShop, 'db'>, isTrue: () => Promise<boolean>): Promise<boolean> =>
  until(async () => {
    await hurry(shop, 'watch-disputes')
    return isTrue()
  })

/** Waits until the payment's invoice is issued. */
export const invoiced = (shop: Pick<TestShop, 'db'>, paymentId: string): Promise<boolean> =>
  until(async () => {
    await hurry(shop, 'issue-invoices')
    return (await paymentRow(shop, paymentId)).is_invoiced
  })
