import { expect, test } from 'vitest'
import { anOperator, consoleOfFile, headersOf } from '#testing/console.ts'
import {
  joinByPassword,
  letOperatorProofAge,
  logIn,
  OPERATOR_PASSWORD,
  sendCode,
} from '#testing/operators.ts'
import { codeOf } from '#testing/second-step.ts'

const overTls = await consoleOfFile({ env: { CONSOLE_URL: 'https://console.shop.example' } })
const { shop, ask } = overTls

/** As a browser sends it: over TLS the cookies have other names. */
const secureHeaders = (operator: { session: string }) => {
  const { cookie = '', ...headers } = headersOf(operator)
  return { ...headers, cookie: cookie.replaceAll(/(^|; )/g, '$1__Host-') }
}

const ATTRIBUTES = ['HttpOnly', 'Path=/', 'SameSite=Strict', 'Secure']

const attributesOf = ({ headers }: { headers: Headers }) => {
  const [cookie = '', ...more] = headers.getSetCookie()
  expect(cookie).toMatch(/^__Host-operator-session=/)
  for (const known of more) {
    const [value, ...attributes] = known.split('; ').filter((one) => !one.startsWith('Max-Age='))
    expect(value).toMatch(/^__Host-operator-known-browser=/)
    expect(attributes.toSorted()).toEqual(ATTRIBUTES)
  }
  return cookie.split('; ').slice(1)
}

test('over TLS each cookie of a session is of the console’s very host, and never goes without TLS', async () => {
  const operator = await joinByPassword(overTls)
  await shop.db.updateTable('operators').set({ totp_last_step: 0 }).execute()
  const { body } = await logIn(overTls, operator.name)
  const reply = await sendCode(overTls, body.ticket, codeOf(operator.secret))
  expect(attributesOf(reply).toSorted()).toEqual(ATTRIBUTES)
  const [value = ''] = reply.headers.getSetCookie().join().split(';')
  const headers = secureHeaders({ session: value.slice(value.indexOf('=') + 1) })
  await letOperatorProofAge(shop, operator)
  await shop.db.updateTable('operators').set({ totp_last_step: 0 }).execute()
  const proof = { password: OPERATOR_PASSWORD, code: codeOf(operator.secret) }
  const proved = await ask(undefined, 'POST', '/api/v1/session/proof', { headers, body: proof })
  expect(attributesOf(proved).toSorted()).toEqual(ATTRIBUTES)
})

test('over TLS a log-out takes the cookie away by attributes that browsers accept for such a name', async () => {
  const operator = await anOperator(shop.db)
  const reply = await ask(undefined, 'POST', '/api/v1/session/end', { headers: secureHeaders(operator) })
  expect(reply.status).toBe(200)
  const attributes = attributesOf(reply)
  expect(attributes).toEqual(expect.arrayContaining(['Path=/', 'Secure']))
  expect(attributes.join()).toMatch(/Expires=Thu, 01 Jan 1970|Max-Age=0/)
})

test('over TLS a cookie without the prefix, as a neighbour’s host could plant it, opens nothing', async () => {
  const operator = await anOperator(shop.db)
  expect((await ask(operator, 'GET', '/api/v1/session')).status).toBe(401)
  const headers = secureHeaders(operator)
  const reply = await ask(undefined, 'GET', '/api/v1/session', { headers })
  expect(reply.status).toBe(200)
  expect(reply.headers.get('strict-transport-security')).toMatch(/max-age=\d{7,}/)
})
