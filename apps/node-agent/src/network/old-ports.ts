import type { RulesOptions } from '#network/rules-options.ts'

type Ports = Pick<RulesOptions, 'listenPort' | 'oldPorts'>

const FAMILIES = [
  { number: 4, type: 'ipv4_addr', ip: 'ip' },
  { number: 6, type: 'ipv6_addr', ip: 'ip6' },
] as const

const setOf = (port: number, { number }: (typeof FAMILIES)[number]) => `via_${port}_${number}`

/**
 * Devices that came by an old port, as long as WireGuard remembers them. A stranger who sends from forged addresses fills
 * it: whoever comes by the old port then is answered from the new one, which most networks let in.
 */
export const oldPortSets = ({ oldPorts }: Ports): string =>
  oldPorts
    .flatMap((port) =>
      FAMILIES.map(
        (family) =>
          `\n  set ${setOf(port, family)} { type ${family.type} . inet_service; size 262144; flags dynamic,timeout; timeout 3m; }`,
      ),
    )
    .join('')

/**
 * What comes to an old port goes to WireGuard's, and what answers it leaves from the old one: the device's network lets in
 * no other. Ports are written over without the connection table, which knows nothing of WireGuard's socket. A device that
 * has another file now may come from the same place by another port.
 */
export const fromOldPorts = ({ listenPort, oldPorts }: Ports): string =>
  oldPorts
    .flatMap((port) => {
      const others = [listenPort, ...oldPorts].filter((other) => other !== port).join(', ')
      return [
        ...FAMILIES.map(
          (family) =>
            `udp dport { ${others} } delete @${setOf(port, family)} { ${family.ip} saddr . udp sport }`,
        ),
        ...FAMILIES.map(
          (family) =>
            `udp dport ${port} fib daddr type local update @${setOf(port, family)} { ${family.ip} saddr . udp sport }`,
        ),
        `udp dport ${port} fib daddr type local udp dport set ${listenPort}`,
      ]
    })
    .map((rule) => `\n    ${rule}`)
    .join('')

export const toOldPorts = ({ listenPort, oldPorts }: Ports): string =>
  oldPorts
    .flatMap((port) =>
      FAMILIES.map(
        (family) =>
          `\n    udp sport ${listenPort} ${family.ip} daddr . udp dport @${setOf(port, family)} udp sport set ${port}`,
      ),
    )
    .join('')
