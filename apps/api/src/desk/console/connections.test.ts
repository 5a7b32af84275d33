import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { describe, expect, onTestFinished, test } from 'vitest'
import { anOperator, consoleOfFile, type TestOperator } from '#testing/console.ts'
import { aLocation } from '#testing/locations.ts'
import { deedsOf } from '#testing/operators.ts'
import { aPurchase } from '#testing/payments.ts'

const { shop, ask } = await consoleOfFile()

const support = () => anOperator(shop.db, 'support')

/** A customer's first connection, with the advertisement filter on. */
const aConnection = async () => {
  const { customer } = await aPurchase(shop, { features: { feature2: true } })
  const { connections } = (await shop.call('GET', '/api/v1/user/profile', { token: customer.token })).body
  return { ...customer, id: connections[0]._id as string, path: `/api/v1/connections/${connections[0]._id}` }
}

type Owned = Awaited<ReturnType<typeof aConnection>>

const rekey = (operator: TestOperator, id: string, body: object = { cutOffOld: false }) =>
  ask(operator, 'POST', `/api/v1/connections/${id}/keys`, { body })

const peersOf = (id: string) =>
  shop.db
    .selectFrom('peers')
    .select(['public_key', 'node_id', 'replaced_at', 'removed_at'])
    .where('connection_id', '=', id)
    .orderBy('created_at')
    .execute()

/** A place whose agent says that it has no names for advertisements. */
const withoutAds = async (name: string, lists: object = { ads: 0, malicious: 10, family: 10 }) => {
  const id = await aLocation(shop, { name })
  await shop.db
    .updateTable('nodes')
    .set({ list_names: JSON.stringify(lists) as never })
    .where('id', '=', id)
    .execute()
  // The next test sells what it lacks.
  onTestFinished(async () => {
    await shop.db.updateTable('nodes').set({ is_open: false }).where('id', '=', id).execute()
  })
  return id
}

const switchAds = ({ path, token }: Owned, isOn: boolean) =>
  shop.call('PUT', path, { token, body: { filters: { feature2: isOn } } })
const move = ({ path, token }: Owned, location: string) =>
  shop.call('POST', `${path}/location`, { token, body: { location } })

describe('new keys at an operator’s hand', () => {
  test('replace the old ones, which live on until the new are used, and stand in the record without any key', async () => {
    const { id } = await aConnection()
    const operator = await support()
    expect(await rekey(operator, id)).toMatchObject({ status: 200, body: {} })
    const [old, now] = await peersOf(id)
    expect(old?.replaced_at).not.toBeNull()
    expect(old?.removed_at).toBeNull()
    expect(now).toMatchObject({ replaced_at: null, node_id: old?.node_id })
    expect(await deedsOf(shop, operator)).toMatchObject([
      { command: 'connection rekey', subject: id, outcome: 'done' },
    ])
    expect(JSON.stringify(await deedsOf(shop, operator))).not.toContain(now?.public_key)
  })

  test('cut the old ones off at once where that is asked for', async () => {
    const { id } = await aConnection()
    expect((await rekey(await support(), id, { cutOffOld: true })).status).toBe(200)
    const [old] = await peersOf(id)
    expect(old?.removed_at).not.toBeNull()
  })

  test('are not made for one that has ended, or that is nobody’s, or by whoever may not', async () => {
    const { id } = await aConnection()
    expectProblem(await rekey(await support(), '00000000-0000-4000-8000-000000000000'), 404)
    expectProblem(await rekey(await anOperator(shop.db, 'viewer'), id), 403)
    expectProblem(await rekey(await support(), id, { cutOffOld: 'yes' }), 422)
    await shop.db
      .updateTable('connections')
      .set({ expires_at: new Date(0) })
      .where('id', '=', id)
      .execute()
    expectProblem(await rekey(await support(), id), 409)
    expect(await peersOf(id)).toHaveLength(1)
  })
})

describe('a node that has no names for a filter', () => {
  test('is not moved to by a customer whose filter is on, nor by an operator, and is once it is off', async () => {
    const owned = await aConnection()
    const bare = await withoutAds('Bare')
    const { body: locations } = await shop.call('GET', `${owned.path}/locations`, { token: owned.token })
    expect(locations).toContainEqual({ _id: bare, name: 'Bare', isCurrent: false, without: ['feature2'] })
    expect(expectProblem(await move(owned, bare), 409).body.detail).toBe(
      'Bare does not have the advertisement filter at the moment. Choose another location, or switch it off.',
    )
    const byHand = () =>
      ask(operator, 'POST', `/api/v1/connections/${owned.id}/node`, { body: { to: 'Bare' } })
    const operator = await anOperator(shop.db)
    expect(expectProblem(await byHand(), 409).body.detail).toContain('has no names for a filter')
    expect(await peersOf(owned.id)).toHaveLength(1)
    await switchAds(owned, false)
    expect((await move(owned, bare)).status).toBe(200)
    expect((await peersOf(owned.id)).at(-1)?.node_id).toBe(bare)
  })

  test('lets nobody switch that filter on there, and everybody off', async () => {
    const owned = await aConnection()
    const bare = await withoutAds('Empty')
    await switchAds(owned, false)
    await move(owned, bare)
    const refused = expectProblem(await switchAds(owned, true), 422)
    expect(messageFor(refused, 'filters.feature2')).toBe(
      'Empty does not have the advertisement filter at the moment. Move the connection to another location first.',
    )
    const { path, token } = owned
    expect((await shop.call('PUT', path, { token, body: { name: 'Bird' } })).status).toBe(200)
    const { filters_on } = await shop.db
      .selectFrom('connections')
      .select('filters_on')
      .where('id', '=', owned.id)
      .executeTakeFirstOrThrow()
    expect(filters_on).toBe(0)
    await withoutAds('Full', { ads: 9, malicious: 9, family: 9 })
    await shop.db
      .updateTable('nodes')
      .set({ list_names: JSON.stringify({ ads: 5 }) as never })
      .where('id', '=', bare)
      .execute()
    expect((await switchAds(owned, true)).status).toBe(200)
  })

  test('gets a connection that has to leave its own last of all', async () => {
    const owned = await aConnection()
    await withoutAds('Idle')
    const full = await withoutAds('Busy', { ads: 9, malicious: 9, family: 9 })
    await shop.db.updateTable('nodes').set({ load: 1_000 }).where('id', '=', full).execute()
    const setOwn = (isOpen: boolean) =>
      shop.db.updateTable('nodes').set({ is_open: isOpen }).where('is_demonstration', '=', true).execute()
    onTestFinished(async () => {
      await setOwn(true)
    })
    await setOwn(false)
    expect((await rekey(await support(), owned.id)).status).toBe(200)
    expect((await peersOf(owned.id)).at(-1)?.node_id).toBe(full)
  })
})
