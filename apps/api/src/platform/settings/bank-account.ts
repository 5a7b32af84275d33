import type { AccountPart } from '@hedgerow/domain/running-settings'
import { isValidBIC, isValidIBAN } from 'ibantools'

/** What names an account that the company pays from: what each part is, and what is said of anything else. */
export const ACCOUNT_PARTS: Readonly<
  Record<AccountPart, { isValid: (plain: string) => boolean; fault: string }>
> = {
  iban: {
    isValid: (iban) => isValidIBAN(iban),
    fault: 'must be an IBAN, like GB33 BUKB 2020 1555 5555 55',
  },
  bic: { isValid: (bic) => isValidBIC(bic), fault: 'must be a BIC, like BUKBGB22' },
  'sort-code': { isValid: (code) => /^\d{6}$/.test(code), fault: 'must be six digits, like 00-11-22' },
  'account-number': { isValid: (number) => /^\d{8}$/.test(number), fault: 'must be eight digits' },
}

/** Without the blanks and hyphens that people type; undefined for what is none. */
export const readAccountPart = (part: AccountPart, typed: string): string | undefined => {
  const plain = typed.replaceAll(/[\s-]/g, '').toUpperCase()
  return ACCOUNT_PARTS[part].isValid(plain) ? plain : undefined
}
