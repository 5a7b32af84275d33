import * as z from 'zod/mini'

/**
 * Something that an operator fills in for an act, or filters a list by. The schema checks it; the rest is what a form or a
 * command shows.
 *
 * How it is sent: `sum` is typed as 10.50 and sent in minor units; `number` is sent as a number; `day` is a day of London
 * (2026-11-26); `moment` is ISO 8601 in UTC; `lines` is a list of texts; `file` is a `SentFile`; everything else is text.
 */
export type OperatorField<S extends z.core.$ZodType = z.core.$ZodType> = Readonly<{
  kind: 'text' | 'words' | 'number' | 'sum' | 'day' | 'moment' | 'tick' | 'choice' | 'lines' | 'file'
  label: string
  hint?: string
  /** Of a choice. */
  options?: readonly (readonly [value: string, label: string])[]
  /** What a form shows at first, as it would be typed. */
  first?: string
  /** How many characters several lines of text may have. */
  most?: number
  schema: S
}>

export type OperatorFields = Readonly<Record<string, OperatorField>>

/** The largest file that is sent, and what a call with one may weigh: in base64 it is a third more. */
export const FILE_BYTES = 10_000_000
export const FILE_BODY_BYTES = 14_000_000

/** A file as its bytes in base64. */
export const SentFile = z.object({
  name: z.string().check(z.minLength(1), z.maxLength(200)),
  base64: z.string().check(z.maxLength(FILE_BODY_BYTES), z.regex(/^[A-Za-z0-9+/]*={0,2}$/)),
})

const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/

type More = { hint?: string; first?: string }

export const text = <S extends z.core.$ZodType>(label: string, schema: S, more: More = {}) => ({
  kind: 'text' as const,
  label,
  schema,
  ...more,
})

/** Several lines, of so many characters at most. */
export const words = (label: string, least: number, most: number, more: More = {}) => ({
  kind: 'words' as const,
  label,
  most,
  schema: z.string().check(z.trim(), z.minLength(least), z.maxLength(most)),
  ...more,
})

export const number = (label: string, least: number, most: number, more: More = {}) => ({
  kind: 'number' as const,
  label,
  schema: z.int().check(z.minimum(least), z.maximum(most)),
  ...more,
})

const LARGEST_SUM_MINOR = 1_000_000_000

export const sum = (label: string, more: More = {}) => ({
  kind: 'sum' as const,
  label,
  schema: z.int().check(z.minimum(1, 'The smallest sum is 0.01.'), z.maximum(LARGEST_SUM_MINOR)),
  ...more,
})

/** A sum in a query string; it may be nothing. */
export const querySum = (label: string) => ({
  kind: 'sum' as const,
  label,
  schema: z.coerce.number().check(z.int(), z.minimum(0), z.maximum(LARGEST_SUM_MINOR)),
})

export const day = (label: string, more: More = {}) => ({
  kind: 'day' as const,
  label,
  schema: z.string().check(z.regex(DAY, 'A day is written like 2026-11-01.')),
  ...more,
})

export const moment = (label: string, more: More = {}) => ({
  kind: 'moment' as const,
  label,
  schema: z.iso.datetime('A moment is written like 2026-11-01T12:00:00Z.'),
  ...more,
})

/** So many at most, of a GET that is no list. */
export const limit = (label: string, usual: number) => ({
  kind: 'number' as const,
  label,
  first: String(usual),
  schema: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1_000)), usual),
})

/** Not ticked, it is false. */
export const tick = (label: string, more: Pick<More, 'hint'> = {}) => ({
  kind: 'tick' as const,
  label,
  schema: z._default(z.boolean(), false),
  ...more,
})

type Options<V extends string> = readonly [readonly [V, string], ...(readonly [V, string])[]]

export const choice = <const V extends string>(label: string, options: Options<V>, more: More = {}) => ({
  kind: 'choice' as const,
  label,
  options,
  schema: z.enum(options.map(([value]) => value) as [V, ...V[]]),
  ...more,
})

/** A tick in a query string, where it is 'true'. */
export const queryTick = (label: string, more: Pick<More, 'hint'> = {}) => ({
  kind: 'tick' as const,
  label,
  schema: z._default(z.union([z.boolean(), z.literal('true')]), false),
  ...more,
})

/** One of these, each by its word. */
export const choiceOf = <const V extends string>(
  label: string,
  values: readonly V[],
  wordOf: (value: V) => string = (value) => value,
  more: More & { none?: string } = {},
) => ({
  kind: 'choice' as const,
  label,
  options: values.map((value) => [value, wordOf(value)] as const),
  schema: z.enum(values as readonly [V, ...V[]]),
  ...more,
})

/** A line each, at most 50 of 200 characters. */
export const lines = (label: string, more: Pick<More, 'hint'> = {}) => ({
  kind: 'lines' as const,
  label,
  schema: z._default(z.array(z.string().check(z.maxLength(200))).check(z.maxLength(50)), []),
  ...more,
})

/** At most FILE_BYTES; the endpoint's `bodyBytes` has to let it in. */
export const file = (label: string, more: Pick<More, 'hint'> = {}) => ({
  kind: 'file' as const,
  label,
  schema: SentFile,
  ...more,
})

/** The field, which may be left out. */
export const optional = <F extends OperatorField>(
  field: F,
): Omit<F, 'schema'> & { schema: z.ZodMiniOptional<F['schema']> } => ({
  ...field,
  schema: z.optional(field.schema as F['schema']),
})

/** The field, which is this where it is left out. */
export const withDefault = <F extends OperatorField>(
  field: F,
  value: z.output<F['schema']>,
): Omit<F, 'schema'> & { first: string; schema: z.ZodMiniDefault<F['schema']> } => ({
  ...field,
  first: String(value),
  schema: z._default(field.schema as F['schema'], value as never),
})

export const isOptional = ({ schema }: OperatorField): boolean => z.safeParse(schema, undefined).success

/** The schemas of the fields by their names, for a body or a list's filters. */
export const shapeOf = <F extends OperatorFields>(fields: F) =>
  Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])) as {
    [K in keyof F]: F[K]['schema']
  }

/** The body that is made of fields. */
export const bodyOf = <F extends OperatorFields>(fields: F) => z.object(shapeOf(fields))
