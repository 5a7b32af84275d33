import type { Obfuscation } from '@hedgerow/wireguard/amneziawg'

/** WireGuard, and AmneziaWG: made and spoken to alike, by other names. */
export type Dialect = Readonly<{
  /** What the kernel calls an interface of its own. */
  linkKind: string
  /** Where the kernel has none: a program, and the folder of its sockets. */
  program: 'wireguard-go' | 'amneziawg-go'
  sockets: string
  /** By which the kernel's is spoken to. */
  tool: 'wg' | 'awg'
}>

export const WIREGUARD: Dialect = {
  linkKind: 'wireguard',
  program: 'wireguard-go',
  sockets: '/var/run/wireguard',
  tool: 'wg',
}

export const AMNEZIAWG: Dialect = {
  linkKind: 'amneziawg',
  program: 'amneziawg-go',
  sockets: '/var/run/amneziawg',
  tool: 'awg',
}

export const DIALECTS = [WIREGUARD, AMNEZIAWG] as const

const PARAMETERS = ['s1', 's2', 's3', 's4', 'h1', 'h2', 'h3', 'h4'] as const

/** As an interface is told them; none for WireGuard. */
export const parametersOf = (obfuscation: Obfuscation | undefined): string[] =>
  obfuscation ? PARAMETERS.map((name) => `${name}=${obfuscation[name]}`) : []
