import * as z from 'zod/mini'
import type { Params } from '#stripe/form.ts'
import { StripeError, shown } from '#stripe/stripe-error.ts'

const EMPTY = 'You passed an empty string'
const INTEGER = 'Invalid integer'
const URL_INVALID = 'Not a valid URL'

const CODES: Record<string, string> = {
  [EMPTY]: 'parameter_invalid_empty',
  [INTEGER]: 'parameter_invalid_integer',
  [URL_INVALID]: 'url_invalid',
}

export const text = (most = 5_000) =>
  z.string().check(z.minLength(1, EMPTY), z.maxLength(most, `Must be at most ${most} characters`))

export const whole = z.pipe(z.string().check(z.regex(/^-?\d{1,12}$/, INTEGER)), z.transform(Number))
export const flag = z.pipe(
  z.enum(['true', 'false'], 'Invalid boolean'),
  z.transform((value) => value === 'true'),
)

const isAddress = (value: string): boolean => ['http:', 'https:'].includes(URL.parse(value)?.protocol ?? '')
export const address = text().check(z.refine(isAddress, URL_INVALID))

const MOST_KEYS = 50
/** An empty text takes a key away, and so it is nothing here. */
export const metadata = z.pipe(
  z
    .record(z.string().check(z.maxLength(40, 'Metadata keys have up to 40 characters')), text(500))
    .check(z.refine((map) => Object.keys(map).length <= MOST_KEYS, `Metadata has up to ${MOST_KEYS} keys`)),
  z.transform((map) => ({ ...map }) as Record<string, string>),
)

export const expand = z.optional(z.array(text(200)).check(z.maxLength(20, 'Too many expansions')))
const range = z.union([
  z.pipe(
    whole,
    z.transform((at) => ({ gte: at, lte: at, gt: undefined, lt: undefined })),
  ),
  z.strictObject({
    gt: z.optional(whole),
    gte: z.optional(whole),
    lt: z.optional(whole),
    lte: z.optional(whole),
  }),
])
export type Range = z.output<typeof range>

const limit = whole.check(z.refine((value) => value >= 1 && value <= 100, 'Limits are from 1 to 100'))
/** What every list takes. */
export const LIST = {
  limit: z.optional(limit),
  starting_after: z.optional(text(255)),
  ending_before: z.optional(text(255)),
  created: z.optional(range),
  expand,
}
export const aRange = z.optional(range)

const named = (path: readonly PropertyKey[]): string =>
  shown(path.map((step, i) => (i === 0 ? String(step) : `[${String(step)}]`)).join(''))

const isMissing = (params: Params, path: readonly PropertyKey[]): boolean => {
  let value: unknown = params
  for (const step of path) value = (value as Record<PropertyKey, unknown> | undefined)?.[step]
  return value === undefined
}

/** The parameters in the types that the call wants; throws what Stripe says to the first that is wrong. */
export const checkParams = <Shape extends z.ZodMiniType>(shape: Shape, params: Params): z.output<Shape> => {
  const result = z.safeParse(shape, params)
  if (result.success) return result.data
  const [issue] = result.error.issues
  if (!issue) throw result.error
  if (issue.code === 'unrecognized_keys') {
    const param = named([...issue.path, issue.keys[0] ?? ''])
    throw new StripeError(400, `Received unknown parameter: ${param}`, { code: 'parameter_unknown', param })
  }
  const param = named(issue.path)
  if (isMissing(params, issue.path))
    throw new StripeError(400, `Missing required param: ${param}.`, { code: 'parameter_missing', param })
  const code = CODES[issue.message]
  throw new StripeError(400, `Invalid ${param}: ${issue.message}`, { param, ...(code && { code }) })
}
