import { markOf } from '#network/marks.ts'
import type { PeerPolicy } from '#network/network.ts'

/** A customer's address in the kernel: its mark, and when it ends by itself. */
export type Element = { mark: number; expiresAt: Date | null }
export type Elements = ReadonlyMap<string, Element>

const MS = 1000

const mapOf = (address: string) => (address.includes(':') ? 'customers6' : 'customers4')

/** The elements that peers are to have now: an expired one has none. */
export const elementsOf = (policies: readonly PeerPolicy[], now: Date): Map<string, Element> => {
  const elements = new Map<string, Element>()
  for (const policy of policies) {
    if (policy.expiresAt && policy.expiresAt <= now) continue
    const element = { mark: markOf(policy), expiresAt: policy.expiresAt }
    elements.set(policy.ipv4, element)
    elements.set(policy.ipv6, element)
  }
  return elements
}

const line = (verb: string, table: string, map: string, items: readonly string[]): string =>
  items.length === 0 ? '' : `${verb} element inet ${table} ${map} { ${items.join(', ')} }\n`

const timeoutOf = ({ expiresAt }: Element, now: Date): string =>
  expiresAt ? ` timeout ${Math.max(1, Math.ceil((expiresAt.getTime() - now.getTime()) / MS))}s` : ''

/**
 * Puts `wanted` in the place of what `held` says is there at the same addresses, and takes `gone` away. An element
 * cannot be changed and one that has timed out cannot be deleted, so each old one is added (which is nothing if
 * it is there), deleted, and added anew; the kernel does all of it at one moment.
 */
export const changeText = (
  table: string,
  held: ReadonlyMap<string, number>,
  wanted: Elements,
  gone: readonly string[],
  now: Date,
): string => {
  const old = [...wanted.keys(), ...gone].filter((address) => held.has(address))
  return ['customers4', 'customers6']
    .map((map) => {
      const inMap = (address: string) => mapOf(address) === map
      const oldOnes = old.filter(inMap)
      const newOnes = [...wanted].filter(([address]) => inMap(address))
      return [
        line(
          'add',
          table,
          map,
          oldOnes.map((address) => `${address} : ${held.get(address)}`),
        ),
        line('delete', table, map, oldOnes),
        line(
          'add',
          table,
          map,
          newOnes.map(([address, element]) => `${address}${timeoutOf(element, now)} : ${element.mark}`),
        ),
      ].join('')
    })
    .join('')
}
