import * as z from 'zod/mini'

/**
 * Something that an operator says with an act. The schema checks it; the rest is what a form or a command shows. `sum` is
 * typed as 10.50 and sent in minor units, `day` is the end of that day in London.
 */
export type OperatorField<S extends z.core.$ZodType = z.core.$ZodType> = Readonly<{
  kind: 'text' | 'sum' | 'day' | 'tick' | 'choice'
  label: string
  hint?: string
  options?: readonly (readonly [value: string, label: string])[]
  schema: S
}>

export const sumField = (label: string, hint: string) => ({
  kind: 'sum' as const,
  label,
  hint,
  schema: z.optional(z.int().check(z.minimum(1, 'The smallest sum is 0.01.'), z.maximum(1_000_000_000))),
})

export const tickField = (label: string, hint?: string) => ({
  kind: 'tick' as const,
  label,
  ...(hint ? { hint } : {}),
  schema: z._default(z.boolean(), false),
})

export const dayField = (label: string, hint: string) => ({
  kind: 'day' as const,
  label,
  hint,
  schema: z.optional(z.iso.datetime()),
})

export const textField = <S extends z.core.$ZodType>(label: string, schema: S, hint?: string) => ({
  kind: 'text' as const,
  label,
  ...(hint ? { hint } : {}),
  schema,
})

type Options<V extends string> = readonly [readonly [V, string], ...(readonly [V, string])[]]

/** Left out, where `first` is not given, it says nothing. */
export const choiceField = <V extends string>(label: string, options: Options<V>) => ({
  kind: 'choice' as const,
  label,
  options,
  schema: z.optional(z.enum(options.map(([value]) => value) as [V, ...V[]])),
})

type Fields = Readonly<Record<string, OperatorField>>

/** The body that is made of fields. */
export const bodyOf = <F extends Fields>(fields: F) =>
  z.object(
    Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])) as {
      [K in keyof F]: F[K]['schema']
    },
  )
