import type { WithdrawRequest } from '@hedgerow/contract/partnership'
import { OUR_MESSAGES } from '@hedgerow/domain/messages'
import type { BankDetails } from '@hedgerow/domain/withdrawals'
import { isValidIBAN } from 'ibantools'
import type { KeyCipher } from '#platform/crypto/key-cipher.ts'
import { invalidField } from '#platform/http/problems.ts'

/** What was typed, once the check digits and the country's length and shape are right. */
export const readBankDetails = ({
  accountHolder,
  iban,
  sortCode,
  accountNumber,
}: WithdrawRequest): BankDetails => {
  if (iban === undefined)
    return { accountHolder, sortCode: sortCode as string, accountNumber: accountNumber as string }
  if (!isValidIBAN(iban)) throw invalidField('iban', OUR_MESSAGES.iban)
  return { accountHolder, iban }
}

export const methodOf = (details: BankDetails): 'iban' | 'sort_code' =>
  'iban' in details ? 'iban' : 'sort_code'

/** Enough for the holder to recognise the account. */
export const lastFourOf = (details: BankDetails): string =>
  ('iban' in details ? details.iban : details.accountNumber).slice(-4)

/** The context of the seal: bound to its withdrawal, so that no other sealed value can take its place. */
export const ownerOfBankDetails = (withdrawalId: string) => `withdrawal:${withdrawalId}`

export const sealBankDetails = (cipher: KeyCipher, details: BankDetails, withdrawalId: string): Buffer =>
  cipher.encryptText(JSON.stringify(details), ownerOfBankDetails(withdrawalId))

/** Throws when it was sealed by another key. */
export const openBankDetails = (cipher: KeyCipher, sealed: Buffer, withdrawalId: string): BankDetails =>
  JSON.parse(cipher.decryptText(sealed, ownerOfBankDetails(withdrawalId)))
