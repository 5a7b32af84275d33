import { randomBytes } from 'node:crypto'
import { until } from '@hedgerow/testing/until'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { cipherOf, openShopsKeys, registerHolder } from '#care/keys/shops-keys.ts'
import { StartError } from '#platform/start-error.ts'
import { openGround } from '#testing/test-shop.ts'

test('a process that has looked at the keys before another began to seal by one it lacks does not start', async () => {
  const { db, close } = await openGround()
  onTestFinished(close)
  const [old, fresh] = [randomBytes(32), randomBytes(32)]
  const late = { keyEncryptionKey: old, acceptedKeys: [] }
  await openShopsKeys(db, late)
  await openShopsKeys(db, { keyEncryptionKey: fresh, acceptedKeys: [old] })
  const backend = { pid: 1, start: new Date(0) }
  await expect(registerHolder(db, backend, cipherOf(late))).rejects.toThrow(StartError)
  await registerHolder(db, backend, cipherOf({ keyEncryptionKey: old, acceptedKeys: [fresh] }))
})

test('processes of a new shop that begin at once write its key down once, and hash alike', async () => {
  const { db, close } = await openGround()
  onTestFinished(close)
  const given = { keyEncryptionKey: randomBytes(32), acceptedKeys: [] }
  const held = await db.startTransaction().execute()
  await sql`lock table sealing_keys in share row exclusive mode`.execute(held)
  const opening = Promise.all([openShopsKeys(db, given), openShopsKeys(db, given)])
  await until(async () => {
    const { rows } = await sql`select from pg_locks where relation = 'sealing_keys'::regclass and not granted
      and database = (select oid from pg_database where datname = current_database())`.execute(db)
    return rows.length === 2
  })
  await held.rollback().execute()
  const [first, second] = await opening
  expect(second).toEqual(first)
})
