import { formatCharged } from '@hedgerow/domain/exchange'
import { isUuid } from '@hedgerow/domain/ids'
import { CURRENCY_CODES, type CurrencyCode } from '@hedgerow/domain/money'
import { CONNECTIONS, DAYS, FEATURES, type Features, NO_FEATURES } from '@hedgerow/domain/pricing'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { ask } from '#desk/tool/ask.ts'
import { changes } from '#desk/tool/classes.ts'
import { accountOf } from '#desk/tool/find-account.ts'
import { JSON_OPTION, YES_OPTION } from '#desk/tool/options.ts'
import { say, sayJson } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { toolRun } from '#desk/tool/run.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import { gatewaysWhenAsked } from '#money/gateway/adapters.ts'
import {
  type Adopted,
  adoptForPurchase,
  adoptForRefund,
  askOfPayment,
  findAdopted,
  type PaidWord,
  type Purchase,
} from '#money/payments/exceptions/adopt-payment.ts'
import type { Db } from '#platform/database/client.ts'
import type { CustomerRow } from '#platform/database/tables/accounts.table.ts'
import { createLog } from '#platform/instrumentation/log.ts'
import { settingsWhenAsked } from '#platform/settings.ts'
import { StartError } from '#platform/start-error.ts'

type Options = {
  customer?: string
  order?: string
  plan?: string
  days?: number
  connections?: number
  feature?: string[]
  currency?: CurrencyCode
  refund?: true
  yes?: true
  json?: true
}

const featuresOf = (chosen: readonly string[] = []): Features => ({
  ...NO_FEATURES,
  ...Object.fromEntries(FEATURES.map(({ key }) => [key, chosen.includes(key)])),
})

/** Exactly one of an order, a plan and days with connections. */
const purchaseOf = ({ order, plan, days, connections, feature, currency }: Options): Purchase | undefined => {
  const isChoice = days !== undefined || connections !== undefined
  if ([order !== undefined, plan !== undefined, isChoice].filter(Boolean).length !== 1) return undefined
  if (order !== undefined) return isUuid(order) ? { kind: 'order', orderId: order } : undefined
  if (plan !== undefined) return isUuid(plan) ? { kind: 'plan', planId: plan } : undefined
  if (days === undefined || connections === undefined) return undefined
  return { kind: 'choice', choice: { days, connections, features: featuresOf(feature) }, currency }
}

const NEEDS =
  'Say what the payment was for: --customer EMAIL with --order ID, --plan ID, or --days and --connections. Or add --refund.'

/** What is to become of it. Throws a Refusal for options that say too little, or two things. */
const targetOf = async (db: Db, options: Options) => {
  const customer = options.customer === undefined ? undefined : await accountOf(db, options.customer)
  const purchase = purchaseOf(options)
  if (options.refund) {
    const { order, plan, days, connections } = options
    if ([order, plan, days, connections].some((one) => one !== undefined)) throw new Refusal(NEEDS)
    return { customer, purchase: undefined }
  }
  if (!customer || !purchase) throw new Refusal(NEEDS)
  return { customer, purchase }
}

const wordOf = async (db: Db, id: string): Promise<PaidWord> => {
  const gateways = gatewaysWhenAsked(settingsWhenAsked(toolRun().env))
  const asked = await askOfPayment({ db, log: createLog('silent'), gateways }, id)
  if (asked.kind === 'silent') throw new StartError('The gateway does not answer.')
  if (asked.kind === 'refused') throw new Refusal(`Not adopted: ${asked.why}.`)
  return asked.word
}

/** Whom the gateway names, where that is somebody else than was said. */
const warningOf = (word: PaidWord, customer: CustomerRow | undefined): string => {
  const { customerId } = word.update
  return customer && customerId && customerId !== customer.id
    ? ` Note that the gateway names another account as the payer: ${customerId}.`
    : ''
}

const OPENINGS = { adopted: 'Adopted', known: 'Already adopted' } as const

const whatNow = (id: string, isRefund: boolean): string =>
  isRefund
    ? `It is refunded by the running shop. To follow it: hedgerow-ops payment show ${id}`
    : `The running shop asks the gateway once more, then delivers it. To follow it: hedgerow-ops payment show ${id}`

const tell = (id: string, outcome: Adopted, { refund = false, json }: { refund?: boolean; json?: true }) => {
  if (outcome.kind === 'refused') throw new Refusal(`Not adopted: ${outcome.why}.`)
  const { kind, orderId } = outcome
  if (json) return sayJson({ outcome: kind, paymentId: id, orderId, isRefund: refund })
  say(`${OPENINGS[kind]}: payment ${id}, with the order ${orderId}. ${whatNow(id, refund)}`)
}

/** No call of the contract: the gateway is asked before the operator is, and the question names what was paid. */
const adopt = (id: string, options: Options) =>
  withDatabase(async (db) => {
    const { customer, purchase } = await targetOf(db, options)
    const find = () => findAdopted({ db }, id, customer?.id, purchase)
    const before = await find()
    if (before) return tell(id, before, options)
    const word = await wordOf(db, id).catch(async (refusal: unknown) => {
      // Of two at once, the first may have given it back by the time the second asks.
      const meanwhile = await find()
      if (meanwhile) return meanwhile
      throw refusal
    })
    if ('kind' in word) return tell(id, word, options)
    const sum = formatCharged(purchase ? word.amountMinor : word.leftMinor, word.currency)
    const what = purchase ? `Deliver for the ${sum}` : `Refund the ${sum}`
    const whom = customer ? ` to ${customer.email}` : ''
    await ask(
      `${what} of payment ${id}${whom}?${warningOf(word, customer)} This cannot be undone.`,
      options.yes,
    )
    const outcome =
      purchase && customer
        ? await adoptForPurchase({ db }, word, customer.id, purchase)
        : await adoptForRefund({ db }, word, customer)
    tell(id, outcome, options)
  })

const within = (least: number, most: number) => (text: string) => {
  const number = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (number < least || number > most)
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`)
  return number
}

export const addAdopt = (payment: Command): void => {
  changes(payment.command('adopt'), 'money')
    .description(
      'Say what an unknown payment was for: an existing order, a new order, or nothing, so ' +
        'that it is refunded. The gateway is asked first, and only what it confirms counts.',
    )
    .argument('<payment>', 'the id of the payment')
    .option('--customer <email>', 'the email address or id of the account that paid')
    .option('--order <id>', 'an unpaid order of this customer, for exactly what was paid')
    .option('--plan <id>', 'a new order for this plan')
    .option('--days <days>', 'a new order for this many days', within(DAYS.min, DAYS.max))
    .option('--connections <count>', 'with this many connections', within(CONNECTIONS.min, CONNECTIONS.max))
    .addOption(
      new Option('--feature <name...>', 'with these features').choices(FEATURES.map(({ key }) => key)),
    )
    .addOption(
      new Option('--currency <code>', 'the currency of the price, where it was paid in PLN').choices(
        CURRENCY_CODES,
      ),
    )
    .option('--refund', 'refund all of it')
    .addOption(YES_OPTION)
    .addOption(JSON_OPTION)
    .action(adopt)
}
