import * as z from 'zod/mini'
import { CODES } from '#payments/codes.ts'
import { type FieldError, GateError } from '#payments/gate-error.ts'

/** Fields by their names with dots. What a rule says when it is broken is the constraint that the merchant reads. */
export type Fields = z.ZodMiniObject

const REQUIRED = 'required'

const isPresent = z
  .any()
  .check(z.refine((value) => value !== undefined && value !== null && value !== '', REQUIRED))

/** Nothing, null and an empty text are all missing. */
export const required = <Rule extends z.ZodMiniType>(rule: Rule) => z.pipe(isPresent, rule)

export const text = (max = 255, constraint = `string of at most ${max} characters`) =>
  z.string(constraint).check(z.maxLength(max, constraint))

export const matching = (pattern: RegExp, constraint: string) =>
  z.string(constraint).check(z.regex(pattern, constraint))

export const integer = (min: number, max: number, constraint = `integer from ${min} to ${max}`) =>
  z.int(constraint).check(z.gte(min, constraint), z.lte(max, constraint))

export const flag = z.boolean('boolean')

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const emailAddress = matching(/^[^@\s]{1,64}@[^@\s]{1,190}$/, 'email address')

export const ipAddress = z.union([z.ipv4(), z.ipv6()], 'IPv4 or IPv6 address')

export const isWebAddress = (value: string): boolean => {
  const protocol = URL.parse(value)?.protocol
  return protocol === 'http:' || protocol === 'https:'
}

const WEB_ADDRESS = 'http or https address of at most 255 characters'
export const webAddress = text(255, WEB_ADDRESS).check(z.refine(isWebAddress, WEB_ADDRESS))

export const amount = integer(1, 10 ** 13)
export const currency = matching(/^[A-Z]{3}$/, 'three capital letters (ISO 4217)')

const valueAt = (body: object, name: string): unknown => {
  let value: unknown = body
  for (const key of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

const errorOf = ([field, constraint]: [string, string]): FieldError => {
  const code = constraint === REQUIRED ? '2004' : '502'
  return { code, message: CODES[code], field, constraint }
}

/** Values are never repeated in an error: one of them is a card number. */
export const checkFields = (body: object, fields: Fields): void => {
  const values = Object.keys(fields.shape).map((name) => [name, valueAt(body, name)])
  const { error } = z.safeParse(fields, Object.fromEntries(values))
  if (!error) return
  /** One to a field, though it may break several rules. */
  const constraints = new Map(error.issues.map(({ path, message }) => [String(path[0]), message]))
  const errors = [...constraints].map(errorOf)
  throw new GateError(400, errors.some(({ code }) => code === '2004') ? '2004' : '502', errors)
}
