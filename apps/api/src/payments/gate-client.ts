import { isSignedBy, signatureOf } from '@hedgerow/gate/signature'
import type { Settings } from '../settings.ts'

/** What a call that the gateway works on later was answered. */
export type Acceptance =
  | { kind: 'accepted' }
  /** The gateway will not do it; nothing was started. */
  | { kind: 'refused'; code: string; message: string }
  /** No answer, a fault of theirs, or a payment id that is known to them: only the status can tell. */
  | { kind: 'unknown'; reason: string }

export type StatusAnswer =
  | { kind: 'found'; body: unknown }
  /** The gateway has never heard of the payment, or not yet. */
  | { kind: 'unseen' }
  | { kind: 'unknown'; reason: string }

/** The card, as it passes through. Nothing may keep, log or print one. */
export type Card = { pan: string; card_holder: string; month: number; year: number; cvv: string }

export type Sale = {
  paymentId: string
  amountMinor: number
  currency: string
  description: string
  card: Card
  /** The payer as 3-D Secure wants to know them (gate.md's customer object). */
  customer: Record<string, string | number | boolean | undefined>
}

export type GateClient = {
  sale: (sale: Sale) => Promise<Acceptance>
  challengeResult: (paymentId: string, md: string, pares: string) => Promise<Acceptance>
  status: (paymentId: string) => Promise<StatusAnswer>
}

const TIMEOUT_MS = 10_000
const ID_KNOWN = '3041'
const NOT_FOUND = new Set(['3061', '3062'])

type Answer = {
  status?: string
  code?: string | number
  message?: string
  errors?: { code?: string | number }[]
}

type GateSettings = Pick<Settings, 'gate' | 'publicUrl'>

/** The only place that talks to the gateway. It never throws: what it cannot tell is 'unknown'. */
export const createGateClient = ({ gate, publicUrl }: GateSettings): GateClient => {
  const post = async (
    path: string,
    general: object,
    rest: object,
  ): Promise<{ http: number; body: Answer }> => {
    // Through JSON once, so that what is signed is what is sent.
    const body = JSON.parse(JSON.stringify({ general: { project_id: gate.projectId, ...general }, ...rest }))
    body.general.signature = signatureOf(body, gate.secret)
    const response = await fetch(`${gate.url}/v2/payment/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return { http: response.status, body: (await response.json()) as Answer }
  }

  const accept = async (path: string, general: object, rest: object): Promise<Acceptance> => {
    try {
      const { http, body } = await post(path, general, rest)
      if (http === 200 && body.status === 'success') return { kind: 'accepted' }
      const code = String(body.code ?? body.errors?.[0]?.code ?? http)
      if (http >= 500 || code === ID_KNOWN) return { kind: 'unknown', reason: code }
      return { kind: 'refused', code, message: String(body.message ?? '') }
    } catch (error) {
      return { kind: 'unknown', reason: (error as Error).name }
    }
  }

  return {
    sale: ({ paymentId, amountMinor, currency, description, card, customer }) =>
      accept(
        'card/sale',
        { payment_id: paymentId, merchant_callback_url: `${publicUrl}/api/v1/payment/callback` },
        {
          card,
          customer,
          payment: { amount: amountMinor, currency, description },
          return_url: {
            success: `${publicUrl}/payment/result/${paymentId}`,
            decline: `${publicUrl}/payment/reject`,
            return: `${publicUrl}/payment/reject`,
          },
        },
      ),
    challengeResult: (paymentId, md, pares) =>
      accept('card/3ds_result', { payment_id: paymentId }, { pares, md }),
    status: async (paymentId) => {
      try {
        const { http, body } = await post('status', { payment_id: paymentId }, {})
        const codes = [body.code, ...(body.errors ?? []).map((error) => error.code)].map(String)
        if (codes.some((code) => NOT_FOUND.has(code))) {
          return codes.includes('3061') ? { kind: 'unseen' } : { kind: 'unknown', reason: '3062' }
        }
        if (http !== 200) return { kind: 'unknown', reason: String(http) }
        return isSignedBy(body, gate.secret)
          ? { kind: 'found', body }
          : { kind: 'unknown', reason: 'unsigned' }
      } catch (error) {
        return { kind: 'unknown', reason: (error as Error).name }
      }
    },
  }
}
