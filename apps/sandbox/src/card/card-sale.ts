import { brandOf, maskNumbersIn, maskPan } from '#card/card-number.ts'
import { planFor } from '#card/test-cards.ts'
import { CODES } from '#payments/codes.ts'
import { type FieldError, GateError } from '#payments/gate-error.ts'
import type { Account, AcsReturn, Plan } from '#payments/payment.ts'
import * as is from '#v2/field-rules.ts'
import type { GateCall } from '#v2/gate-call.ts'
import { SALE_FIELDS, type SaleBody, startSale } from '#v2/new-sale.ts'

export type Card = { pan: string; year: number; month: number; card_holder: string; cvv: string }

type Body = SaleBody & {
  card: Card
  acs_return_url?: { return_url?: string; '3ds_notification_url'?: string }
  avs_data?: object
}

const { required, optional } = is

export const CARD_FIELDS = [
  required('card.pan', is.matching(/^\d{12,19}$/, '12 to 19 digits')),
  required('card.year', is.integer(2020, 9999)),
  required('card.month', is.integer(1, 12)),
  required(
    'card.card_holder',
    is.matching(/^[\p{Script=Latin}\p{Script=Cyrillic}\d .'-]{1,255}$/u, "letters, digits, space, - . '"),
  ),
  required('card.cvv', is.matching(/^\d{3,4}$/, '3 or 4 digits')),
]

const FIELDS = [
  ...SALE_FIELDS,
  ...CARD_FIELDS,
  optional('card.save', is.flag),
  optional('customer.email', is.emailAddress),
  optional('customer.first_name', is.text()),
  optional('customer.last_name', is.text()),
  optional('customer.browser', is.text(512)),
  optional('customer.accept_header', is.text(512)),
  optional('customer.language', is.text()),
  optional('customer.screen_res', is.text()),
  optional('customer.color_depth', is.integer(0, 64)),
  optional('customer.java_enabled', is.flag),
  optional('customer.js_enabled', is.flag),
  optional('customer.timezone_offset', is.matching(/^-?\d{1,4}$/, 'minutes, as a string')),
  required('return_url.success', is.webAddress),
  required('return_url.decline', is.webAddress),
  optional('return_url.return', is.webAddress),
  optional('acs_return_url.return_url', is.webAddress),
  optional('acs_return_url.3ds_notification_url', is.webAddress),
]

const AVS_FIELDS = [
  required('avs_data.avs_post_code', is.text(10)),
  required('avs_data.avs_street_address', is.text()),
]

/** Currencies that the project may take; others are found out only after the request is accepted. */
const CURRENCIES = new Set(['EUR', 'GBP', 'PLN', 'USD'])

const NO_CURRENCY: FieldError = {
  code: '3023',
  message: CODES['3023'],
  field: 'payment.currency',
  constraint: 'enabled',
}

export const checkExpiry = ({ year, month }: Body['card'], now: Date): void => {
  if (year * 12 + month >= now.getUTCFullYear() * 12 + now.getUTCMonth() + 1) return
  const constraint = 'not in the past'
  throw new GateError(400, '502', [{ code: '502', message: CODES['502'], field: 'card.year', constraint }])
}

/** The address to answer to is what switches a sale to the extended 3-D Secure flow. */
const acsReturnOf = ({ acs_return_url: named }: Body): AcsReturn | undefined =>
  named?.return_url
    ? { resultUrl: named.return_url, notificationUrl: named['3ds_notification_url'] }
    : undefined

/** Without an address for its notice, the hidden frame is the platform's own affair. */
const extended = (plan: Plan, { notificationUrl }: AcsReturn): Plan => {
  const actions = plan.actions.map((action) => (action === 'challenge' ? 'native-challenge' : action))
  const hasMethod = notificationUrl && (plan.isFrictionless || actions.includes('native-challenge'))
  return { ...plan, actions: hasMethod ? ['method', ...actions] : actions }
}

const planOf = (body: Body, acsReturn: AcsReturn | undefined): Plan => {
  const plan = planFor(body.card.pan)
  const actions = plan.actions.filter((action) => action !== 'billing-address' || !body.avs_data)
  return acsReturn ? extended({ ...plan, actions }, acsReturn) : { ...plan, actions }
}

export const accountOf = ({ pan, card_holder, month, year }: Body['card']): Account => ({
  number: maskPan(pan),
  type: brandOf(pan),
  card_holder: maskNumbersIn(card_holder),
  expiry_month: String(month).padStart(2, '0'),
  expiry_year: String(year),
})

export const cardSale: GateCall<Body> = {
  path: '/payment/card/sale',
  fields: FIELDS,
  isSale: true,
  handle: (body, gateway, requestId) => {
    if (body.avs_data !== undefined) is.checkFields(body, AVS_FIELDS)
    checkExpiry(body.card, new Date())
    const acsReturn = acsReturnOf(body)
    startSale(gateway, body, requestId, {
      method: 'card',
      account: accountOf(body.card),
      plan: planOf(body, acsReturn),
      acsReturn,
      ...(!CURRENCIES.has(body.payment.currency) && { errors: [NO_CURRENCY] }),
    })
    return undefined
  },
}
