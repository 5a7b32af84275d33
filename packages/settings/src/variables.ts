/** What a variable may hold. Blanks around a value do not count, except in a secret; no message quotes a secret. */
import { isIP, isIPv4 } from 'node:net'
import { resolve } from 'node:path'
import * as z from 'zod/mini'
import { isPrivate } from './hosts.ts'

/** How a variable that is set is read. */
export type Form<Value> = z.ZodMiniType<Value, string>

/** A variable: its name, and how it is read whether it is set or not. */
export type Variable<Value> = Readonly<{ name: string; form: z.ZodMiniType<Value, string | undefined> }>

/** What follows the variable's name; it may quote what was read. */
type Explain = string | ((quoted: string) => string)

const errorOf =
  (explain: Explain) =>
  ({ input }: { input?: unknown }): string => {
    if (typeof explain === 'string') return explain
    // However strange it is, it stays in one line.
    return explain(`"${String(input).replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')}"`)
  }

/** A check of a form of text. */
export const must = (isRight: (value: string) => boolean, explain: Explain) =>
  z.refine<string>(isRight, { abort: true, error: errorOf(explain) })

export const secret = z.string('is required')
export const text = secret.check(z.trim())

/** A file or a folder, by its whole path. */
export const path = z.pipe(
  text,
  z.transform((value) => resolve(value)),
)

const numberIn = (min: number, max: number, kind: string, isKind: (value: number) => boolean) =>
  z.pipe(
    text.check(
      must(
        (value) => isKind(Number(value)) && Number(value) >= min && Number(value) <= max,
        (value) => `must be a ${kind} from ${min} to ${max}, not ${value}`,
      ),
    ),
    z.transform(Number),
  )

export const wholeNumber = (min: number, max: number) => numberIn(min, max, 'whole number', Number.isInteger)
export const number = (min: number, max: number) => numberIn(min, max, 'number', Number.isFinite)
const MOST_UNITS = 10_000

/** A sum in units of the currency, with two decimals at most; read as minor units. */
export const amount = z.pipe(
  text.check(
    must(
      (value) => /^\d{1,5}(?:\.\d{1,2})?$/.test(value) && Number(value) <= MOST_UNITS,
      (value) => `must be an amount like 2.50, from 0 to ${MOST_UNITS}, not ${value}`,
    ),
  ),
  // By text, so that no floating point takes part.
  z.transform((value) => {
    const [units, decimals = ''] = value.split('.')
    return Number(units) * 100 + Number(decimals.padEnd(2, '0'))
  }),
)

/** 0 takes any that is free. */
export const port = wholeNumber(0, 65_535)

const isPort = (value: string) => /^\d{1,5}$/.test(value) && Number(value) <= 65_535

/** The same, or 'off', which is null. */
export const portOrOff = z.pipe(
  text.check(
    must(
      (value) => value === 'off' || isPort(value),
      (value) => `must be a port from 0 to 65535, or off, not ${value}`,
    ),
  ),
  z.transform((value) => (value === 'off' ? null : Number(value))),
)

/** A whole number from 1 up, or 'auto', which `count` knows. */
export const countOrAuto = (most: number, count: () => number) =>
  z.pipe(
    text.check(
      must(
        (value) =>
          value === 'auto' || (/^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= most),
        (value) => `must be a whole number from 1 to ${most}, or auto, not ${value}`,
      ),
    ),
    z.transform((value) => (value === 'auto' ? Math.min(most, count()) : Number(value))),
  )

const oneOf = (choices: readonly string[]) =>
  choices.length > 2 ? `must be one of ${choices.join(', ')}` : `must be ${choices.join(' or ')}`

export const choice = <const Choice extends string>(
  choices: readonly Choice[],
  explain: Explain = oneOf(choices),
) => z.pipe(text, z.enum(choices, { error: errorOf(explain) }))

export const onOff = z.pipe(
  choice(['on', 'off'], (value) => `must be on or off, not ${value}`),
  z.transform((value) => value === 'on'),
)

export const logLevel = choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])

/** The protocols end with a colon, as those of a URL do. */
export const url = (
  protocols: readonly string[],
  explain: Explain = `must be an address that begins with ${protocols.join(' or ')}//`,
) => text.check(must((value) => protocols.includes(URL.parse(value)?.protocol ?? ''), explain))

export const HTTP = ['http:', 'https:'] as const

/** An address that paths are put after, so without a slash at its end. */
export const baseUrl = (...how: Parameters<typeof url>) =>
  url(...how).check(z.overwrite((value) => value.replace(/(?<!\/)\/+$/, '')))

/** The bits of a mask such as 255.255.0.0; undefined of one with holes. */
const lengthOfMask = (mask: string): number | undefined => {
  const bits = mask
    .split('.')
    .map((part) => Number(part).toString(2).padStart(8, '0'))
    .join('')
  return /^1*0*$/.test(bits) ? bits.replaceAll('0', '').length : undefined
}

/** How many bits of a network's address are fixed; undefined of what is no network. */
const lengthOf = (value: string): number | undefined => {
  const [address = '', prefix] = value.split(/\/(.*)/s)
  const family = isIP(address)
  const longest = family === 4 ? 32 : 128
  if (family === 0 || prefix === undefined) return family === 0 ? undefined : longest
  if (family === 4 && isIPv4(prefix)) return lengthOfMask(prefix)
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= longest ? Number(prefix) : undefined
}

/** Large proxy companies name networks of 12 and 29 bits, and private ones have 8. IPv6 has all of IPv4 once more in ::/8. */
const isForSome = (value: string): boolean => {
  const length = lengthOf(value) ?? 0
  const [address = ''] = value.split('/')
  if (isIPv4(address)) return length >= (isPrivate(address) ? 8 : 12)
  if (isPrivate(address)) return length >= 7
  return length >= (/^0{0,2}[\da-f]{0,2}:/i.test(address) ? 108 : 20)
}

/** An address, or a network as an address and a prefix or mask, that leaves most of the world out. */
export const network = text.check(
  must(
    (value) => lengthOf(value) !== undefined,
    (value) => `: ${value} is not an address or a network`,
  ),
  must(isForSome, (value) => `: ${value} is so wide that it includes strangers`),
)

/** A check of a list. */
export const atMost = (most: number) =>
  z.refine<readonly unknown[]>((items) => items.length <= most, `may hold at most ${most}`)

/** So many random bytes in Base64, but for those that `isDrawn` finds were not drawn by chance. */
export const key = (bytes: number, isDrawn: (key: Buffer) => boolean = () => true) =>
  z
    .pipe(
      text.check(
        must((value) => {
          const read = Buffer.from(value, 'base64')
          return read.length === bytes && read.toString('base64') === value
        }, `must be ${bytes} bytes in Base64 (openssl rand -base64 ${bytes})`),
      ),
      z.transform((value) => Buffer.from(value, 'base64')),
    )
    .check(
      z.refine(isDrawn, {
        error: `must be random, not typed or counted up (openssl rand -base64 ${bytes})`,
      }),
    )

export const optional = <Value>(name: string, form: Form<Value>): Variable<Value | undefined> => ({
  name,
  form: z.optional(form),
})

export const withDefault = <Value, const Default>(
  name: string,
  form: Form<Value>,
  whenUnset: Default,
): Variable<Value | Default> => ({
  name,
  form: z.pipe(
    z.optional(form),
    z.transform((value) => (value === undefined ? whenUnset : value)),
  ),
})

export const required = <Value>(name: string, form: Form<Value>, explain: string): Variable<Value> => ({
  name,
  form: z.pipe(z.string(explain), form),
})

/** Items with commas between them; none at all are as good as unset. */
export const list = <Item>(
  name: string,
  item: Form<Item>,
  whenUnset: readonly Item[] = [],
): Variable<readonly Item[]> => {
  const split = z.transform((value: string) => value.split(',').filter((part) => part.trim()))
  const items = z.pipe(z.pipe(text, split), z.array(item))
  return {
    name,
    form: z.pipe(
      z.optional(items),
      z.transform((read) => (read?.length ? read : whenUnset)),
    ),
  }
}
