/** What a client sends by itself before each handshake. Any node takes it for noise: WireGuard's own do, too. */
export type Disguise = {
  /** Packets of random bytes, and how long they are. */
  jc: number
  jmin: number
  jmax: number
  /** A packet before those, as AmneziaWG's tags describe it. */
  i1?: string | undefined
}

/** What both ends say alike, or neither hears the other. */
export type Obfuscation = {
  /** Of the protocol: AmneziaWG 2.0. */
  version: 2
  /** Random bytes before an initiation, a response, a cookie and data. */
  s1: number
  s2: number
  s3: number
  s4: number
  /** The types of the same four messages, each a range of numbers: `x-y`. */
  h1: string
  h2: string
  h3: string
  h4: string
}

/**
 * What WireGuard itself does. AmneziaVPN takes a file for AmneziaWG's only where it says these, and otherwise ignores the
 * disguise in it.
 */
const NOT_OBFUSCATED = { s1: 0, s2: 0, h1: 1, h2: 2, h3: 3, h4: 4 } as const

const DISGUISE_KEYS = ['jc', 'jmin', 'jmax'] as const
const OBFUSCATION_KEYS = ['s1', 's2', 's3', 's4', 'h1', 'h2', 'h3', 'h4'] as const

/** The lines of a file's [Interface]; none where nothing is set, so that the file stays WireGuard's own. */
export const amneziaWgLines = (
  disguise: Disguise | undefined,
  obfuscation: Obfuscation | undefined,
): string => {
  const both: Partial<Record<(typeof OBFUSCATION_KEYS)[number], number | string>> =
    obfuscation ?? (disguise ? NOT_OBFUSCATED : {})
  const settings = [
    ...DISGUISE_KEYS.map((key) => [key, disguise?.[key]] as const),
    ...OBFUSCATION_KEYS.map((key) => [key, both[key]] as const),
    ['i1', disguise?.i1] as const,
  ]
  return settings
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key[0]?.toUpperCase()}${key.slice(1)} = ${value}\n`)
    .join('')
}
