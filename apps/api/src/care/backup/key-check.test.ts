import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sealBankDetails } from '#partners/withdrawals/bank-details.ts'
import { createKeyCipher } from '#platform/crypto/key-cipher.ts'
import { openDatabase } from '#platform/database/client.ts'
import { runOps } from '#testing/ops.ts'
import { cloneDatabase, emptyDatabase } from '#testing/test-database.ts'
import { newKey } from '#testing/test-shop.ts'

const key = newKey()
const DETAILS = { accountHolder: 'Ada Lovelace', iban: 'DE89370400440532013000' }

/** A backup of a shop that has no connection, and perhaps a withdrawal that waits. */
const aBackup = async ({ hasWithdrawal }: { hasWithdrawal: boolean }): Promise<string> => {
  const database = await cloneDatabase()
  const { db } = openDatabase(database.url, () => undefined, 2)
  const folder = await mkdtemp(join(tmpdir(), 'hedgerow-backup-'))
  onTestFinished(async () => {
    await db.destroy()
    await database.drop()
    await rm(folder, { recursive: true })
  })
  if (hasWithdrawal) {
    const id = randomUUID()
    const details_encrypted = sealBankDetails(createKeyCipher(Buffer.from(key, 'base64')), DETAILS, id)
    const asked = { currency: 'EUR', amount_minor: 26_000, method: 'iban', ends_with: '3000' } as const
    await db
      .insertInto('withdrawals')
      .values({ id, partner_id: randomUUID(), ...asked, details_encrypted })
      .execute()
  }
  const file = join(folder, 'shop.backup')
  expect((await runOps({ DATABASE_URL: database.url, KEY_ENCRYPTION_KEY: key }, 'backup', file)).err).toBe('')
  return file
}

const restore = async (file: string, keyEncryptionKey: string, ...args: string[]) => {
  const { url, drop } = await emptyDatabase()
  onTestFinished(drop)
  const settings = { DATABASE_URL: url, KEY_ENCRYPTION_KEY: keyEncryptionKey }
  return runOps(settings, 'restore', file, '--yes', ...args)
}

test('without connections the key is tried on a withdrawal', { timeout: 120_000 }, async () => {
  const file = await aBackup({ hasWithdrawal: true })
  const [refused, right] = await Promise.all([
    restore(file, newKey(), '--json', '--unverified'),
    restore(file, key, '--json'),
  ])
  expect(refused.err).toMatch(/^Nothing was restored\. KEY_ENCRYPTION_KEY is not the key/)
  expect(refused.code).toBe(1)
  expect(right.json).toMatchObject({ isKeyChecked: true })
})

test('where nothing is sealed, that is said', { timeout: 120_000 }, async () => {
  const file = await aBackup({ hasWithdrawal: false })
  const [printed, json] = await Promise.all([restore(file, key), restore(file, key, '--json')])
  expect(printed.out).toContain('Nothing in it is encrypted, so KEY_ENCRYPTION_KEY was not tried.\n')
  expect(printed.out).not.toContain('was not tried on its keys')
  expect(printed.code).toBe(0)
  expect(json.json).toMatchObject({ isKeyChecked: false })
})
