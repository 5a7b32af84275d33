import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { opsSettings, runOps, runOpsAtTerminal } from '#testing/ops.ts'
import { aFolder, anAsked, PAYER, referenceOf } from '#testing/payouts.ts'
import { newKey, shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const settings = () => ({
  ...opsSettings(shop),
  KEY_ENCRYPTION_KEY: shop.env.KEY_ENCRYPTION_KEY ?? '',
  ...PAYER,
})
const withdrawal = (...args: string[]) => runOps(settings(), 'withdrawal', ...args)
const batches = () => shop.db.selectFrom('payout_batches').selectAll().where('currency', '=', 'EUR').execute()

test('a file is written for its owner’s eyes, and nothing is done where it cannot be', async () => {
  const { id } = await anAsked(shop)
  const folder = await aFolder()
  const path = join(folder, 'payouts.xml')
  const export_ = (out: string) => withdrawal('export', '--currency', 'EUR', '--out', out)
  await writeFile(path, 'precious')
  const taken = await export_(path)
  expect([taken.code, taken.out, taken.err]).toEqual([1, '', `Nothing was done: ${path} already exists.\n`])
  expect((await export_(join(path, 'x.xml'))).err).toMatch(/cannot be written\.\n$/)
  expect(await readFile(path, 'utf8')).toBe('precious')
  const wrong = await runOps({ ...settings(), KEY_ENCRYPTION_KEY: newKey() }, 'withdrawal', 'show', id)
  expect([wrong.code, wrong.err]).toEqual([1, expect.stringMatching(/KEY_ENCRYPTION_KEY is not the key/)])
  expect(await batches()).toEqual([])

  // Recorded, and the disk fails: no file has so long a name.
  const failed = await export_(join(folder, 'x'.repeat(300)))
  const [, batch = ''] = /^Batch id +(\w+)\n/.exec(failed.out) ?? []
  expect([failed.code, failed.err]).toEqual([1, expect.stringMatching(/^Nothing was written to /)])
  const again = await withdrawal('batch', 'file', batch.toLowerCase(), '--out', join(folder, 'again.xml'))
  expect([again.err, again.out]).toEqual(['', expect.stringMatching(/give it to your bank, then delete it/)])
  expect(await readFile(join(folder, 'again.xml'), 'utf8')).toContain(await referenceOf(shop, id))
  expect((await stat(join(folder, 'again.xml'))).mode & 0o777).toBe(0o600)
})

test('a bank’s file is shown before it is recorded, and the exit code says that a row is odd', async () => {
  const { id } = await anAsked(shop, { iban: 'GB33BUKB20201555555555' }, 'GBP')
  const folder = await aFolder()
  await withdrawal('export', '--currency', 'GBP', '--out', join(folder, 'payouts.csv'), '--json')
  const answer = join(folder, 'bank.csv')
  const reference = await referenceOf(shop, id)
  await writeFile(answer, `reference,amount,status\n${reference},250,PAID\nP2ZZZZZZZZZZ,1,PAID\n`)
  const no = await runOpsAtTerminal(settings(), 'n\n', 'withdrawal', 'import', '--file', answer)
  expect([no.code, no.out]).toEqual([1, expect.stringMatching(new RegExp(`${reference} .* pay `))])
  expect((await withdrawal('show', id, '--json')).json.status).toBe('requested')
  const yes = await withdrawal('import', '--file', answer, '--yes', '--json')
  expect([yes.code, yes.json.answers.map(({ isDone }: { isDone: boolean }) => isDone)]).toEqual([
    1,
    [true, false],
  ])
})
