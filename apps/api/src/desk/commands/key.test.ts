import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { programEnvironment } from '@hedgerow/testing/compiled'
import { freePort } from '@hedgerow/testing/free-port'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sealRecord } from '#people/operators/operator-record.ts'
import { createKeyCipher, keyIdOf } from '#platform/crypto/key-cipher.ts'
import { createKeyedHash, hashKeyOf } from '#platform/crypto/keyed-hash.ts'
import { failToStartApi } from '#testing/api-process.ts'
import { aCustomer } from '#testing/customers.ts'
import { opsProgram, opsSettings, runOps } from '#testing/ops.ts'
import { aPurchase, connectionsOf } from '#testing/payments.ts'
import { environmentOf, newKey, openGround, type ShopGround, startFront } from '#testing/test-shop.ts'

const idOf = (key: string) => keyIdOf(Buffer.from(key, 'base64'))

/** Keys as settings hold them: the first seals. */
const keys = (seals: string, ...accepted: string[]) => ({
  KEY_ENCRYPTION_KEY: seals,
  KEY_ENCRYPTION_KEYS_ACCEPTED: accepted.join(','),
})

type Ground = Awaited<ReturnType<typeof aGround>>

const aGround = async (seals: string) => {
  const ground = await openGround({ env: keys(seals) })
  onTestFinished(ground.close)
  return ground
}

/** A process of the shop with these keys; stopped with the test, unless before. */
const open = async (ground: ShopGround, env: Record<string, string>) => {
  const front = await startFront({ ...ground, env: { ...ground.env, ...env } })
  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= front.stop())
  onTestFinished(stop)
  return { ...front, stop }
}

const profileOf = async (front: Awaited<ReturnType<typeof open>>, token: string) => {
  const { body } = await front.call('GET', '/api/v1/user/profile', { token })
  return (body.connections as { clientPrivateKey: string }[]).map((one) => one.clientPrivateKey)
}

const countBy = async ({ db }: Pick<Ground, 'db'>, key: string) => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select private_key_encrypted as sealed from peers union all select preshared_key_encrypted from peers
    ) as all_keys where substring(sealed from 1 for 3) = decode(${idOf(key)}, 'hex')`.execute(db)
  return rows[0]?.count
}

const ops = (ground: ShopGround, env: Record<string, string>, ...args: string[]) =>
  runOps({ ...opsSettings(ground), ...env }, ...args)

describe('a wrong KEY_ENCRYPTION_KEY', { timeout: 120_000 }, () => {
  test('ends the start in one line that names keys by their ids alone', async () => {
    const [right, wrong] = [newKey(), newKey()]
    const ground = await aGround(right)
    const front = await open(ground, {})
    await aPurchase({ ...ground, ...front })
    const env = environmentOf({ ...ground, env: { ...ground.env, ...keys(wrong) } }, await freePort())
    const { code, output } = await failToStartApi(env)
    expect(code).toBe(1)
    expect(output.trim().split('\n')).toEqual([
      `KEY_ENCRYPTION_KEY is not this shop's: it has sealed by key ${idOf(right)}, and was given key ${idOf(wrong)}. Set the right one, or add it to KEY_ENCRYPTION_KEYS_ACCEPTED.`,
    ])
    expect((await ops(ground, keys(wrong), 'key', 'rotate')).err).toMatch(
      /not the key that the shop runs with/,
    )
  })

  test('is found by the rows of a shop that has not written down its keys yet', async () => {
    const right = newKey()
    const ground = await aGround(right)
    const front = await open(ground, {})
    const { customer } = await aPurchase({ ...ground, ...front })
    const before = await profileOf(front, customer.token)
    await front.stop()
    await ground.db.deleteFrom('sealing_keys').execute()
    await expect(open(ground, keys(newKey()))).rejects.toThrow(
      /^KEY_ENCRYPTION_KEY does not open what this shop has sealed\./,
    )
    expect(await profileOf(await open(ground, {}), customer.token)).toEqual(before)
  })

  test('can become the right one where that is lost for good', async () => {
    const [lost, next] = [newKey(), newKey()]
    const ground = await aGround(lost)
    const front = await open(ground, {})
    await aPurchase({ ...ground, ...front })
    await front.stop()
    const keyedHash = createKeyedHash(hashKeyOf(Buffer.from(lost, 'base64')))
    await sealRecord({
      db: ground.db,
      keyedHash,
      log: { error: () => undefined, info: () => undefined } as never,
    })
    const told = await ops(ground, keys(next), 'key', 'replace-lost', '--yes', '--json')
    expect(told.json).toEqual({ lost: [idOf(lost)], unopened: 3 })
    expect((await ops(ground, keys(next), 'audit', 'verify', '--json')).json).toMatchObject({
      faults: [],
      seal: expect.any(String),
    })
    const again = await open(ground, keys(next))
    await aPurchase({ ...ground, ...again })
    const once = await ops(ground, keys(next), 'key', 'replace-lost', '--yes')
    expect(once.err).toBe('Nothing was done: no key of this shop is missing here.\n')
  })
})

test('a new key seals only once every process opens what it seals', { timeout: 120_000 }, async () => {
  const [old, next] = [newKey(), newKey()]
  const ground = await aGround(old)
  const one = await open(ground, {})
  await aPurchase({ ...ground, ...one })
  await expect(open(ground, keys(next, old))).rejects.toThrow(`does not open what key ${idOf(next)} seals`)
  await one.stop()
  await open(ground, keys(old, next))
  const two = await open(ground, keys(next, old))
  const { paymentId } = await aPurchase({ ...ground, ...two })
  expect(await connectionsOf(ground, paymentId)).not.toEqual([])
  const refused = await ops(ground, keys(next, old), 'key', 'rotate')
  expect(refused.err).toMatch(/^Nothing was done: a process of the shop does not seal by key/)
})

test('the key is rotated while customers buy, and nobody’s keys change', { timeout: 120_000 }, async () => {
  const [old, next] = [newKey(), newKey()]
  const ground = await aGround(old)
  const [a, b] = [await open(ground, {}), await open(ground, {})]
  const { customer } = await aPurchase({ ...ground, ...a })
  const before = await profileOf(b, customer.token)
  // Both accept it, one after the other; then both seal by it.
  await a.stop()
  const a2 = await open(ground, keys(old, next))
  await b.stop()
  const b2 = await open(ground, keys(old, next))
  await a2.stop()
  const a3 = await open(ground, keys(next, old))
  const mixed = await aPurchase({ ...ground, ...a3 })
  const stillOld = await aPurchase({ ...ground, ...b2 })
  expect(await profileOf(b2, mixed.customer.token)).toEqual(await profileOf(a3, mixed.customer.token))
  await b2.stop()
  const b3 = await open(ground, keys(next, old))
  const buyers = [a3, b3].map(async (front) => {
    const bought = []
    for (let i = 0; i < 3; i++) bought.push(await aPurchase({ ...ground, ...front }))
    return bought
  })
  const rotated = await ops(ground, keys(next, old), 'key', 'rotate', '--json')
  const bought = (await Promise.all(buyers)).flat()
  expect(rotated.json).toMatchObject({ retired: [idOf(old)], unopened: 0, resealed: 12 })
  expect(await countBy(ground, old)).toBe(0)
  const status = await ops(ground, keys(next, old), 'key', 'status')
  expect(status.out).toContain('one that was replaced is taken out of KEY_ENCRYPTION_KEYS_ACCEPTED')
  expect((await ops(ground, keys(next, old), 'key', 'rotate', '--json')).json).toMatchObject({ resealed: 0 })
  await a3.stop()
  const alone = await open(ground, keys(next))
  expect(await profileOf(alone, customer.token)).toEqual(before)
  for (const one of [mixed, stillOld, ...bought])
    expect(await profileOf(alone, one.customer.token)).toHaveLength(3)
})

/** A shop whose processes seal by another key than what is there. */
const aShopToRotate = async () => {
  const [old, next] = [newKey(), newKey()]
  const ground = await aGround(old)
  const first = await open(ground, {})
  const { customer, paymentId } = await aPurchase({ ...ground, ...first })
  const before = await profileOf(first, customer.token)
  await first.stop()
  const front = await open(ground, keys(next, old))
  return { old, next, ground, front, customer, before, peers: await connectionsOf(ground, paymentId) }
}

test('a rotation that was killed goes on where it was, and waits for no row', {
  timeout: 120_000,
}, async () => {
  const { old, next, ground, front, customer, before, peers } = await aShopToRotate()
  const env = { ...programEnvironment(), ...opsSettings(ground), ...keys(next, old) }
  await ground.db.transaction().execute(async (trx) => {
    await trx
      .selectFrom('peers')
      .select('id')
      .where('id', '=', peers[0]?.peer_id ?? '')
      .forUpdate()
      .execute()
    const child = spawn(process.execPath, [await opsProgram(), 'key', 'rotate'], { env, stdio: 'ignore' })
    const ended = once(child, 'close')
    onTestFinished(() => void child.kill('SIGKILL'))
    await until(async () => (await countBy(ground, next)) === 4)
    child.kill('SIGKILL')
    await ended
  })
  expect(await profileOf(front, customer.token)).toEqual(before)
  const again = await ops(ground, keys(next, old), 'key', 'rotate', '--json')
  expect(again.json).toMatchObject({ values: 6, resealed: 2, retired: [idOf(old)] })
  expect(await profileOf(front, customer.token)).toEqual(before)
})

test('a row that no key opens is left as it is, and said', { timeout: 120_000 }, async () => {
  const { old, next, ground, peers } = await aShopToRotate()
  const id = peers[0]?.peer_id ?? randomUUID()
  const foreign = newKey()
  const sealed = createKeyCipher(Buffer.from(foreign, 'base64')).encrypt(newKey(), id)
  await ground.db.updateTable('peers').set({ private_key_encrypted: sealed }).where('id', '=', id).execute()
  const rotated = await ops(ground, keys(next, old), 'key', 'rotate')
  expect(rotated.code).toBe(0)
  expect(rotated.out).toContain('1 row cannot be opened')
  expect(rotated.out).toMatch(new RegExp(`${id} +${idOf(foreign)}`))
  const kept = await ground.db
    .selectFrom('peers')
    .select('private_key_encrypted')
    .where('id', '=', id)
    .executeTakeFirst()
  expect(kept?.private_key_encrypted?.equals(sealed)).toBe(true)
  expect((await ops(ground, keys(next), 'key', 'status', '--json')).json).toMatchObject({
    keys: [{ id: idOf(next), role: 'seals', values: 5 }],
    unopened: [{ kind: 'connection', id, saysKey: idOf(foreign) }],
  })
})

test('what was hashed before is known after the key has gone', { timeout: 120_000 }, async () => {
  const { old, next, ground, front } = await aShopToRotate()
  const email = (await aCustomer(ground)).email
  await front.call('POST', '/api/v1/user/reset-password', { body: { email } })
  const hashes = await ground.db.selectFrom('payments').select(['card_hash', 'network_hash']).execute()
  await ops(ground, keys(next, old), 'key', 'rotate')
  await front.stop()
  const alone = await open(ground, keys(next))
  const { paymentId } = await aPurchase({ ...ground, ...alone })
  const row = await ground.db
    .selectFrom('payments')
    .select(['card_hash', 'network_hash'])
    .where('id', '=', paymentId)
    .executeTakeFirst()
  expect(hashes).toContainEqual(row)
})
