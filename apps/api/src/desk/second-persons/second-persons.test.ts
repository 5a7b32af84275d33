import { randomUUID } from 'node:crypto'
import { SECOND_PERSON_MINOR } from '@hedgerow/domain/running-settings'
import { MOST_WAITING } from '@hedgerow/domain/second-person'
import { mailbox } from '@hedgerow/testing/mailbox'
import { expectProblem } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { anOperator, consoleOfFile, type TestOperator } from '#testing/console.ts'
import { joinByPassword, letOperatorProofAge, logInAgain, openLink } from '#testing/operators.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { aPurchase, paymentRow } from '#testing/payments.ts'
import { refundsOf } from '#testing/refunds.ts'

const place = await consoleOfFile()
const { shop, ask } = place

const PATH = '/api/v1/second-persons'

const nameOf = () => `somebody ${randomUUID().slice(0, 8)}`
const invite = (who: Pick<TestOperator, 'session'>, name = nameOf(), role = 'owner') =>
  ask(who, 'POST', '/api/v1/operators', { body: { name, role } })
const waitingFor = async (who: Pick<TestOperator, 'session'>) =>
  (await ask(who, 'GET', PATH)).body as { id: string; mayConfirm: boolean; facts: object; asker: string }[]
const confirm = (who: Pick<TestOperator, 'session'> | undefined, id: string | undefined, options = {}) =>
  ask(who, 'POST', `${PATH}/${id}`, options)
const operatorsNamed = (name: string) =>
  shop.db.selectFrom('operators').selectAll().where('name', '=', name).execute()

/** Asks for another owner. Returns what waits. */
const anAsked = async (who: TestOperator, name = nameOf()) => {
  expect(expectProblem(await invite(who, name), 403).body.code).toBe('second-person')
  const waiting = (await waitingFor(who)).find(({ facts }) => 'operator' in facts && facts.operator === name)
  return { id: waiting?.id as string, name }
}

const letHoursPass = (id: string, hours: number) =>
  sql`update second_persons set asked_at = asked_at - make_interval(hours => ${hours}),
    expires_at = expires_at - make_interval(hours => ${hours}) where id = ${id}`.execute(shop.db)

// Who is left of the tests before could confirm.
beforeEach(async () => {
  await shop.db.updateTable('operators').set({ ended_at: new Date() }).execute()
  await shop.db
    .updateTable('second_persons')
    .set({ ended_at: new Date(), outcome: 'withdrawn' })
    .where('ended_at', 'is', null)
    .execute()
})

describe('another owner', () => {
  test('is made once a second one confirms it, who gets the link', async () => {
    const [one, other] = [await anOperator(shop.db), await anOperator(shop.db)]
    const { id, name } = await anAsked(one)
    expect(await operatorsNamed(name)).toEqual([])
    expect(await waitingFor(other)).toMatchObject([
      { id, asker: one.name, facts: { operator: name, role: 'owner' }, mayConfirm: true },
    ])
    const mail = await mailbox(shop).latest(
      shop.settings.operatorEmail,
      `${one.name} asks for a second person`,
    )
    expect(mail.text).toContain(name)
    const { body } = await confirm(other, id)
    expect(body.isNew).toBe(true)
    expect((await openLink(place, body.link.split('#').at(-1))).body).toMatchObject({ name, role: 'owner' })
    expect(await waitingFor(other)).toEqual([])
    const { body: record } = await ask(one, 'GET', '/api/v1/record?command=operator')
    expect(record.rows[0].who).toBe(`${one.name}@console with ${other.name}`)
  })

  test('is made once where two confirm it at once, and again afterwards', async () => {
    const [one, other, third] = [
      await anOperator(shop.db),
      await anOperator(shop.db),
      await anOperator(shop.db),
    ]
    const { id, name } = await anAsked(one)
    const replies = await Promise.all([other, third, other, third].map((who) => confirm(who, id)))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(replies.filter(({ body }) => body.isNew)).toHaveLength(1)
    expect((await confirm(third, id)).body.isNew).toBe(false)
    expect(await operatorsNamed(name)).toHaveLength(1)
  })

  test('is confirmed neither by who asked, in whatever session, nor by a token, nor by one who may not', async () => {
    const [one, other] = [await joinByPassword(place), await joinByPassword(place)]
    const { id, name } = await anAsked(one)
    await letHoursPass(id, 25)
    const again = { session: await logInAgain(place, one) }
    for (const who of [one, again]) expectProblem(await confirm(who, id), 403)
    const permissions = ['second-person.confirm', 'second-person.see', 'operators.change']
    for (const owner of [one, other]) {
      const made = await ask(owner, 'POST', '/api/v1/account/tokens', {
        body: { name: 't', permissions, days: 1 },
      })
      expectProblem(await confirm(undefined, id, { token: made.body.token }), 403)
    }
    for (const role of ['manager', 'finance', 'support'] as const)
      expectProblem(await confirm(await anOperator(shop.db, role), id), 403)
    await letOperatorProofAge(shop, other)
    expect(expectProblem(await confirm(other, id), 403).body.code).toBe('ask-again')
    expect(await operatorsNamed(name)).toEqual([])
  })

  test('is not made for one who has gone, or is no owner any more, or has a new link', async () => {
    const other = await anOperator(shop.db)
    for (const change of [{ ended_at: new Date() }, { role: 'manager' as const }]) {
      const one = await anOperator(shop.db)
      const { id, name } = await anAsked(one)
      await shop.db.updateTable('operators').set(change).where('id', '=', one.id).execute()
      expectProblem(await confirm(other, id), change.role ? 403 : 409)
      expect(await operatorsNamed(name)).toEqual([])
    }
    const one = await anOperator(shop.db)
    const { id } = await anAsked(one)
    await runOps(opsSettings(shop), 'operator', 'link', one.name, '--yes')
    expectProblem(await confirm(other, id), 409)
  })

  test('is made by the only one after a day, with a proof, and not before', async () => {
    const one = await joinByPassword(place)
    await joinByPassword(place, 'manager')
    const { id, name } = await anAsked(one)
    expect((await waitingFor(one))[0]).toMatchObject({ mayConfirm: false, aloneFrom: expect.any(String) })
    expectProblem(await confirm(one, id), 403)
    await letHoursPass(id, 25)
    await letOperatorProofAge(shop, one)
    expectProblem(await confirm(one, id), 403)
    const back = { session: await logInAgain(place, one) }
    expect((await waitingFor(back))[0]).toMatchObject({ mayConfirm: true })
    expect((await confirm(back, id)).body.isNew).toBe(true)
    expect(await operatorsNamed(name)).toHaveLength(1)
  })

  test('is asked for once where it is asked for twice, and a limited number of times', async () => {
    const [one, other] = [await anOperator(shop.db), await anOperator(shop.db)]
    const { name } = await anAsked(one)
    await anAsked(one, name)
    expect(await waitingFor(other)).toHaveLength(1)
    for (let n = 1; n < MOST_WAITING; n++) await anAsked(one)
    expectProblem(await invite(one), 409)
  })

  test('can be withdrawn, refused and forgotten, and asked for anew', async () => {
    const [one, other] = [await anOperator(shop.db), await anOperator(shop.db)]
    const { id, name } = await anAsked(one)
    expect((await ask(other, 'DELETE', `${PATH}/${id}`)).status).toBe(200)
    expectProblem(await confirm(other, id), 409)
    expectProblem(await ask(one, 'DELETE', `${PATH}/${id}`), 404)
    const second = await anAsked(one, name)
    await letHoursPass(second.id, 73)
    expect(await waitingFor(other)).toEqual([])
    expectProblem(await confirm(other, second.id), 409)
    const third = await anAsked(one, name)
    expect((await confirm(other, third.id)).body.isNew).toBe(true)
    expectProblem(await confirm(other, randomUUID()), 404)
  })

  test('waits in the tool’s list too, which itself needs no second person', async () => {
    const { name } = await anAsked(await anOperator(shop.db))
    expect((await runOps(opsSettings(shop), 'operator', 'waiting')).out).toContain(name)
    const { code } = await runOps(opsSettings(shop), 'operator', 'invite', '--name', name, '--role', 'owner')
    expect(code).toBe(0)
  })
})

test('two of whom one has let the other in alone are not two for a week, whoever asks', async () => {
  const [owner, third] = [await joinByPassword(place), await anOperator(shop.db, 'viewer')]
  const made = await ask(owner, 'PUT', `/api/v1/operators/${third.id}/role`, { body: { role: 'finance' } })
  expect(made.status).toBe(200)
  Object.assign(shop.settings, { secondPersonMinor: 1 })
  try {
    const { paymentId } = await aPurchase(shop)
    const refund = (who: TestOperator, of = paymentId) =>
      ask(who, 'POST', `/api/v1/payments/${of}/refund`, { body: {} })
    expectProblem(await refund(third, (await aPurchase(shop)).paymentId), 403)
    const [asked] = await waitingFor(owner)
    expect(asked?.mayConfirm).toBe(false)
    expectProblem(await confirm(owner, asked?.id), 403)
    expect((await ask(third, 'DELETE', `${PATH}/${asked?.id}`)).status).toBe(200)
    expectProblem(await refund(owner), 403)
    const [waiting] = await waitingFor(third)
    expect(waiting?.mayConfirm).toBe(false)
    expectProblem(await confirm(third, waiting?.id), 403)
    // Nobody else could, although there is somebody who can get in: so the asker may, a day later.
    await shop.db
      .updateTable('operators')
      .set({ password_hash: 'not tried' })
      .where('id', '=', third.id)
      .execute()
    expect(await waitingFor(owner)).toMatchObject([{ aloneFrom: expect.any(String) }])
    await sql`update operators set let_in_at = let_in_at - interval '8 days' where id = ${third.id}`.execute(
      shop.db,
    )
    expect((await confirm(third, waiting?.id)).body.isNew).toBe(true)
    expect(await refundsOf(shop, paymentId)).toHaveLength(1)
  } finally {
    Object.assign(shop.settings, { secondPersonMinor: SECOND_PERSON_MINOR })
  }
})

test('two whom a third has let in alone are not two for a week: that one may be both', async () => {
  const owner = await anOperator(shop.db)
  const [one, other] = [await anOperator(shop.db, 'viewer'), await anOperator(shop.db, 'viewer')]
  for (const { id } of [one, other])
    expect(
      (await ask(owner, 'PUT', `/api/v1/operators/${id}/role`, { body: { role: 'finance' } })).status,
    ).toBe(200)
  Object.assign(shop.settings, { secondPersonMinor: 1 })
  try {
    const { paymentId } = await aPurchase(shop)
    expectProblem(await ask(one, 'POST', `/api/v1/payments/${paymentId}/refund`, { body: {} }), 403)
    const [waiting] = await waitingFor(other)
    expect(waiting?.mayConfirm).toBe(false)
    expectProblem(await confirm(other, waiting?.id), 403)
    expect(await refundsOf(shop, paymentId)).toEqual([])
    await sql`update operators set let_in_at = let_in_at - interval '8 days' where id = ${one.id}`.execute(
      shop.db,
    )
    expect((await confirm(other, waiting?.id)).body.isNew).toBe(true)
  } finally {
    Object.assign(shop.settings, { secondPersonMinor: SECOND_PERSON_MINOR })
  }
})

test('what has changed since it was asked is not done, and asked for anew', async () => {
  const [one, other] = [await anOperator(shop.db), await anOperator(shop.db)]
  const third = await anOperator(shop.db, 'viewer')
  const role = () => ask(one, 'PUT', `/api/v1/operators/${third.id}/role`, { body: { role: 'owner' } })
  expectProblem(await role(), 403)
  const [waiting] = await waitingFor(other)
  expect(waiting?.facts).toEqual({ operator: third.name, from: 'viewer', role: 'owner' })
  await shop.db.updateTable('operators').set({ role: 'support' }).where('id', '=', third.id).execute()
  expectProblem(await confirm(other, waiting?.id), 409)
  expect(await waitingFor(other)).toEqual([])
  expectProblem(await role(), 403)
  const [anew] = await waitingFor(other)
  expect((await confirm(other, anew?.id)).body.isNew).toBe(true)
  const [row] = await operatorsNamed(third.name)
  expect(row?.role).toBe('owner')
})

test('a limit of this policy takes an owner beside the manager who asked', async () => {
  const [manager, other, owner] = [
    await anOperator(shop.db, 'manager'),
    await anOperator(shop.db, 'manager'),
    await anOperator(shop.db),
  ]
  for (const [name, value] of [
    ['large-refund', '9000'],
    ['second-person', '9000'],
    ['operator-email', 'mine@example.org'],
  ])
    for (const [method, options] of [
      ['PUT', { body: { value } }],
      ['DELETE', {}],
    ] as const) {
      expectProblem(await ask(manager, method, `/api/v1/settings/${name}`, options), 403)
      const [waiting] = await waitingFor(manager)
      expectProblem(await confirm(other, waiting?.id), 403)
      expect((await confirm(owner, waiting?.id)).body.isNew).toBe(true)
    }
  expect(
    expectProblem(
      await ask(manager, 'PUT', '/api/v1/settings/large-refund', { body: { value: 'much' } }),
      422,
    ),
  ).toBeDefined()
  expect(await waitingFor(owner)).toEqual([])
})

test.each(['refund', 'cancellation'])('a large %s goes back once it is confirmed, once', async (way) => {
  const [finance, manager] = [await anOperator(shop.db, 'manager'), await anOperator(shop.db, 'manager')]
  const first = await aPurchase(shop, { days: 365, connections: 3 })
  const { paymentId } = await aPurchase(shop, { days: 365, connections: 3 }, {}, first.customer)
  const giveBack = (id: string) => ask(finance, 'POST', `/api/v1/payments/${id}/${way}`, { body: {} })
  expect((await giveBack(first.paymentId)).status).toBe(200)
  expectProblem(await giveBack(paymentId), 403)
  const [waiting] = await waitingFor(manager)
  expect(waiting?.facts).toMatchObject({ payment: paymentId, sum: '€365.00' })
  const replies = await Promise.all([1, 2, 3].map(() => confirm(manager, waiting?.id)))
  expect(replies.map(({ body }) => body.isNew).toSorted()).toEqual([false, false, true])
  expect(await refundsOf(shop, paymentId)).toMatchObject([{ amount_minor: 36_500 }])
  if (way === 'cancellation') expect((await paymentRow(shop, paymentId)).cancelled_at).not.toBeNull()
  const sums = await shop.db
    .selectFrom('operator_sums')
    .selectAll()
    .where('subject', '=', paymentId)
    .execute()
  expect(sums).toMatchObject([{ operator_id: finance.id, confirmed_by: manager.id }])
})
