import type { BankDetails } from '@hedgerow/domain/withdrawals'
import { isSEPACountry } from 'ibantools'
import { bacsText, sepaText } from '#partners/payout-files/payout-text.ts'

/** pain.001 takes 70 characters of a name, Bacs 18. */
export const SEPA_NAME_LONGEST = 70
export const BACS_NAME_LONGEST = 18

/** Whom a file can pay, in its own characters. */
export type SepaPayee = { name: string; iban: string }
export type BacsPayee = { name: string; sortCode: string; accountNumber: string }

/** Why a withdrawal cannot stand in a file: it is paid by hand. */
export type Unpayable = 'needs-iban' | 'outside-sepa' | 'foreign-account' | 'unwritable-name'

export const sepaPayee = (details: BankDetails): SepaPayee | Unpayable => {
  if (!('iban' in details)) return 'needs-iban'
  if (!isSEPACountry(details.iban.slice(0, 2))) return 'outside-sepa'
  const name = sepaText(details.accountHolder, SEPA_NAME_LONGEST)
  return name ? { name, iban: details.iban } : 'unwritable-name'
}

/** Country, check digits, bank, then sort code and account. */
const BRITISH_IBAN = /^GB\d{2}[A-Z]{4}(\d{6})(\d{8})$/

const accountOf = (details: BankDetails): { sortCode: string; accountNumber: string } | undefined => {
  if (!('iban' in details)) return { sortCode: details.sortCode, accountNumber: details.accountNumber }
  const [, sortCode, accountNumber] = BRITISH_IBAN.exec(details.iban) ?? []
  return sortCode && accountNumber ? { sortCode, accountNumber } : undefined
}

/** A British IBAN holds the sort code and the account number. */
export const bacsPayee = (details: BankDetails): BacsPayee | Unpayable => {
  const account = accountOf(details)
  if (!account) return 'foreign-account'
  const name = bacsText(details.accountHolder, BACS_NAME_LONGEST)
  return name ? { name, ...account } : 'unwritable-name'
}
