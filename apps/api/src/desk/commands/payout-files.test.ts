import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { newBatchId } from '#partners/payout-files/payouts.service.ts'
import { allAt, readXml, textAt } from '#partners/payout-files/read-xml.ts'
import { opsSettings, runOps } from '#testing/ops.ts'
import { aFolder, anAsked, exported, opsWithdrawal, PAYER, referenceOf } from '#testing/payouts.ts'
import { newKey, shopOfFile } from '#testing/test-shop.ts'

const shop = shopOfFile()

const withdrawal = (...args: string[]) => opsWithdrawal(shop, ...args)
const aPath = async (name = 'payouts.xml') => join(await aFolder(), name)
const batches = () => shop.db.selectFrom('payout_batches').selectAll().execute()

const transfersIn = (text: string | undefined) =>
  allAt(readXml(text ?? ''), 'CstmrCdtTrfInitn', 'PmtInf', 'CdtTrfTxInf').map((transfer) => ({
    reference: textAt(transfer, 'PmtId', 'EndToEndId'),
    amount: textAt(transfer, 'Amt', 'InstdAmt'),
    name: textAt(transfer, 'Cdtr', 'Nm'),
    iban: textAt(transfer, 'CdtrAcct', 'Id', 'IBAN'),
  }))

/** What other tests of the file have left waiting. */
beforeEach(async () => {
  await exported(shop, '--currency', 'EUR')
  await exported(shop, '--currency', 'GBP')
})

describe('ops withdrawal export', () => {
  test('puts what waits in euros in a SEPA file for its owner’s eyes, once', async () => {
    const ada = await anAsked(shop, { amount: 250.5, accountHolder: 'Łucja Żółć' })
    const grace = await anAsked(shop, { amount: 300 })
    const path = await aPath()
    const said = await withdrawal('export', '--currency', 'EUR', '--out', path)
    expect([said.code, said.err]).toEqual([0, ''])
    expect(said.out).toMatch(
      /^Batch B[A-Z0-9]{9}: 2 withdrawals, €550\.50 in all, to be paid on \d\d\/\d\d\/\d{4}, in .*payouts\.xml\. It holds bank accounts: give it to your bank, then delete it\.\n$/,
    )
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const text = await readFile(path, 'utf8')
    expect(transfersIn(text)).toEqual([
      {
        reference: await referenceOf(shop, ada.id),
        amount: '250.50',
        name: 'Lucja Zolc',
        iban: 'DE89370400440532013000',
      },
      expect.objectContaining({ reference: await referenceOf(shop, grace.id), amount: '300.00' }),
    ])
    expect(text).toContain('<BICFI>BUKBGB22</BICFI>')
    expect(text).toContain('<IBAN>GB33BUKB20201555555555</IBAN>')
    expect(text).not.toMatch(/PstlAdr|AdrLine/)
    const again = await withdrawal('export', '--currency', 'EUR', '--out', await aPath())
    expect([again.code, again.out]).toEqual([
      0,
      'No withdrawal in EUR waits that is in no batch yet. Nothing was written.\n',
    ])
    const { json } = await withdrawal('list', '--json')
    expect(json.withdrawals).toContainEqual(
      expect.objectContaining({
        id: ada.id,
        batch: expect.stringMatching(/^B/),
        payoutReference: expect.stringMatching(/^P/),
      }),
    )
  })

  test('lists what waits in pounds, with leading zeros, by sort code or from a British IBAN', async () => {
    const sorted = { iban: undefined, sortCode: '01-02-03', accountNumber: '00005678' }
    const ada = await anAsked(shop, { ...sorted, accountHolder: '=cmd|A1, the "Third"' }, 'GBP')
    const grace = await anAsked(shop, { iban: 'GB33BUKB20201555555555' }, 'GBP')
    const foreign = await anAsked(shop, {}, 'GBP')
    const { text, leftOut } = await exported(shop, '--currency', 'GBP')
    expect(text).toBe(
      [
        'name,sort_code,account_number,amount,reference',
        `cmd A1 the Third,010203,00005678,250.00,${await referenceOf(shop, ada.id)}`,
        `Ada Lovelace,202015,55555555,250.00,${await referenceOf(shop, grace.id)}`,
        '',
      ].join('\r\n'),
    )
    expect(leftOut).toMatchObject([{ withdrawal: foreign.id, amount: '250.00', why: 'foreign-account' }])
    const said = await withdrawal('export', '--currency', 'GBP', '--out', await aPath())
    expect(said.out).toContain('its IBAN is of no British account')
    expect(said.out).toContain(foreign.id)
    await withdrawal('refuse', foreign.id, '--reason', 'Give a British account.', '--yes')
  })

  test('is laid out as the bank wants it', async () => {
    const { id } = await anAsked(shop, { iban: 'GB33BUKB20201555555555' }, 'GBP')
    const { text } = await exported(shop, '--currency', 'GBP', '--columns', 'paygate')
    const reference = await referenceOf(shop, id)
    expect(text).toMatch(
      new RegExp(
        `^202015,55555555,Ada Lovelace,250\\.00,99,001122,00112233,Example Hedgerow L,${reference},\\d\\d/\\d\\d/\\d{4}\\r\\n$`,
      ),
    )
    const wrong = await withdrawal(
      'export',
      '--currency',
      'GBP',
      '--columns',
      'name,secret',
      '--out',
      await aPath(),
    )
    expect([wrong.code, wrong.out]).toEqual([1, ''])
    expect(wrong.err).toMatch(/^There is no column “secret”\..* Nothing was done\.\n$/)
  })

  test('pays each once, by many exports at the same moment', async () => {
    const ids = []
    for (let count = 0; count < 4; count++) ids.push((await anAsked(shop)).id)
    const files = await Promise.all([1, 2, 3].map(() => exported(shop, '--currency', 'EUR')))
    const references = files.flatMap(({ text }) =>
      text ? transfersIn(text).map(({ reference }) => reference) : [],
    )
    expect(references).toHaveLength(4)
    expect(new Set(references)).toEqual(new Set(await Promise.all(ids.map((id) => referenceOf(shop, id)))))
  })

  test('is written again to the byte, after a crash before the file was there', async () => {
    const { id } = await anAsked(shop)
    const first = await exported(shop, '--currency', 'EUR', '--on', tomorrow())
    const path = await aPath()
    const again = await withdrawal('export', '--batch', first.batch, '--out', path)
    expect([again.code, again.err]).toEqual([0, ''])
    expect(await readFile(path, 'utf8')).toBe(first.text)
    expect(first.text).toContain(`<Dt>${tomorrow()}</Dt>`)
    const other = { ...opsSettings(shop), KEY_ENCRYPTION_KEY: shop.env.KEY_ENCRYPTION_KEY ?? '' }
    const unset = await aPath()
    // The account that pays is the one of then, whatever is set by now.
    expect((await runOps(other, 'withdrawal', 'export', '--batch', first.batch, '--out', unset)).code).toBe(0)
    expect(await readFile(unset, 'utf8')).toBe(first.text)
    await withdrawal('paid', id, '--yes')
    const late = await withdrawal('export', '--batch', first.batch, '--out', await aPath())
    expect([late.code, late.out]).toEqual([1, ''])
    expect(late.err).toMatch(/^Nothing was written: of batch B.* something is paid, refused or released/)
    const none = await withdrawal('export', '--batch', newBatchId(), '--out', await aPath())
    expect(none.err).toMatch(/^There is no batch B/)
  })

  test('writes over nothing, and records nothing where it could not be written', async () => {
    await anAsked(shop)
    const before = await batches()
    const path = await aPath()
    await writeFile(path, 'precious')
    const taken = await withdrawal('export', '--currency', 'EUR', '--out', path)
    expect([taken.code, taken.out]).toEqual([1, ''])
    expect(taken.err).toMatch(/already exists\. Nothing was done\. To replace it, add --force\.\n$/)
    const nowhere = await withdrawal('export', '--currency', 'EUR', '--out', join(path, 'x.xml'))
    expect(nowhere.err).toMatch(/cannot be written/)
    expect(await readFile(path, 'utf8')).toBe('precious')
    expect(await batches()).toEqual(before)
    expect((await withdrawal('export', '--currency', 'EUR', '--out', path, '--force')).code).toBe(0)
    expect(transfersIn(await readFile(path, 'utf8'))).toHaveLength(1)
  })

  test('says how to write the file where the batch is recorded and the disk fails', async () => {
    const { id } = await anAsked(shop)
    // Takes the name, and none that is longer.
    const said = await withdrawal('export', '--currency', 'EUR', '--out', await aPath('x'.repeat(250)))
    expect([said.code, said.out]).toEqual([1, ''])
    const [, batch = ''] = /Write it: withdrawal export --batch (\w+) --out FILE\./.exec(said.err) ?? []
    const path = await aPath()
    expect((await withdrawal('export', '--batch', batch, '--out', path)).code).toBe(0)
    expect(transfersIn(await readFile(path, 'utf8'))).toMatchObject([
      { reference: await referenceOf(shop, id) },
    ])
  })

  test('refuses another key, and says which setting is missing, before anything is recorded', async () => {
    await anAsked(shop)
    await anAsked(shop, { iban: 'GB33BUKB20201555555555' }, 'GBP')
    const before = await batches()
    const run = async (env: Record<string, string>, ...args: string[]) =>
      runOps({ ...opsSettings(shop), ...env }, 'withdrawal', 'export', '--out', await aPath(), ...args)
    const wrong = await run({ ...PAYER, KEY_ENCRYPTION_KEY: newKey() }, '--currency', 'EUR')
    expect([wrong.code, wrong.out]).toEqual([1, ''])
    expect(wrong.err).toMatch(/KEY_ENCRYPTION_KEY is not the key/)
    const key = { KEY_ENCRYPTION_KEY: shop.env.KEY_ENCRYPTION_KEY ?? '' }
    expect((await run(key, '--currency', 'EUR')).err).toMatch(/^PAYOUT_IBAN is not set/)
    expect((await run(key, '--currency', 'GBP', '--columns', 'paygate')).err).toMatch(
      /^PAYOUT_SORT_CODE is not set/,
    )
    expect((await run(key)).err).toMatch(/^Say which currency/)
    expect(await batches()).toEqual(before)
    // A list that does not name the account needs none.
    expect((await run(key, '--currency', 'GBP')).code).toBe(0)
  })

  test('leaves in the record of what operators did nothing but ids', async () => {
    await anAsked(shop)
    const { batch } = await exported(shop, '--currency', 'EUR')
    const { arguments: given, command } = await shop.db
      .selectFrom('operator_actions')
      .selectAll()
      .where('subject', '=', batch)
      .executeTakeFirstOrThrow()
    expect([command, given]).toEqual(['withdrawal export', { currency: 'EUR' }])
  })
})

const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
