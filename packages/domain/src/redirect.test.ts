import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { safeRedirect } from './redirect.ts'

describe('after logging in', () => {
  test.each([
    ['/profile', '/profile'],
    ['/checkout/12?a=b#c', '/checkout/12?a=b#c'],
    ['/products?days=30', '/products?days=30'],
    ['/', '/'],
    ['/resetting', '/resetting'],
    ['/%2f%2fevil.example', '/%2f%2fevil.example'],
    ['/a/../profile', '/profile'],
    ['/profile?next=https://evil.example', '/profile?next=https://evil.example'],
  ])('%j leads to %j', (wanted, path) => {
    expect(safeRedirect(wanted)).toBe(path)
  })

  test.each([
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\/evil.example',
    '\\\\evil.example',
    '\t//evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r/evil.example',
    ' //evil.example',
    'https://evil.example',
    'https:evil.example',
    'http://here.invalid/profile',
    'javascript:alert(1)',
    'data:text/html,x',
    'profile',
    '',
    '/..//evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '/./\\evil.example',
    '/login',
    '/login?redirectUrl=/login',
    '/signup',
    '/LOGIN/',
    '/confirm/the-token-of-somebody-else',
    '/confirm?email=eve@evil.example',
    '/a/../reset/the-token-of-somebody-else',
    '/%63onfirm/the-token-of-somebody-else',
    '/conf%69rm/the-token-of-somebody-else',
    '/confirm%2fthe-token-of-somebody-else',
    '/%4Cogin?redirectUrl=/login',
    '/confirm%zz',
    '/forgot',
    '/result?email=eve@evil.example',
    `/${'a'.repeat(3000)}`,
    `/${'ü'.repeat(1900)}`,
    null,
    undefined,
  ])('%j leads nowhere', (wanted) => {
    expect(safeRedirect(wanted)).toBeUndefined()
  })

  test('no text leads to another site, whatever it is made of', () => {
    const piece = fc.constantFrom('/', '\\', '.', '..', '\t', '\n', ':', '@', '%2f', 'evil.example', '?', '#')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const path = safeRedirect(pieces.join(''))
        if (path === undefined) return
        expect(new URL(path, 'https://shop.example').origin).toBe('https://shop.example')
      }),
      { numRuns: 3000 },
    )
  })
})
