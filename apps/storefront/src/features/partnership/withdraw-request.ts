import { WithdrawRequest } from '@hedgerow/contract/partnership'
import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import { type CurrencyCode, formatMoney, readAmount, toMajor, toMinor } from '@hedgerow/domain/money'
import { MINIMUM_WITHDRAWAL_MINOR } from '@hedgerow/domain/withdrawals'
import * as z from 'zod/mini'

export type Available = Readonly<Record<CurrencyCode, number>>

/** The form as it is typed. */
export type WithdrawFields = {
  currency: CurrencyCode
  /** Which kind of account is given; the fields of the other are not sent. */
  account: 'iban' | 'sort_code'
  amount: string
  accountHolder: string
  iban: string
  sortCode: string
  accountNumber: string
}

const toRequest = ({
  currency,
  amount,
  account,
  accountHolder,
  ...bank
}: WithdrawFields): z.input<typeof WithdrawRequest> => ({
  currency,
  // What cannot be read is nothing, which has words of its own.
  amount: toMajor(readAmount(amount) ?? 0),
  accountHolder,
  ...(account === 'iban'
    ? { iban: bank.iban }
    : { sortCode: bank.sortCode, accountNumber: bank.accountNumber }),
})

type Requested = { currency: CurrencyCode; amount: number }

const minorOf = ({ amount }: Requested) => toMinor(amount) ?? 0

/** Judged at once, whatever is still missing elsewhere in the form. */
const always = () => true

/** What is sent, by the rules of the contract and within what is available. */
export const withdrawSchema = (available: Available) =>
  z.pipe(z.pipe(z.custom<WithdrawFields>(), z.transform(toRequest)), WithdrawRequest).check(
    z.refine((requested) => minorOf(requested) >= MINIMUM_WITHDRAWAL_MINOR, {
      path: ['amount'],
      when: always,
      error: ({ input }) => {
        const { amount, currency } = input as Requested
        const least = formatMoney(MINIMUM_WITHDRAWAL_MINOR, currency)
        return amount === 0 ? OUR_MESSAGES.withdrawalAmountFrom(least) : OUR_MESSAGES.withdrawalSmall(least)
      },
    }),
    z.refine((requested) => minorOf(requested) <= available[requested.currency], {
      path: ['amount'],
      when: always,
      error: ({ input }) => {
        const { currency } = input as Requested
        return OUR_MESSAGES.withdrawalLarge(formatMoney(available[currency], currency))
      },
    }),
  )
