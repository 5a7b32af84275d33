import { OPERATOR_ROLES } from '@hedgerow/domain/operator-roles'
import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { deleteWaysIn, lockOperators } from '#people/operators/operators.queries.ts'
import { consoleOfFile } from '#testing/console.ts'
import { areWaiting } from '#testing/lock-waits.ts'
import {
  anInvitation,
  confirmLast,
  deedsOf,
  joinByPasskey,
  joinByPassword,
  openLink,
} from '#testing/operators.ts'

const place = await consoleOfFile()
const { shop, ask } = place

beforeEach(async () => {
  await shop.db.updateTable('operators').set({ ended_at: new Date() }).execute()
})

const isIn = async (who: { session: string }) => (await ask(who, 'GET', '/api/v1/session')).status === 200

const setRole = (who: { session: string }, { id }: { id: string }, role: string) =>
  ask(who, 'PUT', `/api/v1/operators/${id}/role`, { body: { role } })

const end = (who: { session: string }, { id }: { id: string }) =>
  ask(who, 'DELETE', `/api/v1/operators/${id}`)

describe('the last owner', () => {
  test('cannot end or demote themselves, nor give up what they get in by', async () => {
    const owner = await joinByPassword(place)
    // An invited owner cannot log in yet.
    await anInvitation(place, { role: 'owner' })
    await joinByPassword(place, 'manager')
    expectProblem(await end(owner, owner), 409)
    for (const role of OPERATOR_ROLES.filter((one) => one !== 'owner'))
      expectProblem(await setRole(owner, owner, role), 409)
    expectProblem(await ask(owner, 'POST', `/api/v1/operators/${owner.id}/link`), 409)
    expectProblem(await ask(owner, 'DELETE', '/api/v1/account/password'), 409)
    expect((await setRole(owner, owner, 'owner')).status).toBe(200)
    expect(await isIn(owner)).toBe(true)
  })

  test('is left where two end each other at once', async () => {
    const [one, other] = [await joinByPassword(place), await joinByPasskey(place)]
    expect((await end(one, other)).body.code).toBe('second-person')
    expect((await end(other, one)).body.code).toBe('second-person')
    const { body: waiting } = await ask(one, 'GET', '/api/v1/second-persons')
    const replies = await Promise.all(
      waiting.map(({ id, isMine }: { id: string; isMine: boolean }) =>
        ask(isMine ? other : one, 'POST', `/api/v1/second-persons/${id}`),
      ),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect([await isIn(one), await isIn(other)].toSorted()).toEqual([false, true])
  })

  test('is left where two step down at once', async () => {
    const [one, other] = [await joinByPassword(place), await joinByPasskey(place)]
    await setRole(one, one, 'viewer')
    await setRole(other, other, 'viewer')
    const { body: waiting } = await ask(one, 'GET', '/api/v1/second-persons')
    const replies = await Promise.all(
      waiting.map(({ id, isMine }: { id: string; isMine: boolean }) =>
        ask(isMine ? other : one, 'POST', `/api/v1/second-persons/${id}`),
      ),
    )
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    const { rows } = await sql<{ owners: number }>`select count(*)::integer as owners from operators
      where role = 'owner' and ended_at is null`.execute(shop.db)
    expect(rows[0]?.owners).toBe(1)
  })
})

describe('an owner', () => {
  test('ends another operator, who is out at once with all that they had', async () => {
    const owner = await joinByPassword(place)
    const support = await joinByPassword(place, 'support')
    const made = await ask(support, 'POST', '/api/v1/account/tokens', {
      body: { name: 'mine', permissions: ['shop.see'], days: 1 },
    })
    expect((await end(owner, support)).status).toBe(200)
    expect(await isIn(support)).toBe(false)
    expectProblem(await ask(undefined, 'GET', '/api/v1/today', { token: made.body.token }), 401)
    expectProblem(await end(owner, support), 404)
    expectProblem(await setRole(owner, support, 'owner'), 404)
    expectProblem(await ask(owner, 'POST', `/api/v1/operators/${support.id}/link`), 404)
    const { body } = await ask(owner, 'GET', '/api/v1/operators')
    expect(body.find(({ id }: { id: string }) => id === support.id)).toMatchObject({
      name: support.name,
      endedAt: expect.any(String),
      hasPassword: false,
      sessions: 0,
      tokens: 0,
    })
    const deeds = await deedsOf(shop, owner)
    expect(deeds).toContainEqual({
      command: 'operator end',
      subject: support.id,
      outcome: 'done',
      arguments: { operatorId: support.id },
    })
  })

  test('gives another role, which holds from the next call on', async () => {
    const owner = await joinByPassword(place)
    const operator = await joinByPassword(place, 'viewer')
    expectProblem(await ask(operator, 'GET', '/api/v1/operators'), 403)
    expect((await setRole(owner, operator, 'manager')).status).toBe(200)
    expect((await ask(operator, 'GET', '/api/v1/operators')).status).toBe(200)
    expect((await setRole(owner, operator, 'servers')).status).toBe(200)
    expectProblem(await ask(operator, 'GET', '/api/v1/operators'), 403)
    const { body } = await ask(operator, 'GET', '/api/v1/session')
    expect(body.operator.role).toBe('servers')
    expectProblem(await setRole(operator, operator, 'owner'), 403)
  })

  test('gives a new link, by which all that there was before opens nothing', async () => {
    const owner = await joinByPassword(place)
    const operator = await joinByPasskey(place, 'finance')
    const { body, text } = await ask(owner, 'POST', `/api/v1/operators/${operator.id}/link`)
    expect(await isIn(operator)).toBe(false)
    expect((await openLink(place, body.link.split('#').at(-1))).body).toMatchObject({ name: operator.name })
    const record = await ask(owner, 'GET', '/api/v1/record')
    expect(text).toContain(body.link)
    expect(record.text).not.toContain(body.link.split('#').at(-1))
  })
})

describe('an owner who loses their session while a call of theirs is under way', () => {
  const acts = [
    ['invites no one', 'POST', '', { name: 'Accomplice', role: 'support' }],
    ['asks for no other owner', 'POST', '', { name: 'Accomplice', role: 'owner' }],
    ['makes no new link', 'POST', '/:id/link', undefined],
    ['gives no role', 'PUT', '/:id/role', { role: 'finance' }],
    ['ends no one', 'DELETE', '/:id', undefined],
  ] as const

  test.each(acts)('%s', async (_, method, path, body) => {
    const [ended, other] = [await joinByPassword(place), await joinByPassword(place, 'support')]
    const { reply } = await shop.db.transaction().execute(async (trx) => {
      await lockOperators(trx)
      const reply = ask(ended, method, `/api/v1/operators${path.replace(':id', other.id)}`, { body })
      await until(() => areWaiting(shop))
      await deleteWaysIn(trx, ended.id)
      return { reply }
    })
    expectProblem(await reply, 401)
    const { rows } =
      await sql`select role from operators where ended_at is null and id <> ${ended.id}`.execute(shop.db)
    expect(rows).toEqual([{ role: 'support' }])
    expect(await isIn(other)).toBe(true)
  })

  test('confirms nothing', async () => {
    const [asker, ended] = [await joinByPassword(place), await joinByPassword(place)]
    await ask(asker, 'POST', '/api/v1/operators', { body: { name: 'Third owner', role: 'owner' } })
    const { reply } = await shop.db.transaction().execute(async (trx) => {
      await lockOperators(trx)
      const reply = confirmLast(place, ended)
      await until(() => areWaiting(shop))
      await deleteWaysIn(trx, ended.id)
      return { reply }
    })
    expectProblem(await reply, 401)
  })
})

test('a link opens nothing once who made it may invite no one', async () => {
  const owner = await joinByPassword(place)
  const guest = { name: `guest of ${owner.name}`, role: 'viewer' }
  const { body } = await ask(owner, 'POST', '/api/v1/operators', { body: guest })
  const token = body.link.split('#').at(-1)
  expect((await openLink(place, token)).status).toBe(200)
  await sql`update operators set role = 'viewer' where id = ${owner.id}`.execute(shop.db)
  expectProblem(await openLink(place, token), 400)
})
