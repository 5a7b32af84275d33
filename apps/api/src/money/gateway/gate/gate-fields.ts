import * as z from 'zod/mini'

/** PostgreSQL keeps neither a half of a character nor the one numbered zero. */
const keepable = (value: string | number) => String(value).toWellFormed().replaceAll('\0', '')

export const text = z.pipe(z.union([z.string(), z.number()]), z.transform(keepable))

/** An object of ours to read, or whatever else stands in its place (the gateway sends [] for an empty object). */
export const lenient = <T extends z.core.$ZodType>(schema: T) => z.catch(z.optional(schema), undefined)
