import { describe, expect, test } from 'vitest'
import { MARKS, resolverOf } from '#network/marks.ts'
import { portsBeside } from '#network/masquerading.ts'
import { resolverIpv4, resolverIpv6 } from '#network/own-addresses.ts'
import { resolverRules, tableOf, wholeTable } from '#network/rules.ts'
import { classLines, isOwnTree, treeIn } from '#network/shaper.ts'

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
  describe('where the kernel has fq_codel', () => {
    const FQ =
      'limit 10240p flows 1024 quantum 1514 target 5ms interval 100ms memory_limit 32Mb ecn drop_batch 64'
    const SIZES = 'ceil 1Gbit burst 250000b cburst 250000b'
    const listed = `qdisc htb 1: root refcnt 2 r2q 10 default 0x30 direct_packets_stat 0 direct_qlen 1000
qdisc fq_codel 8001: parent 1:10 ${FQ}
qdisc fq_codel 8002: parent 1:20 ${FQ}
qdisc fq_codel 8003: parent 1:30 ${FQ}
class htb 1:1 root rate 1Gbit ${SIZES}
class htb 1:10 parent 1:1 leaf 8001: prio 1 rate 800Mbit ${SIZES}
class htb 1:20 parent 1:1 leaf 8002: prio 2 rate 150Mbit ${SIZES}
class htb 1:30 parent 1:1 leaf 8003: prio 0 rate 50Mbit ${SIZES}`

    test('sees no change in flows that are waiting', () => {
      expect(
        treeIn(`${listed}\nclass fq_codel 8002:1a3 parent 8002: \nclass fq_codel 8001:7 parent 8001: `),
      ).toBe(treeIn(listed))
    })

    test.each([
      ['its own', listed, true],
      ['its own with other rates', listed.replace('800Mbit', '500Mbit'), true],
      ['with a class too few', listed.replace(/class htb 1:20.*\n/, ''), false],
      ['with a class elsewhere', listed.replace('1:20 parent 1:1', '1:20 parent 1:10'), false],
      ['with another default', listed.replace('0x30', '0x20'), false],
      ['with another queue in it', listed.replace('fq_codel 8002:', 'netem 8002:'), false],
      ['that the kernel made', 'qdisc noqueue 0: root refcnt 2 ', false],
    ])('knows a tree %s', (_, text, isOwn) => {
      expect(isOwnTree(treeIn(text))).toBe(isOwn)
    })
  })
})
