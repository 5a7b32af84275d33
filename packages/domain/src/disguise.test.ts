import { expect, test } from 'vitest'
import { DISGUISES, readDisguise } from './disguise.ts'

const own = (i1: string) => `Jc = 4, Jmin = 40, Jmax = 70, I1 = ${i1}`

test.each(Object.entries(DISGUISES))(
  'the look %s is taken by its name, and keeps the rules',
  (name, look) => {
    expect(readDisguise(name)).toEqual({ disguise: look })
    const { jc, jmin, jmax } = look
    const i1 = 'i1' in look ? `, I1 = ${look.i1}` : ''
    expect(readDisguise(`Jc = ${jc}, Jmin = ${jmin}, Jmax = ${jmax}${i1}`)).toEqual({ disguise: look })
  },
)

test('what looks like QUIC has the 1,200 bytes that its first packet has, and says how many follow', () => {
  const [head = '', length = ''] = DISGUISES.quic.i1.match(/0x[\da-f]+/g) ?? []
  expect(head).toBe('0xc30000000108')
  const bytes = [...DISGUISES.quic.i1.matchAll(/<r (\d+)>/g)].map(([, count]) => Number(count))
  expect(bytes).toEqual([8, 1000, 182])
  // A number of two bytes has 01 before it.
  expect(Number.parseInt(length.slice(-4), 16) - 0x4000).toBe(1182)
  expect(6 + 8 + 4 + 1182).toBe(1200)
})

test('it can be off, or an operator’s own', () => {
  expect(readDisguise('Off')).toEqual({ disguise: null })
  expect(readDisguise('jc=128,jmin=1,jmax=1232')).toEqual({ disguise: { jc: 128, jmin: 1, jmax: 1232 } })
  expect(readDisguise(own('<b 0xC0ff><r 40><rd 2><rc 3><t>'))).toEqual({
    disguise: { jc: 4, jmin: 40, jmax: 70, i1: '<b 0xC0ff><r 40><rd 2><rc 3><t>' },
  })
})

test.each([
  ['', 'One of'],
  ['constructor', 'One of'],
  ['Jc = 4', 'One of'],
  ['Jc = 4, Jmin = 40, Jmax = 70, S1 = 3', 'One of'],
  ['Jc = 4, Jmin = 40, Jmax = 70\nPostUp = reboot', 'One of'],
  ['Jc = 0, Jmin = 40, Jmax = 70', 'Jc'],
  ['Jc = 129, Jmin = 40, Jmax = 70', 'Jc'],
  ['Jc = 4, Jmin = 71, Jmax = 70', 'Jmin'],
  ['Jc = 4, Jmin = 0, Jmax = 70', 'Jmin'],
  ['Jc = 4, Jmin = 40, Jmax = 1233', 'Jmax'],
  [own(''), 'I1'],
  [own('<x 1>'), 'I1'],
  [own('<c>'), 'I1'],
  [own('<b 0x123>'), 'I1'],
  [own('<b 0x>'), 'I1'],
  [own('<r 0>'), 'I1'],
  [own('<r 1001>'), 'I1'],
  [own('<R 40>'), 'I1'],
  [own('<r 40> # a comment'), 'I1'],
  [own('<r 40>\nPostUp = reboot'), 'One of'],
  [own('<t>'.repeat(267)), 'characters'],
  [own('<r 1000><r 233>'), '1233 bytes'],
])('%j is none, and the operator reads why', (typed, why) => {
  expect(readDisguise(typed)).toEqual({ fault: expect.stringContaining(why) })
})
