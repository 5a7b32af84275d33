import { expectProblem } from '@hedgerow/testing/problems'
import { expect, test } from 'vitest'
import { createKeyedHash, hashKeyOf } from '#platform/crypto/keyed-hash.ts'
import { createRateCounter, type RateCount } from '#platform/http/limits/rate-counter.ts'
import { consoleOfFile } from '#testing/console.ts'
import { BEHIND_PROXY, from } from '#testing/limits.ts'
import {
  type ByPassword,
  joinByPassword,
  letCodesPass,
  logIn,
  OPERATOR_PASSWORD,
  sendCode,
  sessionOf,
} from '#testing/operators.ts'
import { codeOf, wrongCodeOf } from '#testing/second-step.ts'

const place = await consoleOfFile(BEHIND_PROXY)
const { shop, ask } = place
const flooded = await consoleOfFile({ env: { RATE_LIMIT_SCALE: '1' } })

/** What was counted so far is forgotten, as after a while. */
const forget = () => shop.db.deleteFrom('rate_counts').execute()

test('a name takes ten passwords a quarter of an hour from one network, however they are spelt', async () => {
  await forget()
  const { name } = await joinByPassword(place)
  const statuses: number[] = []
  for (let n = 0; n < 10; n++) {
    const spelt = n % 2 === 0 ? name : ` ${name.toUpperCase()} `
    statuses.push((await logIn(place, spelt, `guess number ${n}`)).status)
  }
  expect(statuses).toEqual(Array.from({ length: 10 }, () => 401))
  const refused = expectProblem(await logIn(place, name), 429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60)
})

test('an unknown name is counted alike, so that being counted reveals nothing', async () => {
  await forget()
  for (let n = 0; n < 10; n++) expectProblem(await logIn(place, 'Nobody'), 401)
  expectProblem(await logIn(place, 'Nobody'), 429)
})

test('who knows a password guesses ten codes a quarter of an hour, by however many tickets', async () => {
  await forget()
  const operator = await joinByPassword(place)
  const tickets = await Promise.all(
    Array.from({ length: 4 }, async () => (await logIn(place, operator.name)).body.ticket),
  )
  const guesses = tickets.flatMap((ticket) => Array.from({ length: 4 }, () => ticket))
  const replies = await Promise.all(
    guesses.map((ticket) => sendCode(place, ticket, wrongCodeOf(operator.secret))),
  )
  expect(replies.filter(({ status }) => status === 401)).toHaveLength(10)
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(6)
  await letCodesPass(shop, operator)
  expectProblem(await sendCode(place, tickets[0], codeOf(operator.secret)), 429)
})

test('a stolen session allows no more guesses than none', async () => {
  await forget()
  const operator = await joinByPassword(place)
  const prove = (password: string, code: string) =>
    ask(operator, 'POST', '/api/v1/session/proof', { body: { password, code } })
  const replies = await Promise.all(Array.from({ length: 12 }, (_, n) => prove(`guess ${n}`, '000000')))
  expect(replies.filter(({ status }) => status === 422)).toHaveLength(10)
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(2)
  expect((await logIn(place, operator.name)).status).toBe(200)
})

test('strangers who use up the tries of a name and its codes do not stop the proof of an operator who is logged in', async () => {
  await forget()
  const operator = await joinByPassword(place)
  await useUp([
    { name: 'operator tries', of: operator.name.toLowerCase(), most: 100 },
    { name: 'operator codes', of: operator.id, most: 10 },
  ])
  expectProblem(await logIn(place, operator.name), 429)
  await letCodesPass(shop, operator)
  const body = { password: OPERATOR_PASSWORD, code: codeOf(operator.secret) }
  expect((await ask(operator, 'POST', '/api/v1/session/proof', { body })).status).toBe(200)
})

/** The cookie of the browser in which an operator has just logged in. */
const knownTo = async ({ name, id, secret }: ByPassword): Promise<{ cookie: string }> => {
  await letCodesPass(shop, { id })
  const { ticket } = (await logIn(place, name)).body
  const set = (await sendCode(place, ticket, codeOf(secret))).headers.getSetCookie()
  const cookie = set.find((one) => one.startsWith('operator-known-browser=')) ?? ''
  expect(cookie).toMatch(/HttpOnly; SameSite=Strict/)
  return { cookie: cookie.split(';')[0] ?? '' }
}

const useUp = async (counts: readonly Omit<RateCount, 'seconds'>[]) => {
  const counter = createRateCounter(shop.db, 1, createKeyedHash(hashKeyOf(shop.settings.keyEncryptionKey)))
  for (const count of counts)
    for (let n = 0; n < count.most; n++) await counter.count({ ...count, seconds: 900 })
}

test('strangers from many networks stop every browser but the one in which the operator has logged in before', async () => {
  await forget()
  const operator = await joinByPassword(place)
  const { cookie } = await knownTo(operator)
  await useUp([
    { name: 'POST /api/v1/log-in', of: '', from: '203.0.113.7', most: 60 },
    { name: 'operator tries', of: operator.name.toLowerCase(), most: 100 },
    { name: 'operator codes', of: operator.id, most: 10 },
  ])
  for (const strange of [from('203.0.113.7'), from('198.51.100.9')])
    expectProblem(await logIn(place, operator.name, OPERATOR_PASSWORD, strange), 429)
  const known = from('203.0.113.7', cookie)
  const first = await logIn(place, operator.name.toUpperCase(), OPERATOR_PASSWORD, known)
  expect(first.status).toBe(200)
  await letCodesPass(shop, operator)
  expect((await sendCode(place, first.body.ticket, codeOf(operator.secret), known)).status).toBe(200)
})

test('a stolen cookie of a known browser opens nothing, counts for one operator alone, and has ten tries until the password is another', async () => {
  await forget()
  const [ada, eve] = [await joinByPassword(place), await joinByPassword(place)]
  const stolen = await knownTo(ada)
  expectProblem(await ask(undefined, 'GET', '/api/v1/session', { headers: stolen }), 401)
  const counts = [ada, eve].map(({ name }) => ({ name: 'operator tries', of: name.toLowerCase(), most: 100 }))
  await useUp(counts)
  expectProblem(await logIn(place, eve.name, OPERATOR_PASSWORD, stolen), 429)
  const made = { cookie: `operator-known-browser=${'a'.repeat(22)}.${'b'.repeat(43)}` }
  expectProblem(await logIn(place, ada.name, OPERATOR_PASSWORD, made), 429)
  for (let n = 0; n < 10; n++) expectProblem(await logIn(place, ada.name, `guess ${n}`, stolen), 401)
  expectProblem(await logIn(place, ada.name, OPERATOR_PASSWORD, stolen), 429)

  await forget()
  const { ticket, secret } = (await ask(ada, 'POST', '/api/v1/account/app')).body
  const body = { password: 'a robin on the old gate 9', ticket, code: codeOf(secret) }
  const changed = await ask(ada, 'PUT', '/api/v1/account/password', { body })
  expect(changed.status).toBe(200)
  await useUp(counts)
  expectProblem(await logIn(place, ada.name, body.password, stolen), 429)
  const own = { cookie: changed.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
  expect((await logIn(place, ada.name, body.password, own)).status).toBe(200)
})

test('right log-ins use up nothing: an operator who comes often is let in', async () => {
  await forget()
  const operator = await joinByPassword(place)
  for (let n = 0; n < 14; n++) {
    const first = await logIn(place, operator.name)
    expect(first.status).toBe(200)
    await letCodesPass(shop, operator)
    expect((await sendCode(place, first.body.ticket, codeOf(operator.secret))).status).toBe(200)
  }
  let { session } = operator
  for (let n = 0; n < 12; n++) {
    await letCodesPass(shop, operator)
    const body = { password: OPERATOR_PASSWORD, code: codeOf(operator.secret) }
    const reply = await ask({ session }, 'POST', '/api/v1/session/proof', { body })
    expect(reply.status).toBe(200)
    session = sessionOf(reply)
  }
})

test('a network calls the log-in sixty times a quarter of an hour', async () => {
  const statuses = new Set<number>()
  for (let n = 0; n < 61; n++) statuses.add((await logIn(flooded, `Somebody ${n}`)).status)
  expect([...statuses].toSorted()).toEqual([401, 429])
})
