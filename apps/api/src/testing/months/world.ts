import type { Month } from '#accounting/month-end/month.ts'
import type { TestCustomer } from '#testing/customers.ts'
import type { CardForm } from '#testing/payments.ts'
import type { TestShop } from '#testing/test-shop.ts'
import type { Chance } from '#testing/torture/chance.ts'

/** Where a month is lived, and what is to be done of it when all has happened. */
export type World = {
  shop: TestShop
  month: Month
  /** Says when it is to have happened. */
  date: (paymentId: string, chance: Chance) => void
  /** Where a buyer is, as the checkout sends it; nothing where the shop does not ask. */
  place: (chance: Chance) => CardForm
  /** A withdrawal that is to be paid by a file for the bank. */
  payByFile: (id: string, draw: () => Date) => void
  dateWithdrawal: (id: string, draw: () => Date) => void
  /** They delete their account when all else has happened. */
  leave: (customer: TestCustomer) => void
  /** Gives the partners their share of what was paid so far. */
  credit: () => Promise<void>
}

/** Something that happens in a month. To add a kind is to write one of these, and to name it in DEEDS. */
export type Deed = (world: World, chance: Chance) => Promise<void>
