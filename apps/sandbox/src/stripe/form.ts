import { StripeError, shown } from '#stripe/stripe-error.ts'

type Form = Map<string, Form | string>
/** A form in which what is numbered has become a list. */
export type Params = { [name: string]: ParamValue }
type ParamValue = string | ParamValue[] | Params

const MOST_FIELDS = 1_000
const DEEPEST = 8
const NAME = /^([^[\]]+)((?:\[[^[\]]*\])*)$/

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw new StripeError(400, 'Invalid request: a form with broken escapes')
  }
}

/** `line_items[0][quantity]` as its steps. */
const stepsOf = (name: string): string[] => {
  const [, first = '', rest = ''] = NAME.exec(name) ?? []
  const steps = rest === '' ? [first] : [first, ...rest.slice(1, -1).split('][')]
  if (first === '' || steps.length > DEEPEST)
    throw new StripeError(400, `Invalid parameter name: ${shown(name)}`, { param: shown(name) })
  return steps
}

const put = (form: Form, name: string, value: string): void => {
  const steps = stepsOf(name)
  const last = steps.pop() ?? ''
  let at = form
  for (const step of steps) {
    const next: Form | string = at.get(step) ?? new Map()
    if (typeof next === 'string')
      throw new StripeError(400, `Invalid parameter: ${shown(name)}`, { param: shown(name) })
    at.set(step, next)
    at = next
  }
  at.set(last === '' ? String(at.size) : last, value)
}

/** Without a prototype: `__proto__` is a name like any other. */
const listsIn = (form: Form): Params =>
  Object.assign(
    Object.create(null),
    Object.fromEntries(
      [...form].map(([name, value]) => [name, typeof value === 'string' ? value : listOrForm(value)]),
    ),
  )

const listOrForm = (form: Form): ParamValue => {
  const params = listsIn(form)
  const isList = Object.keys(params).every((name, i) => name === String(i))
  return isList ? Object.values(params) : params
}

/** Reads a form, or a query, as Stripe writes it: brackets for depth and for lists. */
export const parseForm = (text: string): Params => {
  const form: Form = new Map()
  const pairs = text.split('&', MOST_FIELDS + 1)
  if (pairs.length > MOST_FIELDS) throw new StripeError(400, 'Invalid request: too many parameters')
  for (const pair of pairs) {
    if (pair === '') continue
    const [name = '', value = ''] = pair.split(/=(.*)/s, 2)
    put(form, decoded(name), decoded(value))
  }
  return listsIn(form)
}
