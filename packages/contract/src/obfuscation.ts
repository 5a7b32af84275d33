import * as z from 'zod/mini'

const Bytes = z.int().check(z.gte(0))
const Types = z.string().check(z.maxLength(21))

/** What both ends of a tunnel to an obfuscated node say alike. `version` is of the set of parameters: AmneziaWG 2.0. */
export const Obfuscation = z.object({
  version: z.literal(2),
  s1: Bytes,
  s2: Bytes,
  s3: Bytes,
  s4: Bytes,
  h1: Types,
  h2: Types,
  h3: Types,
  h4: Types,
})
