import { randomUUID } from 'node:crypto'
import { expectProblem } from '@hedgerow/testing/problems'
import { until } from '@hedgerow/testing/until'
import { describe, expect, test } from 'vitest'
import { anOperator, consoleOfFile, type TestOperator } from '#testing/console.ts'
import { deedsOf } from '#testing/operators.ts'

const { shop, ask } = await consoleOfFile()

describe('an incident', () => {
  const open = (operator: TestOperator, given: object = {}) =>
    ask(operator, 'POST', '/api/v1/incidents', {
      body: { title: 'Slow tunnels', text: 'We look into it.', ...given },
    })

  const publicPage = async () => (await shop.call('GET', '/api/v1/status')).text

  test('is told to visitors, added to and closed', async () => {
    const support = await anOperator(shop.db, 'support')
    const title = `Slow ${randomUUID()}`
    const { body, status } = await open(support, { title })
    expect(status).toBe(201)
    await until(async () => (await publicPage()).includes(title))
    const path = `/api/v1/incidents/${body.id}`
    expect((await ask(support, 'POST', `${path}/updates`, { body: { text: 'Found it.' } })).status).toBe(200)
    expect((await ask(support, 'POST', `${path}/close`, { body: { text: 'Mended.' } })).body).toEqual({
      isChanged: true,
    })
    expect((await ask(support, 'POST', `${path}/close`, { body: {} })).body).toEqual({ isChanged: false })
    expectProblem(await ask(support, 'POST', `${path}/updates`, { body: { text: 'More.' } }), 409)
    expectProblem(await ask(support, 'POST', `${path}/updates`, { body: {} }), 422)
    expect((await ask(support, 'GET', '/api/v1/incidents')).text).not.toContain(body.id)
    expect((await ask(support, 'GET', path)).body).toMatchObject({ title, state: 'over' })
    const list = await ask(await anOperator(shop.db, 'finance'), 'GET', '/api/v1/incidents?isAll=true')
    const one = list.body.find(({ id }: { id: string }) => id === body.id)
    expect(one).toMatchObject({ title, state: 'over', isPlanned: false })
    expect(one.updates.map(({ text }: { text: string }) => text).toSorted()).toEqual([
      'Found it.',
      'Mended.',
      'We look into it.',
    ])
    const [deed] = await deedsOf(shop, support)
    expect(deed).toEqual({ command: 'incident open', subject: body.id, outcome: 'done', arguments: {} })
  })

  test('that is planned has an end that is to come', async () => {
    const servers = await anOperator(shop.db, 'servers')
    const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
    expect((await open(servers, { startsAt: inHours(1), endsAt: inHours(2) })).status).toBe(201)
    for (const [given, field] of [
      [{ startsAt: inHours(2), endsAt: inHours(1) }, 'endsAt'],
      [{ startsAt: inHours(-3), endsAt: inHours(-2) }, 'endsAt'],
      [{ startsAt: inHours(2) }, 'startsAt'],
      [{ endsAt: '2036-11-01T10:00:00Z' }, 'endsAt'],
      [{ endsAt: 'tomorrow' }, 'endsAt'],
      [{ places: ['Atlantis'] }, 'places'],
      [{ title: 'x'.repeat(101) }, 'title'],
      [{ text: undefined }, 'text'],
      [{ text: 'x\u001b[2J' }, 'text'],
      [{ title: ' ' }, 'title'],
      [{ text: 'x'.repeat(2_001) }, 'text'],
    ] as const)
      expect((await open(servers, given)).body).toMatchObject({ status: 422, errors: [{ path: field }] })
  })

  test('is for those who may, of one that there is', async () => {
    for (const role of ['viewer', 'finance'] as const)
      expectProblem(await open(await anOperator(shop.db, role)), 403)
    const support = await anOperator(shop.db, 'support')
    const path = `/api/v1/incidents/${randomUUID()}`
    expectProblem(await ask(support, 'POST', `${path}/updates`, { body: { text: 'More.' } }), 404)
    expectProblem(await ask(support, 'POST', `${path}/close`, { body: {} }), 404)
    expectProblem(await ask(support, 'GET', path), 404)
  })
})
