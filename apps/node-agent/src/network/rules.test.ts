import { describe, expect, test } from 'vitest'
import { MARKS, resolverOf } from '#network/marks.ts'
import { portsBeside } from '#network/masquerading.ts'
import { resolverIpv4, resolverIpv6 } from '#network/own-addresses.ts'
import { resolverRules, tableOf, wholeTable } from '#network/rules.ts'
import { classLines } from '#network/shaper.ts'

const options = {
  interfaceName: 'wg0',
  ipv4: '10.90.0.0/16',
  ipv6: 'fd90::/64',
  listenPort: 51820,
  oldPorts: [],
}
const limits = { connectionsAtOnce: 4000, piecesASecond: 2000 }

describe('The rules', () => {
  test('send every mark’s questions to the resolver of its filters', () => {
    const text = resolverRules(options)
    for (const mark of MARKS) {
      expect(text).toContain(`${mark} : ${resolverIpv4(resolverOf(mark))}`)
      expect(text).toContain(`${mark} : ${resolverIpv6(resolverOf(mark))}`)
    }
  })

  test('track the connections to each resolver in a zone of its own', () => {
    const zones = /zone set meta mark map \{(.*)\}/.exec(resolverRules(options))?.[1] ?? ''
    for (const mark of MARKS) expect(`${zones.trimEnd()},`).toContain(` ${mark} : ${resolverOf(mark)},`)
  })

  test('replace the whole table in one transaction, with the elements in it', () => {
    const text = wholeTable(options, limits, 'add element inet hedgerow_wg0 customers4 { 10.90.0.2 : 16 }\n')
    expect(text.startsWith('add table inet hedgerow_wg0\ndelete table inet hedgerow_wg0\ntable')).toBe(true)
    expect(text.endsWith('{ 10.90.0.2 : 16 }\n')).toBe(true)
  })

  test.each([
    [[51_820], 1_024, 51_819],
    [[443], 1_024, 65_535],
    [[1_024], 1_025, 65_535],
    [[30_000], 30_001, 65_535],
    [[65_535], 1_024, 65_534],
    [[51_820, 443], 1_024, 51_819],
    [[40_000, 20_000, 60_000], 40_001, 59_999],
    [[51_820, 51_821], 1_024, 51_819],
  ])('give customers the longest stretch of ports beside WireGuard’s, which are %j', (ports, first, last) => {
    expect(portsBeside(ports)).toEqual([first, last])
  })

  test('need no /etc/protocols, which a bare server lacks', () => {
    expect(wholeTable(options, limits, '')).not.toContain('ipv6-icmp')
  })

  test('are in a table that nft can name, whatever the interface is called', () => {
    expect(tableOf('wg-berlin.1')).toBe('hedgerow_wg_berlin_1')
  })
})

describe('The shaper', () => {
  const ratesOf = (side: 'tunnel' | 'uplink', prioritySharePercent: number) =>
    classLines('wg0', side, {
      bandwidthMbit: 100,
      prioritySharePercent,
    }).flatMap((line) => /classid (1:\d\d) htb rate (\d+)kbit ceil (\d+)kbit/.exec(line)?.slice(1) ?? [])

  test('is sure of the priority share into the tunnel, and lets everyone borrow all of it, with room for what WireGuard adds', () => {
    expect(ratesOf('tunnel', 80)).toEqual([
      '1:30',
      '4500',
      '90000',
      '1:10',
      '72000',
      '90000',
      '1:20',
      '13500',
      '90000',
    ])
  })

  test.each([1, 50, 99])(
    'never promises more than there is, and something to everyone, at %i percent',
    (share) => {
      for (const side of ['tunnel', 'uplink'] as const) {
        const rates = ratesOf(side, share)
          .filter((_, index) => index % 3 === 1)
          .map(Number)
        expect(rates.reduce((sum, rate) => sum + rate, 0)).toBeLessThanOrEqual(100_000)
        for (const rate of rates) expect(rate).toBeGreaterThan(0)
      }
    },
  )
})
