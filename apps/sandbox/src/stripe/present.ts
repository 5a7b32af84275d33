import type { ShelfName, StripeBooks } from '#stripe/stripe-books.ts'
import { noSuch, StripeError, shown } from '#stripe/stripe-error.ts'

/** What is kept beside an object, or shows only where it is asked for. */
const HIDDEN: Record<string, readonly string[]> = {
  'checkout.session': ['line_items'],
  balance_transaction: ['payout'],
  webhook_endpoint: ['signingSecret', 'rolled'],
}

type Plain = Record<string, unknown>

const without = (value: Plain, names: readonly string[]): Plain =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)))

/** An object as Stripe shows it: a copy, to which an expansion may be added. */
export const present = (value: object): Plain => {
  const plain = value as Plain
  const visible = without(plain, HIDDEN[String(plain.object)] ?? [])
  if (plain.object === 'balance_transaction')
    visible.status = Number(plain.available_on) * 1_000 <= Date.now() ? 'available' : 'pending'
  return visible
}

const SHELVES: Record<string, [ShelfName, string]> = {
  cs: ['sessions', 'checkout.session'],
  pi: ['intents', 'payment_intent'],
  ch: ['charges', 'charge'],
  py: ['charges', 'charge'],
  re: ['refunds', 'refund'],
  pyr: ['refunds', 'refund'],
  du: ['disputes', 'dispute'],
  txn: ['transactions', 'balance transaction'],
  po: ['payouts', 'payout'],
}

const findAny = (books: StripeBooks, id: string): object | undefined => {
  const [prefix = ''] = id.split('_', 1)
  // What is looked for may be any text of a caller's.
  const shelf = Object.hasOwn(SHELVES, prefix) ? SHELVES[prefix] : undefined
  return shelf && books[shelf[0]].find(id)
}

const DEEPEST = 4

const cannot = (path: string): StripeError =>
  new StripeError(400, `This property cannot be expanded (${shown(path)}).`, { param: 'expand' })

const expandIn = (books: StripeBooks, value: Plain, steps: readonly string[], path: string): void => {
  const [step, ...rest] = steps
  if (step === undefined) return
  if (!Object.hasOwn(value, step)) {
    const kept = findAny(books, String(value.id)) as Plain | undefined
    if (!kept || !HIDDEN['checkout.session']?.includes(step) || kept[step] === undefined) throw cannot(path)
    Object.assign(value, { [step]: kept[step] })
  }
  const inner = value[step]
  if (inner === null) return
  if (typeof inner === 'string') {
    const found = inner === value.id ? undefined : findAny(books, inner)
    if (!found) throw cannot(path)
    Object.assign(value, { [step]: present(found) })
  } else if (typeof inner !== 'object') throw cannot(path)
  for (const each of Array.isArray(value[step]) ? value[step] : [value[step]])
    expandIn(books, each as Plain, rest, path)
}

/** Puts objects in place of their ids, by paths such as `payment_intent.latest_charge`. */
export const expanded = (books: StripeBooks, value: Plain, paths: readonly string[] = []): Plain => {
  for (const path of paths) {
    const steps = path.split('.', DEEPEST + 2)
    if (steps.length > DEEPEST + 1)
      throw new StripeError(400, `You cannot expand more than ${DEEPEST} levels of a property.`, {
        param: 'expand',
      })
    expandIn(books, value, steps, path)
  }
  return value
}

type Page = {
  limit?: number | undefined
  starting_after?: string | undefined
  ending_before?: string | undefined
}

/** A page of what is newest first. */
export const presentList = <Item extends { id: string }>(
  items: readonly Item[],
  { limit = 10, starting_after, ending_before }: Page,
  url: string,
) => {
  const at = (id: string, param: string): number => {
    const index = items.findIndex((item) => item.id === id)
    if (index < 0) throw noSuch('object', id, param)
    return index
  }
  const end = ending_before === undefined ? items.length : at(ending_before, 'ending_before')
  const from = starting_after === undefined ? 0 : at(starting_after, 'starting_after') + 1
  const start = ending_before === undefined ? from : Math.max(from, end - limit)
  const data = items.slice(start, Math.min(start + limit, end)).map(present)
  const hasMore = ending_before === undefined ? start + limit < end : start > from
  return { object: 'list', data, has_more: hasMore, url }
}
