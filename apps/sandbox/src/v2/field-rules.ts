import { isIP } from 'node:net'
import { CODES } from '#payments/codes.ts'
import { type FieldError, GateError } from '#payments/gate-error.ts'

export type Rule = { constraint: string; holds(value: unknown): boolean }
export type Field = { name: string; keys: readonly string[]; rule: Rule; isRequired: boolean }

export const required = (name: string, rule: Rule): Field => ({
  name,
  keys: name.split('.'),
  rule,
  isRequired: true,
})

export const optional = (name: string, rule: Rule): Field => ({ ...required(name, rule), isRequired: false })

export const text = (max = 255): Rule => ({
  constraint: `string of at most ${max} characters`,
  holds: (value) => typeof value === 'string' && value.length <= max,
})

export const matching = (pattern: RegExp, constraint: string): Rule => ({
  constraint,
  holds: (value) => typeof value === 'string' && pattern.test(value),
})

export const integer = (min: number, max: number): Rule => ({
  constraint: `integer from ${min} to ${max}`,
  holds: (value) => Number.isInteger(value) && (value as number) >= min && (value as number) <= max,
})

export const flag: Rule = { constraint: 'boolean', holds: (value) => typeof value === 'boolean' }

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const objectOf = (what: string): Rule => ({ constraint: `object of ${what}`, holds: isObject })

export const emailAddress: Rule = matching(/^[^@\s]{1,64}@[^@\s]{1,190}$/, 'email address')

export const ipAddress: Rule = {
  constraint: 'IPv4 or IPv6 address',
  holds: (value) => typeof value === 'string' && isIP(value) !== 0,
}

export const webAddress: Rule = {
  constraint: 'http or https address of at most 255 characters',
  holds: (value) => typeof value === 'string' && value.length <= 255 && isWebAddress(value),
}

export const isWebAddress = (value: string): boolean => {
  const protocol = URL.parse(value)?.protocol
  return protocol === 'http:' || protocol === 'https:'
}

export const amount = integer(1, 10 ** 13)
export const currency = matching(/^[A-Z]{3}$/, 'three capital letters (ISO 4217)')

const valueAt = (body: object, keys: readonly string[]): unknown => {
  let value: unknown = body
  for (const key of keys) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

const errorIn = (body: object, { name, keys, rule, isRequired }: Field): FieldError | undefined => {
  const value = valueAt(body, keys)
  if (isRequired && (value === undefined || value === null || value === '')) {
    return { code: '2004', message: CODES['2004'], field: name, constraint: 'required' }
  }
  return value === undefined || rule.holds(value) ? undefined : malformed(name, rule)
}

export const malformed = (field: string, rule: Rule): FieldError => ({
  code: '502',
  message: CODES['502'],
  field,
  constraint: rule.constraint,
})

/** Values are never repeated in an error: one of them is a card number. */
export const checkFields = (body: object, fields: readonly Field[]): void => {
  const errors = fields.map((field) => errorIn(body, field)).filter((error) => error !== undefined)
  if (errors.length === 0) return
  throw new GateError(400, errors.some((error) => error.code === '2004') ? '2004' : '502', errors)
}
