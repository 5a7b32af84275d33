import { expect, test } from 'vitest'
import { loggedError } from './logged-error.ts'

const SECRET = /ada|lovelace|4000|s3cret|203\.0\.113/i

const said = (error: unknown) => JSON.stringify(loggedError(error))

test('tells what an error is, where it was thrown, and its code', () => {
  const error = Object.assign(new TypeError('fetch failed'), { code: 'ECONNREFUSED' })
  const { stack, ...rest } = loggedError(error)
  expect(rest).toEqual({ type: 'TypeError', message: 'fetch failed', code: 'ECONNREFUSED' })
  expect(stack).toMatch(/^\s+at .*logged-error\.test\.ts/)
})

test('leaves out what PostgreSQL tells of the row, and keeps which rule was broken', () => {
  const error = Object.assign(
    new Error('duplicate key value violates unique constraint "customers_email_key"'),
    {
      code: '23505',
      constraint: 'customers_email_key',
      detail: 'Key (email)=(ada@example.org) already exists.',
      where: "unnamed portal parameter $1 = 'Ada Lovelace'",
      hint: 'Ada',
      parameters: ['Ada Lovelace'],
      rawPacket: Buffer.from('4000000000000077'),
      query: "select 'Ada'",
    },
  )
  expect(said(error)).not.toMatch(SECRET)
  expect(loggedError(error)).toMatchObject({ code: '23505', constraint: 'customers_email_key' })
  expect(said(error)).toContain('customers_email_key')
})

test.each([
  [
    'a value that PostgreSQL refused',
    Object.assign(new Error('invalid input syntax for type uuid: "Ada"'), { code: '22P02' }),
  ],
  ['a parser’s quotation', new SyntaxError(`Unexpected token 'A', "Ada Lovelace" is not valid JSON`)],
  ['an address of a person', new Error('550 <ada.lovelace@example.org>: no such mailbox')],
  ['a log-in in an address', new Error('cannot reach smtp://shop:s3cret@mail.example:25')],
  [
    'a path that is a secret',
    new Error('fetch of https://shop.example/api/v1/user/confirm/s3cret?name=Ada failed'),
  ],
  [
    'a cause',
    new Error('outer', { cause: Object.assign(new Error('inner'), { detail: 'Ada', code: '23514' }) }),
  ],
  [
    'a cause of a cause',
    new Error('outer', { cause: new Error('inner', { cause: new Error('to ada@example.org') }) }),
  ],
  [
    'a message in a stack',
    Object.assign(new Error('x'), { stack: 'Error: Ada Lovelace\n    at f (a.ts:1:1)' }),
  ],
  ['what is no error', 'Ada Lovelace'],
  ['an object that is none', { email: 'ada@example.org', message: undefined }],
])('leaves out %s', (_, error) => {
  expect(said(error)).not.toMatch(SECRET)
})

test('keeps the host of an address, which is needed to see what is wrong', () => {
  expect(loggedError(new Error('cannot reach smtp://shop:s3cret@mail.example:25/x')).message).toBe(
    'cannot reach smtp://mail.example:25',
  )
})

test('does not follow causes for ever', () => {
  const error = new Error('round')
  error.cause = error
  expect(said(error).match(/round/g)).toHaveLength(3)
})
