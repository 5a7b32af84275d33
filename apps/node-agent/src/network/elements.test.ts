import { describe, expect, test } from 'vitest'
import { changeText, elementsOf } from '#network/elements.ts'
import { durationMs, readElements } from '#network/kernel-table.ts'

const now = new Date('2026-11-21T12:00:00Z')
const peer = { ipv4: '10.0.0.2', ipv6: 'fd00::2', filters: 5, hasPriority: false, expiresAt: null }
const after = (ms: number) => new Date(now.getTime() + ms)

describe('The elements of customers', () => {
  test('are none for one that has expired', () => {
    expect(elementsOf([{ ...peer, expiresAt: now }], now).size).toBe(0)
    expect(elementsOf([{ ...peer, expiresAt: after(1) }], now).size).toBe(2)
  })

  test('end by themselves at the end of the connection, never before it', () => {
    const wanted = elementsOf([{ ...peer, expiresAt: after(90_001) }], now)
    expect(changeText('t', new Map(), wanted, [], now)).toBe(
      'add element inet t customers4 { 10.0.0.2 timeout 91s : 21 }\n' +
        'add element inet t customers6 { fd00::2 timeout 91s : 21 }\n',
    )
  })

  test('are replaced by adding what is held, deleting it, and adding the new one', () => {
    const held = new Map([['10.0.0.2', 16]])
    const wanted = new Map([['10.0.0.2', { mark: 24, expiresAt: null }]])
    expect(changeText('t', held, wanted, [], now)).toBe(
      'add element inet t customers4 { 10.0.0.2 : 16 }\n' +
        'delete element inet t customers4 { 10.0.0.2 }\n' +
        'add element inet t customers4 { 10.0.0.2 : 24 }\n',
    )
  })

  test('that are not held need no taking away', () => {
    expect(changeText('t', new Map(), new Map(), ['10.0.0.9', 'fd00::9'], now)).toBe('')
  })

  test('are read back from a listing', () => {
    const lines = [
      '\t\ttype ipv4_addr : mark',
      '\t\telements = { 10.0.0.2 timeout 30d expires 29d23h59m59s984ms : 0x00000010,',
      '\t\t\t     10.0.0.3 : 0x0000001f }',
    ]
    expect(lines.flatMap((line) => readElements(line, now))).toEqual([
      ['10.0.0.2', { mark: 16, expiresAt: after(durationMs('30d') - 16) }],
      ['10.0.0.3', { mark: 31, expiresAt: null }],
    ])
  })
})
