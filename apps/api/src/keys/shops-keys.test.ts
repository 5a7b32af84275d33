import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { cipherOf, openShopsKeys, registerHolder } from '#keys/shops-keys.ts'
import { StartError } from '#start-error.ts'
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
