import * as z from 'zod/mini'
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

const CARD_RULES = {
  'card.pan': is.required(is.matching(/^\d{12,19}$/, '12 to 19 digits')),
  'card.year': is.required(is.integer(2020, 9999)),
  'card.month': is.required(is.integer(1, 12)),
  'card.card_holder': is.required(
    is.matching(/^[\p{Script=Latin}\p{Script=Cyrillic}\d .'-]{1,255}$/u, "letters, digits, space, - . '"),
  ),
  'card.cvv': is.required(is.matching(/^\d{3,4}$/, '3 or 4 digits')),
}

export const CARD_FIELDS = z.object(CARD_RULES)

const FIELDS = z.object({
  ...SALE_FIELDS,
  ...CARD_RULES,
  'card.save': z.optional(is.flag),
  'customer.email': z.optional(is.emailAddress),
  'customer.first_name': z.optional(is.text()),
  'customer.last_name': z.optional(is.text()),
  'customer.browser': z.optional(is.text(512)),
  'customer.accept_header': z.optional(is.text(512)),
  'customer.language': z.optional(is.text()),
  'customer.screen_res': z.optional(is.text()),
  'customer.color_depth': z.optional(is.integer(0, 64)),
  'customer.java_enabled': z.optional(is.flag),
  'customer.js_enabled': z.optional(is.flag),
  'customer.timezone_offset': z.optional(is.matching(/^-?\d{1,4}$/, 'minutes, as a string')),
  'return_url.success': is.required(is.webAddress),
  'return_url.decline': is.required(is.webAddress),
  'return_url.return': z.optional(is.webAddress),
  'acs_return_url.return_url': z.optional(is.webAddress),
  'acs_return_url.3ds_notification_url': z.optional(is.webAddress),
})

const AVS_FIELDS = z.object({
  'avs_data.avs_post_code': is.required(is.text(10)),
  'avs_data.avs_street_address': is.required(is.text()),
})

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
