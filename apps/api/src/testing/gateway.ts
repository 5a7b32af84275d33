import { signatureOf } from '@hedgerow/gate/signature'
import type { Faults } from '@hedgerow/sandbox/gateway/faults'
import type { Json, Reply } from '@hedgerow/testing/call'
import type { TestShop } from '#testing/test-shop.ts'

type Shop = Pick<TestShop, 'sandbox'>

/** Switches faults of the gateway on or off. */
export const switchFaults = async ({ sandbox }: Shop, faults: Partial<Faults>): Promise<void> => {
  const response = await fetch(`${sandbox.url}/gate/faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(faults),
  })
  if (!response.ok) throw new Error(await response.text())
}

/** Asking how a payment stands is of no use: only callbacks tell. */
export const BY_CALLBACK_ALONE: Partial<Faults> = { hideStatus: true, hideStatusMs: 600_000 }

/** What the gateway's books say of a payment; undefined when they do not have it. */
export const bookOf = async ({ sandbox }: Shop, paymentId: string): Promise<Json | undefined> => {
  const response = await fetch(`${sandbox.url}/gate/payments/${paymentId}`)
  return response.ok ? response.json() : undefined
}

/** Every payment in the gateway's books. */
export const listBooks = async ({ sandbox }: Shop): Promise<Json[]> =>
  (await fetch(`${sandbox.url}/gate/payments`)).json() as Promise<Json[]>

const gateDate = (at: Date) => `${at.toISOString().slice(0, 19)}+0000`

export type PaymentUpdate = {
  paymentId: string
  amountMinor: number
  currency: string
  status: string
  at?: Date
  more?: object
}

/** The body of a callback in the gateway's usual format, without its signature. */
export const callbackBody = (
  { settings }: Pick<TestShop, 'settings'>,
  { paymentId, amountMinor, currency, status, at = new Date(), more = {} }: PaymentUpdate,
): Json => {
  const sum = { amount: amountMinor, currency }
  return {
    project_id: settings.gate.projectId,
    payment: { id: paymentId, type: 'purchase', status, date: gateDate(at), method: 'card', sum },
    operation: {
      id: 1,
      type: 'sale',
      status,
      date: gateDate(at),
      request_id: 'request-1',
      sum_initial: sum,
      code: status === 'success' ? '0' : '9999',
      provider: { ...(status === 'success' ? { auth_code: '123456' } : {}) },
    },
    account: { number: '431422******0056', type: 'visa', card_holder: 'ADA LOVELACE' },
    ...more,
  }
}

export const signedWith = (body: object, secret: string): object => ({
  ...body,
  signature: signatureOf(body, secret),
})

/** Sends the shop a callback as the gateway does. */
export const sendUpdate = (
  shop: Pick<TestShop, 'settings' | 'call'>,
  update: PaymentUpdate,
): Promise<Reply> =>
  shop.call('POST', '/api/v1/payment/callback', {
    body: signedWith(callbackBody(shop, update), shop.settings.gate.secret),
  })
