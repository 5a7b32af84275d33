import { isSignedBy } from '@hedgerow/gate/signature'
import {
  codesIn,
  createGateCall,
  type GateCall,
  ID_UNKNOWN,
  isUnknownPayment,
} from '#money/gateway/gate/gate-call.ts'
import { hostedPageUrl } from '#money/gateway/gate/hosted-page.ts'
import { readPaymentUpdate } from '#money/gateway/gate/read-update.ts'
import type {
  DirectGateway,
  OnSilence,
  Refund,
  Sale,
  SaleMethod,
  StatusAnswer,
} from '#money/gateway/gateway.ts'
import type { Gate, Settings } from '#platform/settings.ts'

/** The list of banks wants a sum, and does not look at it (gate.md §5.2). */
const ANY_SUM_MINOR = 100

export type GateSettings = Pick<Settings, 'publicUrl'> & { gate: Gate }

const salePath = (saleMethod: SaleMethod): string => {
  switch (saleMethod.method) {
    case 'card':
      return 'card/sale'
    case 'open_banking':
      return `banks/${saleMethod.country}/sale`
    case 'blik':
      return 'blik/sale'
  }
}

/** Others are no concern of the Gate's. */
const refundPath = (method: Refund['method']): string => {
  switch (method) {
    case 'card':
      return 'card/refund'
    case 'open_banking':
      return 'open_banking/refund'
    case 'blik':
      return 'blik/refund'
    case 'crypto':
      throw new Error('the Gate carries no crypto')
  }
}

const bankNumber = (bankId: string) => (/^\d{1,15}$/.test(bankId) ? Number(bankId) : bankId)

const methodFields = (saleMethod: SaleMethod): object => {
  switch (saleMethod.method) {
    case 'card':
      return { card: saleMethod.card }
    case 'open_banking':
      return { account: { bank_id: bankNumber(saleMethod.bankId) } }
    case 'blik':
      return {}
  }
}

/** In the extended flow the issuer's pages answer to us instead of to a page of the gateway's (gate.md §4.3). */
const threeDsReturn = ({ gate, publicUrl }: GateSettings, { saleMethod, paymentId }: Sale): object =>
  gate.isExtended3ds && saleMethod.method === 'card'
    ? {
        acs_return_url: {
          return_url: `${publicUrl}/api/v1/payment/challenge/${paymentId}`,
          '3ds_notification_url': `${publicUrl}/api/v1/payment/3ds-method/${paymentId}`,
        },
      }
    : {}

const saleFields = (settings: GateSettings, sale: Sale): object => {
  const { paymentId, amountMinor, currency, description, saleMethod, customer, cancelPath } = sale
  const resultPage = `${settings.publicUrl}/payment/result/${paymentId}?returned`
  return {
    ...methodFields(saleMethod),
    customer,
    payment: { amount: amountMinor, currency, description },
    return_url: { success: resultPage, decline: resultPage, return: `${settings.publicUrl}${cancelPath}` },
    ...threeDsReturn(settings, sale),
  }
}

const refundFields = ({ description, refundId, amountMinor, currency, isWhole }: Refund): object => ({
  payment: {
    description,
    merchant_refund_id: refundId,
    ...(isWhole ? {} : { amount: amountMinor, currency }),
  },
})

const askForBanks = async ({ post }: GateCall, country: string, currency: string): Promise<unknown> => {
  try {
    const payment = { amount: ANY_SUM_MINOR, currency }
    const { http, body } = await post(`info/banks/${country}/sale/list`, {}, { payment })
    return http === 200 ? body : undefined
  } catch {
    return undefined
  }
}

const unknown = (reason: string, isSilent = false) => ({ kind: 'unknown', reason, isSilent }) as const

const askForStatus = async ({ post }: GateCall, paymentId: string, secret: string): Promise<StatusAnswer> => {
  try {
    const { http, body } = await post('payment/status', { payment_id: paymentId }, {})
    const codes = codesIn(body)
    if (codes.some(isUnknownPayment)) return codes.includes(ID_UNKNOWN) ? { kind: 'unseen' } : unknown('3062')
    if (http !== 200) return unknown(String(http), http >= 500)
    if (!isSignedBy(body, secret)) return unknown('unsigned')
    const update = readPaymentUpdate(body)
    return update ? { kind: 'found', update } : { kind: 'unreadable' }
  } catch (error) {
    return unknown((error as Error).name, true)
  }
}

/** The gateway of gate.md. */
export const createGateClient = (
  settings: GateSettings,
  onSilence: OnSilence = () => undefined,
): DirectGateway => {
  const call = createGateCall(settings.gate, onSilence)
  const { accept } = call
  return {
    sale: (sale) =>
      accept(
        salePath(sale.saleMethod),
        {
          payment_id: sale.paymentId,
          merchant_callback_url: `${settings.publicUrl}/api/v1/payment/callback`,
        },
        saleFields(settings, sale),
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
    refund: (refund) =>
      accept(refundPath(refund.method), { payment_id: refund.payment.id }, refundFields(refund)),
    banks: (country, currency) => askForBanks(call, country, currency),
    page: async (sale, now) => ({ kind: 'page', url: hostedPageUrl(settings, sale, now), ref: null }),
    status: ({ id }) => askForStatus(call, id, settings.gate.secret),
  }
}
