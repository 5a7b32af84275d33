import { DAY_MS } from '@hedgerow/domain/dates'
import { toMajor } from '@hedgerow/domain/money'
import { MINIMUM_WITHDRAWAL_MINOR } from '@hedgerow/domain/withdrawals'
import { chanceOf } from '#demo/chance.ts'
import { daysAfter } from '#demo/rhythm.ts'
import { byBrowserOf } from '#demo/sign-up.ts'
import { underRecord } from '#demo/staff.ts'
import { begin } from '#demo/talk.ts'
import { REFUSED_WITHDRAWAL } from '#demo/words/support.ts'
import type { Customer, Deed, World } from '#demo/world.ts'
import { requestWithdrawal, resolveWithdrawal } from '#partners/withdrawals/withdrawals.service.ts'
import { startSession } from '#people/sessions/sessions.service.ts'

/** IBANs that their countries' registers give as examples: nobody's accounts. */
const IBANS: Readonly<Record<string, string>> = {
  DE: 'DE89370400440532013000',
  FR: 'FR1420041010050500013M02606',
  NL: 'NL91ABNA0417164300',
  PL: 'PL61109010140000071219812874',
  IE: 'IE29AIBK93115212345678',
  ES: 'ES9121000418450200051332',
}

/** Pounds go to a British account, wherever its holder lives: no other can be in the bank's file. */
const bankOf = ({ country }: Customer, currency: string) =>
  country.code === 'GB' || currency === 'GBP'
    ? { sortCode: '601613', accountNumber: '31926819' }
    : { iban: IBANS[country.code] ?? 'DE89370400440532013000' }

const availableOf = async ({ deps }: World, partner: Customer, currency: string): Promise<number> => {
  const row = await deps.db
    .selectFrom('partner_balances')
    .select('available_minor')
    .where('partner_id', '=', partner.id)
    .where('currency', '=', currency as 'EUR')
    .executeTakeFirst()
  return Number(row?.available_minor ?? 0)
}

const ask = async (
  world: World,
  partner: Customer,
  currency: 'EUR' | 'GBP',
  minor: number,
): Promise<string> => {
  const { deps } = world
  return byBrowserOf(partner, async () => {
    const row = await deps.db
      .selectFrom('customers')
      .select(['id', 'password_hash'])
      .where('id', '=', partner.id)
      .executeTakeFirstOrThrow()
    const sessionToken = (await startSession(deps.db, row, { isByPassword: true })) ?? ''
    const accountHolder = `${partner.first} ${partner.last}`
    const request = { currency, amount: toMajor(minor), accountHolder, ...bankOf(partner, currency) }
    const made = await requestWithdrawal(deps, { customerId: partner.id, sessionToken }, request)
    return made._id
  })
}

/** What finance does with it a day or two later. One of the first was asked for to an account that had been closed. */
const settle = (world: World, partner: Customer, id: string, asked: number): void => {
  const chance = chanceOf(world.seed, `settles ${asked}`)
  world.at(daysAfter(chance, Date.now(), chance.between(1, 2)), async (now) => {
    const { deps, staff } = now
    const ending =
      asked === 2
        ? ({
            status: 'refused',
            reason: 'The bank says that this account is closed. Please give another one.',
          } as const)
        : ({ status: 'paid', reference: `HEDGEROW ${1040 + asked}` } as const)
    const said = { who: staff.finance, command: `withdrawal ${ending.status}`, subject: id }
    await underRecord(deps, said, () => resolveWithdrawal(deps, id, ending))
    if (ending.status === 'refused')
      now.at(Date.now() + DAY_MS / 12, (later) =>
        begin(later, { question: `refused ${asked}`, talk: REFUSED_WITHDRAWAL, customer: partner }),
      )
  })
}

/** So long the partner who earns most lets it pile up, so that something waits for finance whatever was drawn. */
const SAVED_DAYS = 11

/** Once a week partners look whether there is enough to withdraw; the last days' requests wait for finance. */
export const withdrawWeekly: Deed = async (world) => {
  const waits = Date.now() > world.end - 2 * DAY_MS
  const saves = Date.now() > world.end - SAVED_DAYS * DAY_MS
  for (const [place, partner] of world.partners.entries()) {
    if (place === 0 && saves && !waits) continue
    for (const currency of ['EUR', 'GBP'] as const) {
      const available = await availableOf(world, partner, currency)
      if (available < MINIMUM_WITHDRAWAL_MINOR) continue
      const { count } = await world.deps.db
        .selectFrom('withdrawals')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow()
      const id = await ask(world, partner, currency, Math.floor(available / 100) * 100)
      if (waits) return
      settle(world, partner, id, Number(count) + 1)
    }
  }
}
