import { maskEmail, maskLabel } from '@hedgerow/domain/masked'

/** A page that was looked at, as lists may show it: nothing here names a person. */
type Look = { group: string; label: string; to: string }

const KEY = 'looked at'
const MOST = 10

const asItIs = (title: string) => title

/** Pages about one thing, and what of their title is kept in the browser. */
const KINDS: readonly (readonly [path: RegExp, group: string, labelOf: (title: string) => string])[] = [
  [/^\/customers\/[^/]+$/, 'Customer', maskEmail],
  [/^\/inbox\/[^/]+$/, 'Conversation', maskLabel],
  [/^\/connections\/[^/]+$/, 'Connection', maskLabel],
  [/^\/payments\/[0-9a-f]{32}$/, 'Payment', asItIs],
  [/^\/orders\/[^/]+$/, 'Order', asItIs],
  [/^\/nodes\/[^/]+$/, 'Node', asItIs],
  [/^\/promocodes\/[^/]+$/, 'Promocode', asItIs],
  [/^\/partners\/[0-9a-f-]{36}$/, 'Partner', asItIs],
  [/^\/withdrawals\/[0-9a-f-]{36}$/, 'Withdrawal', asItIs],
  [/^\/finance\/(?:invoices|credit-notes)\/[^/]+$/, 'Document', asItIs],
]

type Kept = { by: string; looks: Look[] }

const isKept = (value: unknown): value is Kept =>
  typeof value === 'object' &&
  value !== null &&
  'by' in value &&
  'looks' in value &&
  Array.isArray(value.looks)

const read = (): Kept => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '')
    if (isKept(kept)) return kept
  } catch {
    // Nothing yet, or not ours.
  }
  return { by: '', looks: [] }
}

const write = (kept: Kept) => localStorage.setItem(KEY, JSON.stringify(kept))

/** The latest first. */
export const listLooks = (): readonly Look[] => read().looks

export const noteLook = (path: string, title: string): void => {
  const [, group = '', labelOf = asItIs] = KINDS.find(([pattern]) => pattern.test(path)) ?? []
  if (!group || title === group) return
  const { by, looks } = read()
  const others = looks.filter(({ to }) => to !== path)
  write({ by, looks: [{ group, label: labelOf(title), to: path }, ...others].slice(0, MOST) })
}

export const forgetLooks = (): void => localStorage.removeItem(KEY)

/** What another operator has looked at in this browser is no one else's to see. */
export const keepLooksOf = (operatorId: string): void => {
  if (read().by !== operatorId) write({ by: operatorId, looks: [] })
}
