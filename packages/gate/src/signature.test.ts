import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isSignedBy, signatureOf, stringToSign } from './signature.ts'

/** Published by the gateway's own software kits and documentation (docs on the Gate, test vectors). */
const VECTORS: [source: string, key: string, body: object, signature: string][] = [
  [
    'PHP and JavaScript kit, a payment page',
    'secret',
    {
      customer: { project_id: 0, id: 'sutm_id' },
      card: {
        pan: '4242424242424242',
        year: 2020,
        month: 8,
        card_holder: 'John Smith',
        cvv: '123',
        save: true,
      },
      frame_mode: 'popup',
    },
    'lY0LTSAzpR7zGce5qfYGacOuYlHGWqkMcQlqmjlsDDZI2gVcE1qVeWANnkIR7mdOqRXJnL1kO0lUmkQ0YYLWRg==',
  ],
  [
    'Go kit',
    'qwerty',
    {
      project_id: 11,
      payment_currency: 'EUR',
      frame_mode: 'popup',
      some_bool_param: true,
      two_levels_param: { param1: 1, param2: 2 },
    },
    'ehwG+e+Sq6b0QEek2hmHGUFzViX9/Xfcgnh0Ysn1+AqCY8BsKhC/Vcyr4XH8CKXW3iS0vW9S2mTwOt/0Ozf5pg==',
  ],
  [
    'Python kit',
    'qwerty',
    { payment: { id: 'test-payment', status: 'success' }, some_bool_param: true, frame_mode: 'popup' },
    'TZS0J65ReNUMgKzeXUey9xOGGyC7r4OhsFXt/3H8XZM2Le8Wot2E1NIjeSPOyV1F3sUU6F3kfo9om2dhbe3ieA==',
  ],
  [
    'Python kit, arrays and null',
    'qwerty',
    {
      payment: { id: 'test-payment' },
      errors: [
        { code: '123', message: 'grand crash', description: ['description-str', { description1: 1 }] },
        { code: '456', message: 'minor crash', description: null },
      ],
    },
    'dxjnun8oySSl0CWlhhjy/k1V9CZcCtaHvu/Y5qJQbWHq8wd6TqTUt4bIfHrlWxT8ba9NOJfkgGHrGc5OgyQVGA==',
  ],
  [
    'PHP kit, a callback',
    'secret',
    { payment: { id: '000049', status: 'success' } },
    '/3TrhHVz9BHaLfgLyhoxO7dsQNzbzZa/TdO3pxQocXWwgVM6tGlzMLVfpOxFNTnkR9iiFVK/77ZedMcbkCjmng==',
  ],
  [
    'documentation, a sale',
    'secret',
    {
      general: { project_id: 3254, payment_id: 'id_38202316' },
      customer: {
        id: '585741',
        email: 'johndoe@example.com',
        first_name: 'John',
        last_name: 'Doe',
        address: 'Downing str., 23',
        identify: { doc_number: '54122312544' },
        ip_address: '198.51.100.47',
      },
      payment: { amount: 10800, currency: 'USD', description: 'Computer keyboards' },
      receipt_data: {
        positions: [{ quantity: '10', amount: '108', description: 'Computer keyboard' }],
      },
      return_url: {
        success: 'https://paymentpage.example.com/complete-redirect?id=success',
        decline: 'https://paymentpage.example.com/complete-redirect?id=decline',
      },
    },
    'lagSnuspAn+F6XkmQISqwtBg0PsiTy62fF9x33TM+278mnufIDZyi1yP0BQALuCxyikkIxIMbodBn2F8hMdRwA==',
  ],
]

const KEY = 'gate-demo-key-1'

const SALE = {
  general: {
    project_id: 57123,
    payment_id: 'ord_7f3a',
    merchant_callback_url: 'https://shop.example/api/v1/payment/callback',
  },
  payment: { amount: 3405, currency: 'GBP', description: 'Timed VPN: 30 days' },
  card: {
    pan: '4314220000000056',
    year: 2030,
    month: 12,
    card_holder: 'JANE DOE',
    cvv: '123',
    save: false,
  },
  customer: { id: 'u_42', ip_address: '203.0.113.10', email: 'jane@example.com', js_enabled: true },
  return_url: {
    success: 'https://shop.example/payment/success',
    decline: 'https://shop.example/payment/reject',
  },
}

describe('the string that is signed', () => {
  test('is the one of the JavaScript kit’s test', () => {
    const body = {
      0: null,
      a: { b: 1, c: 2 },
      d: false,
      f: ['g', { h: 7, i: { k: 8 } }],
      e: [4, 5],
      l: { m: [{ n: 9 }] },
    }
    expect(stringToSign(body)).toBe('0:;a:b:1;a:c:2;d:0;e:0:4;e:1:5;f:0:g;f:1:h:7;f:1:i:k:8;l:m:0:n:9')
  })

  test('is the one of the worked example', () => {
    expect(stringToSign(SALE)).toBe(
      'card:card_holder:JANE DOE;card:cvv:123;card:month:12;card:pan:4314220000000056;card:save:0;card:year:2030;' +
        'customer:email:jane@example.com;customer:id:u_42;customer:ip_address:203.0.113.10;customer:js_enabled:1;' +
        'general:merchant_callback_url:https://shop.example/api/v1/payment/callback;general:payment_id:ord_7f3a;' +
        'general:project_id:57123;payment:amount:3405;payment:currency:GBP;payment:description:Timed VPN: 30 days;' +
        'return_url:decline:https://shop.example/payment/reject;return_url:success:https://shop.example/payment/success',
    )
  })

  test('doubles a colon in a key, and not in a value', () => {
    expect(stringToSign({ 'a:b': 'c:d' })).toBe('a::b:c:d')
  })

  test('leaves out empty objects and arrays, and fields that are undefined', () => {
    expect(stringToSign({ a: [], b: {}, c: undefined, d: '' })).toBe('d:')
  })

  test('sorts array items by number, also beyond the tenth', () => {
    const items = Array.from({ length: 120 }, (_, i) => `v${i}`)
    const lines = items.map((value, i) => `list:${i}:${value}`)
    expect(stringToSign({ list: items })).toBe(lines.join(';'))
  })

  test('sorts capitals before small letters, unlike a dictionary', () => {
    expect(stringToSign({ account: 1, AuthCode: 2, a_b: 3 })).toBe('AuthCode:2;a_b:3;account:1')
  })

  test('does not depend on the order of the fields', () => {
    const shuffled = (body: object, order: number[]) =>
      Object.fromEntries(
        Object.entries(body)
          .map((entry, i) => [order[i % order.length] ?? 0, entry] as const)
          .sort(([a], [b]) => a - b)
          .map(([, entry]) => entry),
      )
    const key = fc.stringMatching(/^[a-zA-Z0-9_:.-]{1,6}$/)
    fc.assert(
      fc.property(
        fc.dictionary(key, fc.string(), { maxKeys: 12 }),
        fc.array(fc.nat(), { minLength: 1 }),
        (body, order) => {
          expect(stringToSign(shuffled(body, order))).toBe(stringToSign(body))
        },
      ),
      { numRuns: 2000 },
    )
  })
})

/** Natural order as it is described, and slowly: runs of digits compare as numbers, all else by code units. */
const describedOrder = (a: string, b: string): number => {
  const parts = (text: string) => text.match(/\d+|\D/g) ?? []
  const [left, right] = [parts(a), parts(b)]
  for (const [i, l] of left.entries()) {
    const r = right[i]
    if (r === undefined) return 1
    const areNumbers = /\d/.test(l) && /\d/.test(r)
    if (areNumbers && BigInt(l) !== BigInt(r)) return BigInt(l) < BigInt(r) ? -1 : 1
    if (!areNumbers && l !== r) return l < r ? -1 : 1
  }
  return left.length - right.length
}

test('paths are signed in natural order, whatever they are made of', () => {
  const key = fc.stringMatching(/^(?:[a-c:;Z_.]|0{0,2}[1-9]{1,3}|1|10|é){1,6}$/)
  fc.assert(
    fc.property(fc.uniqueArray(key, { maxLength: 8 }), (keys) => {
      const signed = stringToSign(Object.fromEntries(keys.map((name) => [name, ''])))
      const paths = keys.map((name) => name.replaceAll(':', '::'))
      // Where only zeros before a number tell two apart, the order does not matter.
      const isClear = paths.every((a) => paths.every((b) => a === b || describedOrder(a, b) !== 0))
      fc.pre(isClear)
      expect(signed).toBe(
        paths
          .toSorted(describedOrder)
          .map((path) => `${path}:`)
          .join(';'),
      )
    }),
    { numRuns: 3000 },
  )
})

describe('a signature', () => {
  test.each(VECTORS)('is the published one: %s', (_, key, body, signature) => {
    expect(signatureOf(body, key)).toBe(signature)
  })

  test.each([
    [
      'sale',
      SALE,
      'kb6s2EknCFg/lfD5ZX7W5h1Genrl0oKYTr106NSYYJiwCYJacvOLn7/mEJEePTr2xlkfNQAqFTioBZN9O9scVQ==',
    ],
    [
      'status',
      { general: { project_id: 57123, payment_id: 'ord_7f3a' } },
      'xTEj7kzMfdig0fXZEiWsdwf8XmlSekQttuPy57jhq0tEc0YHbgn9/fuAtZYBuE/v2YM7qNA2qYEql0jEQJQvmQ==',
    ],
    [
      '3-D Secure result',
      { general: { project_id: 57123, payment_id: 'ord_7f3a' }, pares: 'cGFyZXM=', md: 'bWQ=' },
      'JKtuFo+IRpnzhrGGFWSzhPUBG5raQ+n/WodCVYlNqg3XMqdnRQNCItzWls8nLy5ofeGokeAwPB9hPfIdYELaSw==',
    ],
  ])('is that of the worked example: %s', (_, body, signature) => {
    expect(signatureOf(body, KEY)).toBe(signature)
  })

  test('is found at the root of a body and in its general part', () => {
    const signature = signatureOf(SALE, KEY)
    expect(isSignedBy({ ...SALE, signature }, KEY)).toBe(true)
    expect(isSignedBy({ ...SALE, general: { ...SALE.general, signature } }, KEY)).toBe(true)
  })

  test('changes with every value of the body', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.string(), { minKeys: 1 }), (body) => {
        const signature = signatureOf(body, KEY)
        const [name = ''] = Object.keys(body)
        fc.pre(name !== 'signature' && name !== 'frame_mode' && name !== 'general' && name !== '__proto__')
        expect(isSignedBy({ ...body, [name]: `${body[name]}!`, signature }, KEY)).toBe(false)
      }),
    )
  })

  test.each([
    ['of another secret', { ...SALE, signature: signatureOf(SALE, 'another') }],
    ['that is missing', SALE],
    ['that is empty', { ...SALE, signature: '' }],
    ['that is cut short', { ...SALE, signature: signatureOf(SALE, KEY).slice(0, -1) }],
    ['that is longer', { ...SALE, signature: `${signatureOf(SALE, KEY)}A` }],
    ['that is a number', { ...SALE, signature: 1 }],
    ['that is an array', { ...SALE, signature: [signatureOf(SALE, KEY)] }],
    ['with letters of several bytes', { ...SALE, signature: 'é'.repeat(44) }],
    ['on a general part that is null', { general: null }],
    ['on null', null],
    ['on a string', 'signature'],
    ['on nothing', undefined],
    ['on more values than the gateway sends', { a: Array(4_001).fill(1), signature: signatureOf(SALE, KEY) }],
    ['on empty values without end', { a: Array(4_001).fill({}), signature: signatureOf(SALE, KEY) }],
    ['on a key that is too long', { ['a'.repeat(257)]: 1, signature: signatureOf(SALE, KEY) }],
    [
      'on paths that are too long together',
      { ['a'.repeat(256)]: Array(1_100).fill(1), signature: signatureOf(SALE, KEY) },
    ],
    [
      'on a body that is nested too deeply',
      { a: JSON.parse('['.repeat(5_000) + ']'.repeat(5_000)), signature: signatureOf(SALE, KEY) },
    ],
  ])('%s is refused, without an error', (_, body) => {
    expect(isSignedBy(body, KEY)).toBe(false)
  })

  test('is believed on many times what the gateway sends', () => {
    const operation = {
      id: 65658000001111,
      type: 'refund',
      sum_initial: { amount: 3405, currency: 'GBP' },
      provider: { id: 3, payment_id: 'a'.repeat(255), auth_code: '123456' },
    }
    const body = { general: { payment_id: 'ord_7f3a' }, operations: Array(300).fill(operation) }
    expect(isSignedBy({ ...body, signature: signatureOf(body, KEY) }, KEY)).toBe(true)
  })
})
