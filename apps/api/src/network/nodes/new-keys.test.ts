import { DAY_MS } from '@hedgerow/domain/dates'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { replacePeer } from '#network/nodes/replace-peer.ts'
import type { Trx } from '#platform/database/client.ts'
import { areWaiting } from '#testing/lock-waits.ts'
import { aBusyNode, aNode, peerOf, peersOf, type TestAgent } from '#testing/nodes.ts'
import { startTestShop, type TestShop } from '#testing/test-shop.ts'

// Each test has a shop of its own: where the next connection goes depends on every node that is up.
let shop: TestShop
beforeEach(async () => {
  shop = await startTestShop()
})

const keyCipherOf = () =>
  import('#platform/crypto/key-cipher.ts').then(({ createKeyCipher }) =>
    createKeyCipher(shop.settings.keyEncryptionKey),
  )

describe('new keys', () => {
  const replace = async (connectionId: string, nodeId?: string, cutOffOld = false) =>
    replacePeer({ db: shop.db, keyCipher: await keyCipherOf() }, connectionId, nodeId, { cutOffOld })
  test('leave the old ones working until they are first connected', async () => {
    const { agent, connections } = await aBusyNode(shop)
    const { id = '', peer_id: old } = connections[0] ?? {}
    const { revision } = await agent.catchUp()
    await replace(id)
    const both = await agent.catchUp(revision)
    const fresh = both.peers.find(({ isAwaited }) => isAwaited)
    expect(both.peers.map((peer) => peer.id).sort()).toEqual([old, fresh?.id].sort())
    expect(peerOf(both.peers, old).ipv4).not.toBe(fresh?.ipv4)
    const stays = Date.parse(peerOf(both.peers, old).removeAt ?? '') - Date.now()
    expect(stays).toBeGreaterThan(0.99 * DAY_MS)
    expect(stays).toBeLessThanOrEqual(DAY_MS)

    await agent.report({ connected: [fresh?.id ?? ''] })
    const after = await agent.catchUp(both.revision)
    expect(after.gone.map((peer) => peer.id)).toEqual([old])
  })

  test('end the old ones also when the process that took in the report died before it did so', async () => {
    const { agent, connections } = await aBusyNode(shop)
    const { id = '', peer_id: old = '' } = connections[0] ?? {}
    await replace(id)
    const fresh = (await peersOf(shop, id)).find(({ replaced_at }) => replaced_at === null)?.id ?? ''
    const report = { number: 5_000, connected: [fresh] }
    await agent.report(report)
    await sql`update peers set removed_at = null where id = ${old}`.execute(shop.db)
    await sql`delete from free_addresses using peers where id = ${old} and peers.node_id = free_addresses.node_id
      and peers.position = free_addresses.position`.execute(shop.db)
    await agent.report(report)
    expect((await agent.catchUp()).gone.map((peer) => peer.id)).toEqual([old])
  })

  test('leave nothing of the old private key', async () => {
    const { connections } = await aBusyNode(shop)
    const { id = '' } = connections[0] ?? {}
    await replace(id)
    const [old, fresh] = await peersOf(shop, id)
    expect(old?.private_key_encrypted).toBeNull()
    expect(fresh?.private_key_encrypted).not.toBeNull()
  })

  test('made again before they were used take away the unused ones, not those that work', async () => {
    const { agent, connections } = await aBusyNode(shop)
    const { id = '', peer_id: old } = connections[0] ?? {}
    await replace(id)
    const unused = (await peersOf(shop, id)).find(({ replaced_at }) => replaced_at === null)?.id
    await replace(id)
    const { peers, gone } = await agent.catchUp()
    expect(gone.map((peer) => peer.id)).toEqual([unused])
    expect(peers.map((peer) => peer.id)).toContain(old)
    expect(peers).toHaveLength(4)
  })

  test('asked for many times at once leave one that is current', async () => {
    const { connections } = await aBusyNode(shop)
    const { id = '' } = connections[0] ?? {}
    await Promise.all([1, 2, 3, 4, 5].map(() => replace(id)))
    expect((await peersOf(shop, id)).filter(({ replaced_at }) => replaced_at === null)).toHaveLength(1)
  })

  test('can be on another node, which hears of it, as does the old one', async () => {
    const { agent, connections } = await aBusyNode(shop)
    const other: TestAgent = await aNode(shop, { ipv4: '10.62.0.0/24' })
    const { id = '', peer_id: old } = connections[0] ?? {}
    const { revision } = await agent.catchUp()
    await replace(id, other.node.id)
    const [fresh] = (await other.catchUp()).peers
    expect(fresh).toMatchObject({ isAwaited: true, ipv4: expect.stringMatching(/^10\.62\.0\./) })
    expect((await agent.catchUp(revision)).peers.map((peer) => peer.id)).toEqual([old])
    await other.report({ connected: [fresh?.id ?? ''] })
    expect((await agent.catchUp(revision)).gone.map((peer) => peer.id)).toEqual([old])
  })

  test('that cut the old ones off leave nothing else on any node, and await no device', async () => {
    const { agent, connections } = await aBusyNode(shop)
    const other: TestAgent = await aNode(shop, { ipv4: '10.62.0.0/24' })
    const { id = '', peer_id: old } = connections[0] ?? {}
    await replace(id, other.node.id)
    const unused = (await other.catchUp()).peers[0]?.id
    await replace(id, agent.node.id, true)
    const { peers, gone } = await agent.catchUp()
    expect(gone.map((peer) => peer.id)).toEqual([old])
    expect(peers.map(({ isAwaited }) => isAwaited)).toEqual([false, false, false])
    expect((await other.catchUp()).gone.map((peer) => peer.id)).toEqual([unused])
  })

  test('that cut the old ones off wake an agent that waits', async () => {
    const { agent, connections } = await aBusyNode(shop)
    const { id = '', peer_id: old } = connections[0] ?? {}
    const { revision } = await agent.catchUp()
    const waiting = agent.ask(revision, 20)
    await replace(id, undefined, true)
    const gone = [...(await waiting).body.gone, ...(await agent.catchUp(revision)).gone]
    expect(gone.map((peer: { id: string }) => peer.id)).toContain(old)
  })

  test('that cut off come through while a report takes in the same peers, in the order of their ids', async () => {
    const { connections } = await aBusyNode(shop)
    const { id = '', peer_id: old = '' } = connections[0] ?? {}
    const living = async () =>
      (await peersOf(shop, id)).filter(({ removed_at }) => removed_at === null).map((peer) => peer.id)
    const current = async () => (await living()).find((peer) => peer !== old) ?? ''
    do await replace(id)
    while ((await current()) < old)
    const newer = await current()
    const lock = (trx: Trx, peer: string) => sql`select from peers where id = ${peer} for update`.execute(trx)
    const cutting = await shop.db.transaction().execute(async (trx) => {
      await lock(trx, old)
      const cutting = replace(id, undefined, true)
      await until(() => areWaiting(shop))
      await lock(trx, newer)
      return { cutting }
    })
    await cutting.cutting
    expect(await living()).toHaveLength(1)
  })

  test('are refused for what has ended', async () => {
    const { connections } = await aBusyNode(shop)
    const { id = '' } = connections[0] ?? {}
    await shop.db
      .updateTable('connections')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('id', '=', id)
      .execute()
    await expect(replace(id)).rejects.toThrow(/expired/)
    expect(await peersOf(shop, id)).toHaveLength(1)
  })
})
