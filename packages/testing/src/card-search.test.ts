import { expect, test } from 'vitest'
import { findCards, findCode, findNamedCodes, markedCard } from './card-search.ts'

const PAN = markedCard(7)
const grouped = PAN.match(/.{4}/g) ?? []

test.each([
  ['plain', `{"pan":"${PAN}"}`],
  ['in groups', grouped.join(' ')],
  ['in groups with hyphens', grouped.join('-')],
  ['in an address', `?pan=${grouped.join('%20')}`],
  ['in an address, every character', [...PAN].map((digit) => `%3${digit}`).join('')],
  ['escaped', [...PAN].map((digit) => `\\u003${digit}`).join('')],
  ['in hexadecimal', Buffer.from(`{"pan":"${PAN}"`).toString('hex')],
  ['as a buffer in JSON', JSON.stringify(Buffer.from(PAN))],
  ['in two bytes to a character', Buffer.from(PAN, 'utf16le')],
  ['without its beginning', PAN.slice(6)],
])('a card number is found %s', (_, where) => {
  expect(findCards(where, [PAN])).not.toEqual([])
})

test.each(['', 'a', 'ab'])('a card number is found in Base64 after %j', (before) => {
  expect(findCards(Buffer.from(`${before}${PAN} and more`).toString('base64'), [PAN])).not.toEqual([])
  expect(
    findCards(Buffer.from(`${before}4111111111111111,`).toString('base64url'), ['4111111111111111']),
  ).not.toEqual([])
})

test('a masked number is none', () => {
  expect(findCards(`${PAN.slice(0, 6)}******${PAN.slice(-4)}`, [PAN])).toEqual([])
})

test('a security code is found by itself and by its name, and not in an id or a time', () => {
  expect(findCode('parameters: $1 = 7391', '7391')).not.toEqual([])
  expect(findNamedCodes(Buffer.from('\0{"cvv":"7391"}\0'))).toEqual(['cvv":"7391'])
  expect(findCode('2026-11-21 14:05:30.7391 [7391] 7f0c7391-7391-7391-7391-7f0c7f0c7391', '7391')).toEqual([])
})
