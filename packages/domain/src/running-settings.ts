import { readDisguise } from './disguise.ts'
import { CARRIERS, NOBODY } from './gateways.ts'
import { EMAIL } from './mailboxes.ts'
import { formatMinor, readAmount } from './money.ts'
import { REACH_CHECKS } from './node-reach.ts'
import { ENDED_KEPT_DAYS } from './nodes.ts'
import { isStatementDescriptor } from './statement-descriptor.ts'

/** A day costs something, so that there is something to pay. 1,000.00 at most. */
const MOST_PRICE = 100_000

/** Settings that change while the shop runs, and the form of each. */
export const RUNNING_SETTINGS = {
  announcement: { kind: 'line', most: 160 },
  'announcement-link': { kind: 'link', most: 200 },
  'operator-email': { kind: 'email' },
  'statement-descriptor': { kind: 'descriptor' },
  'node-reach-check': { kind: 'choice', of: REACH_CHECKS },
  'partner-hold-days': { kind: 'number', least: 0, most: 365 },
  'partner-minimum-spend': { kind: 'sum' },
  'expired-grace-days': { kind: 'number', least: 0, most: ENDED_KEPT_DAYS },
  'card-gateway': { kind: 'choice', of: CARRIERS.card },
  'card-second-gateway': { kind: 'choice', of: [NOBODY, ...CARRIERS.card] },
  'crypto-gateway': { kind: 'choice', of: [NOBODY, ...CARRIERS.crypto] },
  disguise: { kind: 'disguise' },
  'large-refund': { kind: 'sum' },
  'second-person': { kind: 'sum' },
  'payout-iban': { kind: 'account', part: 'iban' },
  'payout-bic': { kind: 'account', part: 'bic' },
  'payout-sort-code': { kind: 'account', part: 'sort-code' },
  'payout-account': { kind: 'account', part: 'account-number' },
  'price-day': { kind: 'sum', least: 1, most: MOST_PRICE },
  'price-connection': { kind: 'sum', least: 0, most: MOST_PRICE },
  'price-priority-bandwidth': { kind: 'sum', least: 0, most: MOST_PRICE },
  'price-ad-filter': { kind: 'sum', least: 0, most: MOST_PRICE },
  'price-malware-filter': { kind: 'sum', least: 0, most: MOST_PRICE },
  'price-family-filter': { kind: 'sum', least: 0, most: MOST_PRICE },
} as const satisfies Readonly<Record<string, Form>>

/**
 * Unless `large-refund` is set: operators who may not give back more to a customer, at once or in parts, ask one who may. In
 * minor units of whatever currency.
 */
export const LARGE_REFUND_MINOR = 5_000

/** Unless `second-person` is set: giving back more takes two operators. Above the dearest usual purchase, a year of three connections. */
export const SECOND_PERSON_MINOR = 50_000

/**
 * They decide what one operator may do alone, and who is told of it: to change them takes two, one of them an owner. What asks
 * for the second is emailed to the address that is there still.
 */
export const LIMIT_SETTINGS: readonly string[] = [
  'large-refund',
  'second-person',
  'operator-email',
] satisfies RunningSetting[]

export type AccountPart = 'iban' | 'bic' | 'sort-code' | 'account-number'

export type Form =
  | { kind: 'choice'; of: readonly string[] }
  | { kind: 'line' | 'link'; most: number }
  | { kind: 'disguise' }
  | { kind: 'email' }
  | { kind: 'descriptor' }
  /** Of the account that partners are paid from. Whether there can be such a one, the server knows. */
  | { kind: 'account'; part: AccountPart }
  | { kind: 'number'; least: number; most: number }
  /** In minor units of whatever currency. */
  | { kind: 'sum'; least?: number; most?: number }

export type RunningSetting = keyof typeof RUNNING_SETTINGS
export const RUNNING_SETTING_NAMES = Object.keys(RUNNING_SETTINGS) as RunningSetting[]

/** Days, or minor units of whatever currency, or a text. */
export type RunningValue = number | string

type Read = { value: RunningValue } | { fault: string }

const readLine = (typed: string, most: number): Read => {
  if (typed === '') return { fault: 'Please write a line, or take the setting away.' }
  if (/\p{Cc}/u.test(typed)) return { fault: 'Please write it on one line.' }
  return typed.length > most ? { fault: `At most ${most} characters.` } : { value: typed }
}

/** A page of the shop, or an address that is as safe as the shop's own. */
const isLink = (typed: string): boolean => {
  if (/^\/(?![/\\])[\w\-./?=&#%]*$/.test(typed)) return true
  if (!/^https:\/\//i.test(typed) || !URL.canParse(typed)) return false
  // What stands before an @ looks like the place that it leads to.
  const { username, password } = new URL(typed)
  return username === '' && password === ''
}

const readNumber = (typed: string, least: number, most: number): Read => {
  const number = /^\d{1,6}$/.test(typed) ? Number(typed) : -1
  return number < least || number > most
    ? { fault: `A whole number from ${least} to ${most}.` }
    : { value: number }
}

/** A value as an operator types it, or what is wrong with it. */
export const readRunningSetting = (name: RunningSetting, typed: string): Read => {
  const form: Form = RUNNING_SETTINGS[name]
  const text = typed.trim()
  if (form.kind === 'choice')
    return form.of.includes(text) ? { value: text } : { fault: `One of ${form.of.join(', ')}.` }
  if (form.kind === 'disguise') {
    const read = readDisguise(text)
    return 'fault' in read ? read : { value: text }
  }
  if (form.kind === 'email')
    return EMAIL.test(text) ? { value: text } : { fault: 'An address like hello@example.org.' }
  if (form.kind === 'descriptor')
    return isStatementDescriptor(text)
      ? { value: text }
      : {
          fault:
            '5 to 22 Latin letters, digits, blanks or signs of . , & * ’ / + # -, as statements show it.',
        }
  if (form.kind === 'account') {
    const plain = text.replaceAll(/[\s-]/g, '').toUpperCase()
    return /^[A-Z0-9]{1,34}$/.test(plain) ? { value: plain } : { fault: 'At most 34 letters and digits.' }
  }
  if (form.kind === 'number') return readNumber(text, form.least, form.most)
  if (form.kind === 'sum') {
    const minor = readAmount(text)
    if (minor === undefined) return { fault: 'An amount is written like 10.50.' }
    const { least = 0, most = Number.MAX_SAFE_INTEGER } = form
    return minor < least || minor > most
      ? { fault: `An amount from ${formatMinor(least)} to ${formatMinor(most)}.` }
      : { value: minor }
  }
  const line = readLine(text, form.most)
  if ('fault' in line || form.kind === 'line') return line
  return isLink(text)
    ? line
    : { fault: 'A page of the shop like /products, or an address that begins with https://.' }
}
