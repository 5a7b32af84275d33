import { describe, expect, test } from 'vitest'
import { isMadeOf, isMonotonous, knownForms } from './passwords.ts'

const TEXTS = ['Hedgerow', 'ada.lovelace@example.org', 'Ada Lovelace']

describe('a password is made of what everyone knows', () => {
  test.each([
    'hedgerow',
    'HedgeRow1',
    'hedgerow2026',
    'hedgerowhedgerow!',
    'ada.lovelace@example.org',
    'AdaLovelace7',
    'lovelace 1815',
    'example.org.1',
    'wireguard2024',
    'VPN-connection!',
    'PrivateInternet1',
    'H3dg3r0w!',
    'w1r3gu4rd99',
    '@dm1n.V.P.N',
    'white label 7',
    'Hedgerow-Support-24',
    'tunnel-tunnel',
  ])('%s', (password) => {
    expect(isMadeOf(password, TEXTS)).toBe(true)
  })

  test.each([
    'a wren in the hedge 42',
    'hedgerow birds at dawn',
    'ada likes tea and cake',
    '12345678',
    'Lovelace-to-the-moon',
    'a private thought of mine',
    'vpnqzrtkwm',
    '',
  ])('but not %j', (password) => {
    expect(isMadeOf(password, TEXTS)).toBe(false)
  })

  test('and short names are left out, which are in many words', () => {
    expect(isMadeOf('catalogue', ['Cat', 'al@x.io'])).toBe(false)
  })
})

test.each([
  ['        ', true],
  ['aaaaaaaa', true],
  ['abababab', true],
  ['aAaAaAaA', true],
  ['x7 x7 x7 ', false],
])('%j is one or two keys: %s', (password, is) => {
  expect(isMonotonous(password)).toBe(is)
})

test.each([
  ['Password1!', ['password1!', 'password']],
  ['Summer2024!', ['summer2024!', 'summer']],
  ['password', ['password']],
  ['sunflower 83746290', ['sunflower 83746290', 'sunflower 83']],
  ['Qwerty12345!', ['qwerty12345!', 'qwerty']],
])('%s is looked up as %j', (password, forms) => {
  expect(knownForms(password)).toEqual(forms)
})
