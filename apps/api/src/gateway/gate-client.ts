import { isSignedBy, signatureOf } from '@hedgerow/gate/signature'
import type { Settings } from '#settings.ts'

/** What a call that the gateway works on later was answered. */
export type Acceptance =
  | { kind: 'accepted'; requestId: string | undefined }
  /** The gateway will not do it; nothing was started. */
  | { kind: 'refused'; code: string; message: string }
  /** No answer, a fault of theirs, or a payment that is known to them already or not yet: only the status can tell. */
  | { kind: 'unknown'; reason: string }

export type StatusAnswer =
  | { kind: 'found'; body: unknown }
  /** The gateway has never heard of the payment, or not yet. */
  | { kind: 'unseen' }
  | { kind: 'unknown'; reason: string }

/** The card, as it passes through. Nothing may keep, log or print one. */
export type Card = { pan: string; card_holder: string; month: number; year: number; cvv: string }

/** How it is paid, and what the method needs besides (gate.md §1.3, §5). */
export type Way =
  | { method: 'card'; card: Card }
  | { method: 'open_banking'; country: string; bankId: string | undefined }
  | { method: 'blik' }

export type Sale = {
  paymentId: string
  amountMinor: number
  currency: string
  description: string
  way: Way
  /** The payer as the gateway wants to know them (gate.md's customer object). */
  customer: Record<string, string | number | boolean | undefined>
  /** The page of ours that the customer comes back to who backs out. */
  leaveTo: string
}

export type Refund = {
  paymentId: string
  method: 'card' | 'blik'
  refundId: string
  description: string
  /** Left out: all of it. */
  part: { amountMinor: number; currency: string } | undefined
}

export type GateClient = {
  sale: (sale: Sale) => Promise<Acceptance>
  /** What the issuer's page sent: PaRes and MD, or cres. */
  challengeResult: (
    paymentId: string,
    result: { pares: string; md: string } | { cres: string },
  ) => Promise<Acceptance>
  /** Whether the issuer's server has looked at the browser within its time (extended 3-D Secure flow). */
  methodDone: (paymentId: string, isDone: boolean) => Promise<Acceptance>
  clarify: (paymentId: string, additionalData: object) => Promise<Acceptance>
  /** Asks for a code to be sent; with a code, confirms with it. */
  authorise: (paymentId: string, code: string | undefined) => Promise<Acceptance>
  refund: (refund: Refund) => Promise<Acceptance>
  /** The banks of a country as the gateway lists them; undefined when it does not answer. */
  banks: (country: string, currency: string) => Promise<unknown>
  status: (paymentId: string) => Promise<StatusAnswer>
}

const TIMEOUT_MS = 10_000
const ID_KNOWN = '3041'
const NOT_FOUND = new Set(['3061', '3062'])
/** The list of banks wants a sum, and does not look at it (gate.md §5.2). */
const ANY_SUM_MINOR = 100

type Answer = {
  status?: string
  request_id?: string
  code?: string | number
  message?: string
  errors?: { code?: string | number }[]
}

type GateSettings = Pick<Settings, 'gate' | 'publicUrl'>

const salePath = (way: Way): string => {
  if (way.method === 'card') return 'card/sale'
  return way.method === 'blik' ? 'blik/sale' : `banks/${way.country}/sale`
}

const bankNumber = (bankId: string) => (/^\d{1,15}$/.test(bankId) ? Number(bankId) : bankId)

const wayFields = (way: Way): object => {
  if (way.method === 'card') return { card: way.card }
  return way.method === 'open_banking' && way.bankId ? { account: { bank_id: bankNumber(way.bankId) } } : {}
}

export type GatewayDependencies = Readonly<{ gate: GateClient }>

/** The only place that talks to the gateway. It never throws: what it cannot tell is 'unknown'. */
export const createGateClient = ({ gate, publicUrl }: GateSettings): GateClient => {
  const post = async (
    path: string,
    general: object,
    rest: object,
  ): Promise<{ http: number; body: unknown }> => {
    // Through JSON once, so that what is signed is what is sent.
    const body = JSON.parse(JSON.stringify({ general: { project_id: gate.projectId, ...general }, ...rest }))
    body.general.signature = signatureOf(body, gate.secret)
    const response = await fetch(`${gate.url}/v2/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return { http: response.status, body: await response.json() }
  }

  const accept = async (path: string, general: object, rest: object): Promise<Acceptance> => {
    try {
      const { http, body } = await post(`payment/${path}`, general, rest)
      const { status, request_id: requestId, code: told, errors, message } = (body ?? {}) as Answer
      if (http === 200 && status === 'success') return { kind: 'accepted', requestId }
      const code = String(told ?? errors?.[0]?.code ?? http)
      if (http >= 500 || code === ID_KNOWN || NOT_FOUND.has(code)) return { kind: 'unknown', reason: code }
      return { kind: 'refused', code, message: String(message ?? '') }
    } catch (error) {
      return { kind: 'unknown', reason: (error as Error).name }
    }
  }

  /** In the extended flow the issuer's pages answer to us instead of to a page of the gateway's (gate.md §4.3). */
  const threeDsReturn = (paymentId: string) =>
    gate.isExtended3ds
      ? {
          acs_return_url: {
            return_url: `${publicUrl}/api/v1/payment/challenge/${paymentId}`,
            '3ds_notification_url': `${publicUrl}/api/v1/payment/3ds-method/${paymentId}`,
          },
        }
      : {}

  return {
    sale: ({ paymentId, amountMinor, currency, description, way, customer, leaveTo }) =>
      accept(
        salePath(way),
        { payment_id: paymentId, merchant_callback_url: `${publicUrl}/api/v1/payment/callback` },
        {
          ...wayFields(way),
          customer,
          payment: { amount: amountMinor, currency, description },
          return_url: {
            success: `${publicUrl}/payment/result/${paymentId}?returned`,
            decline: `${publicUrl}/payment/result/${paymentId}?returned`,
            return: `${publicUrl}${leaveTo}`,
          },
          ...(way.method === 'card' ? threeDsReturn(paymentId) : {}),
        },
      ),
    challengeResult: (paymentId, result) => accept('card/3ds_result', { payment_id: paymentId }, result),
    methodDone: (paymentId, isDone) =>
      accept('card/3ds_check_iframe', { payment_id: paymentId }, { threeds_completion_indicator: isDone }),
    clarify: (paymentId, additionalData) =>
      accept('clarification', { payment_id: paymentId }, { additional_data: additionalData }),
    authorise: (paymentId, code) =>
      accept(
        'card/merchant_auth',
        { payment_id: paymentId, type: code === undefined ? 'start' : 'finish' },
        code === undefined ? {} : { confirmation_code: code },
      ),
    refund: ({ paymentId, method, refundId, description, part }) =>
      accept(
        `${method}/refund`,
        { payment_id: paymentId },
        {
          payment: {
            description,
            merchant_refund_id: refundId,
            ...(part ? { amount: part.amountMinor, currency: part.currency } : {}),
          },
        },
      ),
    banks: async (country, currency) => {
      try {
        const { http, body } = await post(
          `info/banks/${country}/sale/list`,
          {},
          { payment: { amount: ANY_SUM_MINOR, currency } },
        )
        return http === 200 ? body : undefined
      } catch {
        return undefined
      }
    },
    status: async (paymentId) => {
      try {
        const { http, body } = await post('payment/status', { payment_id: paymentId }, {})
        const { code, errors = [] } = (body ?? {}) as Answer
        const codes = [code, ...errors.map((error) => error.code)].map(String)
        if (codes.some((one) => NOT_FOUND.has(one))) {
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
