import { randomUUID } from 'node:crypto'
import { FILE_BYTES } from '@hedgerow/contract/console/fields'
import { makeBatch, rewriteConsoleBatch } from '@hedgerow/contract/console/payout-batches'
import { mailbox, tokenIn } from '@hedgerow/testing/mailbox'
import { expectProblem, messageFor } from '@hedgerow/testing/problems'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { batchesRoutes } from '#desk/withdrawals/batches.routes.ts'
import { createKeyCipher } from '#platform/crypto/key-cipher.ts'
import { callsBy } from '#testing/calls.ts'
import { anOperator, consoleOfFile, type TestOperator } from '#testing/console.ts'
import { queueIsEmpty } from '#testing/jobs.ts'
import { confirmLast, deedsOf, letOperatorProofAge } from '#testing/operators.ts'
import { anAsked, PAYER } from '#testing/payouts.ts'
import { takeBackEarnings, withdrawalRow } from '#testing/withdrawals.ts'

const { shop, ask } = await consoleOfFile({ env: PAYER })

const IBAN = 'DE89370400440532013000'
const finance = () => anOperator(shop.db, 'finance')

/** The same calls of a shop that does not know whose account pays. */
const unset = () => {
  const { db, settings } = shop
  const payer = { payoutIban: undefined, payoutSortCode: undefined, payoutAccount: undefined }
  const keyCipher = createKeyCipher(settings.keyEncryptionKey)
  const deps = { db, exportDb: db, log: console as never, keyCipher, settings: { ...settings, ...payer } }
  return callsBy((app) => batchesRoutes(app, deps))
}

const makeFile = (operator: TestOperator, body: object = {}) =>
  ask(operator, 'POST', '/api/v1/batches', { body: { currency: 'EUR', ...body } })

const again = (operator: TestOperator, batchId: string) =>
  ask(operator, 'POST', `/api/v1/batches/${batchId}/file`, { body: {} })

const one = async (operator: TestOperator, id: string) =>
  (await ask(operator, 'GET', `/api/v1/withdrawals/${id}`)).body

const end = (
  operator: TestOperator,
  id: string,
  how: 'payment' | 'refusal' | 'release' | 'account',
  body: object = {},
) => ask(operator, 'POST', `/api/v1/withdrawals/${id}/${how}`, { body })

const fileOf = (text: string | Buffer) => ({
  name: 'bank.csv',
  base64: Buffer.from(text).toString('base64'),
})

const preview = (operator: TestOperator, text: string | Buffer, more: object = {}) =>
  ask(operator, 'POST', '/api/v1/bank-answers/preview', { body: { file: fileOf(text), ...more } })

const bringIn = (operator: TestOperator, text: string | Buffer, more: object = {}) =>
  ask(operator, 'POST', '/api/v1/bank-answers', { body: { file: fileOf(text), ...more } })

/** One that stands in a file for the bank. */
const sent = async (operator: TestOperator, given: object = {}) => {
  const asked = await anAsked(shop, given)
  const { body } = await makeFile(operator)
  const { payoutReference } = await one(operator, asked.id)
  return { ...asked, batchId: body.batchId as string, reference: payoutReference as string, made: body }
}

type Sent = Awaited<ReturnType<typeof sent>>

const resetByMail = async (email: string) => {
  await shop.call('POST', '/api/v1/user/password/forgot', { body: { username: email } })
  const token = tokenIn(await mailbox(shop).latest(email, 'Choose a new password'), '/reset/')
  const body = { token, password: 'a robin on the gate 17' }
  expect((await shop.call('POST', '/api/v1/user/password/reset', { body })).status).toBe(200)
  await queueIsEmpty(shop)
}

/** A partner whose earning was taken back after they had asked for it. */
const anOwing = async () => {
  const asked = await anAsked(shop, { amount: 300 })
  await takeBackEarnings(shop, asked.partner.id)
  return asked
}

/** What other tests of the file have left waiting, of whatever sum. */
beforeEach(async () => {
  Object.assign(shop.settings, { secondPersonMinor: 1_000_000_000 })
  await makeFile(await finance(), { although: true })
})

describe('a file for the bank', () => {
  test('holds each withdrawal once, though four operators make one at the same moment', async () => {
    const asked = await Promise.all([1, 2, 3, 4, 5].map(() => anAsked(shop)))
    const operators = await Promise.all([finance(), finance(), finance(), finance()])
    const replies = await Promise.all(operators.map((operator) => makeFile(operator)))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const texts = replies.map(({ body }) => body.file?.text ?? '').join('')
    for (const { id } of asked) {
      const { payoutReference } = await one(await finance(), id)
      expect(texts.split(`<EndToEndId>${payoutReference}</EndToEndId>`).length - 1).toBe(1)
    }
    expect(replies.reduce((count, { body }) => count + body.count, 0)).toBe(asked.length)
    // Who comes late gets none, and no empty batch is left behind.
    expect((await makeFile(await finance())).body).toMatchObject({ batchId: null, file: null, count: 0 })
    const { rows } = (await ask(await finance(), 'GET', '/api/v1/batches')).body
    expect(rows.filter(({ count }: { count: number }) => count === 0)).toEqual([])
  })

  test('above the setting takes a second person, and is made of what was shown only', async () => {
    Object.assign(shop.settings, { secondPersonMinor: 1 })
    const [operator, other] = [await finance(), await finance()]
    const first = await anAsked(shop)
    expect(expectProblem(await makeFile(operator), 403).body.code).toBe('second-person')
    const second = await anAsked(shop)
    expectProblem(await confirmLast({ ask }, other), 409)
    expect((await one(other, first.id)).payoutReference).toBeNull()
    expectProblem(await makeFile(operator), 403)
    expectProblem(await confirmLast({ ask }, operator), 403)
    expect((await confirmLast({ ask }, other)).body.isNew).toBe(true)
    for (const { id } of [first, second])
      expect((await one(other, id)).payoutReference).toEqual(expect.any(String))
  })

  test('tells a bank account in full, as one who pays may see it, and nothing else does', async () => {
    const operator = await finance()
    const { id, batchId, made } = await sent(operator)
    expect(made.file.text).toContain(IBAN)
    expect(made.file).toMatchObject({ name: `payouts-${batchId}.xml`, type: 'application/xml' })
    for (const path of [
      '/api/v1/withdrawals',
      '/api/v1/withdrawals.csv',
      `/api/v1/withdrawals/${id}`,
      '/api/v1/batches',
      '/api/v1/batches.csv',
      `/api/v1/batches/${batchId}`,
    ]) {
      const { status, text } = await ask(operator, 'GET', path)
      expect(status, text).toBe(200)
      expect(text.replaceAll(' ', '')).not.toContain(IBAN.slice(4, -4))
      expect(text).not.toContain('Lovelace')
    }
    expect((await one(operator, id)).endsWith).toBe(IBAN.slice(-4))
    const opened = await end(operator, id, 'account')
    expect(opened.body).toMatchObject({
      id,
      email: expect.stringContaining('@'),
      bank: { holder: 'Ada Lovelace', iban: 'DE89 3704 0044 0532 0130 00', sortCode: null, account: null },
      whyNoBank: null,
    })
    const deeds = await deedsOf(shop, operator)
    expect(deeds).toEqual([
      { command: 'withdrawal export', subject: batchId, outcome: 'done', arguments: expect.anything() },
      { command: 'withdrawal show', subject: id, outcome: 'done', arguments: expect.anything() },
    ])
    expect(JSON.stringify(deeds)).not.toMatch(/DE89|3704|Lovelace/)
  })

  test('is had again to the byte, by another operator as well, until something has come of it', async () => {
    const [operator, other] = [await finance(), await finance()]
    const { id, batchId, made } = await sent(operator)
    const copy = await again(other, batchId)
    expect(copy.body.file).toEqual(made.file)
    expect(await deedsOf(shop, other)).toMatchObject([{ command: 'withdrawal batch file', subject: batchId }])
    await end(operator, id, 'payment')
    const refused = expectProblem(await again(operator, batchId), 409)
    expect(refused.body.detail).toMatch(/would pay it\.$/)
    expect(refused.text).not.toContain(IBAN)
    expectProblem(await again(operator, 'B2AAAAAAAA'), 404)
  })

  test('is made by those who pay partners only, who have just shown who they are', async () => {
    const { id } = await anAsked(shop)
    for (const role of ['support', 'servers', 'viewer'] as const)
      expectProblem(await makeFile(await anOperator(shop.db, role)), 403)
    const late = await finance()
    await letOperatorProofAge(shop, late)
    const calls = [
      makeFile(late),
      again(late, 'B2AAAAAAAA'),
      end(late, id, 'payment'),
      end(late, id, 'refusal', { reason: 'No.' }),
      end(late, id, 'release'),
      end(late, id, 'account'),
      ask(late, 'POST', '/api/v1/batches/B2AAAAAAAA/release', { body: {} }),
      preview(late, 'reference,amount\n'),
      bringIn(late, 'reference,amount\n'),
    ]
    for (const reply of await Promise.all(calls))
      expect(expectProblem(reply, 403).body.code).toBe('ask-again')
    expect(await withdrawalRow(shop, id)).toMatchObject({ status: 'requested' })
    for (const role of ['support', 'servers'] as const)
      expectProblem(await ask(await anOperator(shop.db, role), 'GET', `/api/v1/withdrawals/${id}`), 403)
  })

  test('in pounds has the columns that were asked for', async () => {
    const operator = await finance()
    await anAsked(shop, { iban: 'GB29NWBK60161331926819' }, 'GBP')
    for (const columns of ['generic,', 'holder', '__proto__', 'constructor', 'name=toString', ','])
      expect((await makeFile(operator, { currency: 'GBP', columns })).status).toBe(409)
    expectProblem(await makeFile(operator, { currency: 'EUR', columns: 'generic' }), 409)
    const { body } = await makeFile(operator, { currency: 'GBP', columns: 'coutts' })
    expect(body).toMatchObject({ count: 1, sum: { minor: 25_000, currency: 'GBP' } })
    expect(body.file.type).toBe('text/csv')
  })

  test.each([
    ['yesterday', new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10)],
    ['a far day', new Date(Date.now() + 100 * 86_400_000).toISOString().slice(0, 10)],
    ['no day', '2026-02-31'],
  ])('is not to be paid on %s', async (_, on) => {
    expect(messageFor(expectProblem(await makeFile(await finance(), { on }), 422), 'on')).toMatch(/./)
  })

  test('leaves out who owes, unless that is meant, and says so', async () => {
    const operator = await finance()
    const { id } = await anOwing()
    const careful = await makeFile(operator)
    expect(careful.body.leftOut).toMatchObject([
      { withdrawalId: id, sum: { minor: 30_000 }, why: 'the partner owes money back because of refunds' },
    ])
    expect((await one(operator, id)).batch).toBeNull()
    const bold = await makeFile(operator, { although: true })
    expect(bold.body).toMatchObject({ count: 1, leftOut: [] })
  })

  test('is not made where the shop does not know whose account pays, and says which setting lacks', async () => {
    const { id } = await anAsked(shop)
    const make = (body: object) => unset().call(makeBatch, { body })
    await expect(make({ currency: 'EUR' })).rejects.toThrow(
      /^Nothing was done: the setting payout-iban has no value/,
    )
    await expect(make({ currency: 'GBP', columns: 'paygate' })).rejects.toThrow(
      /payout-sort-code has no value/,
    )
    expect((await one(await finance(), id)).batch).toBeNull()
    // A list that does not name the account needs none; it leaves out what it cannot pay.
    await anAsked(shop, { iban: 'GB29NWBK60161331926819' }, 'GBP')
    const foreign = await anAsked(shop, {}, 'GBP')
    expect(await make({ currency: 'GBP' })).toMatchObject({
      count: 1,
      leftOut: [{ withdrawalId: foreign.id, why: 'its IBAN is of no British account' }],
    })
    // The account that pays is the one of then, whatever is set by now.
    const operator = await finance()
    const { batchId, made } = await sent(operator)
    const again = await unset().call(rewriteConsoleBatch, { params: { batchId } })
    expect(again).toEqual({ file: made.file })
  })

  test('names the account of the settings before the one that the shop was started with, the tool’s too', async () => {
    const manager = await anOperator(shop.db, 'manager')
    const put = (name: string, value: string) =>
      ask(manager, 'PUT', `/api/v1/settings/${name}`, { body: { value } })
    expectProblem(await put('payout-iban', 'DE88 3704 0044 0532 0130 00'), 422)
    expect((await put('payout-iban', 'de89 3704 0044 0532 0130 00')).status).toBe(200)
    expect(await deedsOf(shop, manager)).toMatchObject([
      { command: 'setting set', subject: 'payout-iban', outcome: 'refused' },
      { command: 'setting set', subject: 'payout-iban', outcome: 'done' },
    ])
    try {
      await anAsked(shop)
      expect(await unset().call(makeBatch, { body: { currency: 'EUR' } })).toMatchObject({
        file: { text: expect.stringContaining('<IBAN>DE89370400440532013000</IBAN>') },
      })
    } finally {
      await ask(manager, 'DELETE', '/api/v1/settings/payout-iban')
    }
    await anAsked(shop)
    expect((await makeFile(await finance())).body.file.text).toContain('<IBAN>GB33BUKB20201555555555</IBAN>')
  })
})

describe('a withdrawal', () => {
  test('in a file is not refused, and once taken out stands in the next under another reference', async () => {
    const operator = await finance()
    const { id, batchId, reference } = await sent(operator)
    const refused = expectProblem(await end(operator, id, 'refusal', { reason: 'No.' }), 409)
    expect(refused.body.detail).toContain(batchId)
    expect((await end(operator, id, 'release')).body).toEqual({ isNew: true })
    expect((await end(operator, id, 'release')).body).toEqual({ isNew: false })
    expectProblem(await again(operator, batchId), 409)
    await makeFile(operator)
    const { payoutReference, batch } = await one(operator, id)
    expect([payoutReference === reference, batch === batchId]).toEqual([false, false])
    const all = await Promise.all([
      ask(operator, 'POST', `/api/v1/batches/${batch}/release`, { body: {} }),
      ask(operator, 'POST', `/api/v1/batches/${batch}/release`, { body: {} }),
    ])
    expect(all.reduce((sum, { body }) => sum + body.released, 0)).toBe(1)
    expect((await end(operator, id, 'refusal', { reason: 'No such account.' })).body).toEqual({ isNew: true })
    expect(await one(operator, id)).toMatchObject({ reason: 'No such account.' })
    const viewer = await anOperator(shop.db, 'viewer')
    expect(await one(viewer, id)).toMatchObject({ reason: '…' })
    for (const list of ['', '.csv'])
      expect((await ask(viewer, 'GET', `/api/v1/withdrawals${list}`)).text).not.toContain('No such account.')
    expectProblem(await end(operator, id, 'payment'), 409)
  })

  test.each([
    ['is taken out', ({ id }: Sent, operator: TestOperator) => end(operator, id, 'release')],
    [
      'is taken out with all of its file',
      ({ batchId }: Sent, operator: TestOperator) =>
        ask(operator, 'POST', `/api/v1/batches/${batchId}/release`, { body: {} }),
    ],
    [
      'is not paid by the bank',
      ({ reference }: Sent, operator: TestOperator) =>
        bringIn(operator, `reference,amount,status\n${reference},250.00,RJCT\n`),
    ],
  ])('in a file when its partner takes the account back is refused once it %s', async (_, takeOut) => {
    const operator = await finance()
    const one = await sent(operator)
    await resetByMail(one.partner.email)
    expect(await withdrawalRow(shop, one.id)).toMatchObject({ status: 'requested' })
    const told = await mailbox(shop).latest(one.partner.email, 'may be on its way')
    expect(told.text).toContain('€250.00')
    const { body } = await ask(operator, 'GET', `/api/v1/withdrawals/${one.id}`)
    expect(body.recalledAt).toEqual(expect.any(String))
    const ours = await mailbox(shop).latest(shop.settings.operatorEmail, 'Do not pay €250.00')
    for (const words of [one.id, one.batchId, one.reference, one.partner.email])
      expect(ours.text.replace(/\s+/g, ' ')).toContain(words)
    expect(expectProblem(await again(operator, one.batchId), 409).body.detail).toContain('recalled')
    expect((await takeOut(one, operator)).status).toBe(200)
    expect(await withdrawalRow(shop, one.id)).toMatchObject({ status: 'refused' })
    expect((await makeFile(operator)).body.count).toBe(0)
    await mailbox(shop).latest(one.partner.email, 'We could not pay you €250.00')
  })

  test('that was recalled stands in no file, wherever it is', async () => {
    const { id } = await anAsked(shop)
    await shop.db.updateTable('withdrawals').set({ recalled_at: new Date() }).where('id', '=', id).execute()
    expect((await makeFile(await finance())).body.count).toBe(0)
  })

  test('of somebody who owes is paid only when that is meant', async () => {
    const operator = await finance()
    const { id } = await anOwing()
    const refused = expectProblem(await end(operator, id, 'payment'), 409)
    expect(refused.body.detail).toMatch(/^Nothing was done: the partner owes €[\d.]+ back/)
    expect(refused.body.detail).not.toContain('--')
    expect((await one(operator, id)).owing.minor).toBeGreaterThan(0)
    expect((await end(operator, id, 'payment', { although: true })).body).toEqual({ isNew: true })
    expect((await deedsOf(shop, operator)).map(({ outcome }) => outcome)).toEqual(['refused', 'done'])
  })

  test.each([
    ['a reference of two lines', 'payment', { reference: 'A\nB' }],
    ['an empty reference', 'payment', { reference: '  ' }],
    ['a reference without an end', 'payment', { reference: 'A'.repeat(141) }],
    ['no reason', 'refusal', {}],
    ['a reason that is an object', 'refusal', { reason: { text: 'No.' } }],
  ] as const)('is not ended with %s', async (_, how, body) => {
    const { id } = await anAsked(shop)
    expectProblem(await end(await finance(), id, how, body), 422)
    expect(await withdrawalRow(shop, id)).toMatchObject({ status: 'requested' })
  })

  test('shows a sort code as it is typed, and says why there is no account any more', async () => {
    const operator = await finance()
    const bank = { iban: undefined, sortCode: '202015', accountNumber: '55779911' }
    const { id } = await anAsked(shop, bank, 'GBP')
    expect((await end(operator, id, 'account')).body.bank).toEqual({
      holder: 'Ada Lovelace',
      iban: null,
      sortCode: '20-20-15',
      account: '55779911',
    })
    await sql`update withdrawals set details_encrypted = 'x' where id = ${id}`.execute(shop.db)
    expect((await end(operator, id, 'account')).body.whyNoBank).toMatch(/cannot be opened/)
    await end(operator, id, 'payment')
    await sql`update withdrawals set details_encrypted = null where id = ${id}`.execute(shop.db)
    expect((await end(operator, id, 'account')).body).toMatchObject({
      bank: null,
      whyNoBank: 'It is deleted, as the withdrawal ended some time ago.',
    })
  })

  test('that there is not is not found, whatever is asked of it', async () => {
    const operator = await finance()
    const nobody = randomUUID()
    expectProblem(await ask(operator, 'GET', `/api/v1/withdrawals/${nobody}`), 404)
    expectProblem(await end(operator, nobody, 'payment'), 404)
    expectProblem(await end(operator, nobody, 'refusal', { reason: 'No.' }), 404)
    expectProblem(await end(operator, nobody, 'release'), 404)
    expectProblem(await ask(operator, 'GET', '/api/v1/batches/B2AAAAAAAA'), 404)
    for (const id of ['1', "'", '..%2f', '%00', 'x'.repeat(300)]) {
      expect((await ask(operator, 'GET', `/api/v1/withdrawals/${id}`)).status).toBeLessThan(500)
      expect((await ask(operator, 'GET', `/api/v1/batches/${id}`)).status).toBeLessThan(500)
      expect((await end(operator, id, 'payment')).status).toBeGreaterThanOrEqual(400)
    }
  })

  test('is found by state, currency and partner', async () => {
    const operator = await finance()
    const { id, partner } = await anAsked(shop)
    const found = async (query: string) =>
      (await ask(operator, 'GET', `/api/v1/withdrawals?partnerId=${partner.id}&${query}`)).body.rows.map(
        (row: { id: string }) => row.id,
      )
    expect(await found('state=requested&currency=EUR')).toEqual([id])
    expect(await found('state=paid')).toEqual([])
    expect(await found('currency=GBP')).toEqual([])
    expectProblem(await ask(operator, 'GET', '/api/v1/withdrawals?state=lost'), 422)
    expectProblem(await ask(operator, 'GET', '/api/v1/withdrawals?partnerId=1'), 422)
    expectProblem(await ask(operator, 'GET', '/api/v1/withdrawals.csv?columns=iban'), 422)
  })
})

describe('the bank’s answer', () => {
  test('is shown before anything is recorded, recorded once by two at once, and again does nothing', async () => {
    const operator = await finance()
    const [paid, failed] = [await anAsked(shop), await anAsked(shop)]
    await makeFile(operator)
    const [good, bad] = [
      (await one(operator, paid.id)).payoutReference,
      (await one(operator, failed.id)).payoutReference,
    ]
    const list = `Reference;Amount;Currency;Status;Bank reference
${good};250,00;EUR;Completed;=1+1
${bad};250,00;EUR;Rejected;
Rent;1.200,00;EUR;whatever;
`
    const foreseen = (await preview(operator, list)).body
    expect(foreseen).toMatchObject({
      others: 1,
      answers: [
        { reference: good, withdrawalId: paid.id, verdict: 'pay', isDone: false },
        { reference: bad, withdrawalId: failed.id, verdict: 'release', isDone: false },
      ],
    })
    expect(await withdrawalRow(shop, paid.id)).toMatchObject({ status: 'requested' })
    const replies = await Promise.all([bringIn(operator, list), bringIn(await finance(), list)])
    const done = replies.flatMap(({ body }) => body.answers).filter(({ isDone }) => isDone)
    expect(done).toHaveLength(2)
    expect(await withdrawalRow(shop, paid.id)).toMatchObject({ status: 'paid' })
    expect(await one(operator, failed.id)).toMatchObject({ status: 'requested', batch: null })
    expect((await bringIn(operator, list)).body.answers).toMatchObject([
      { verdict: 'known', isDone: false },
      { verdict: 'known', isDone: false },
    ])
    const csv = await ask(
      operator,
      'GET',
      `/api/v1/withdrawals.csv?partnerId=${paid.partner.id}&columns=reference`,
    )
    expect(csv.text.split('\r\n')[1]).toMatch(/^'=1\+1$/)
    await mailbox(shop).latest(paid.partner.email, 'We have paid you €250.00')
    expect(await mailbox(shop).list(paid.partner.email, 'We have paid')).toHaveLength(1)
    const commands = (await deedsOf(shop, operator)).map(({ command }) => command)
    expect(commands.filter((command) => command === 'withdrawal import')).toHaveLength(3)
  })

  test('of another sum or with a word that no bank has pays nothing', async () => {
    const operator = await finance()
    const { id, reference } = await sent(operator)
    const other = await bringIn(operator, `reference,amount,status\n${reference},25.00,ACSC\n`)
    expect(other.body.answers).toMatchObject([{ verdict: 'contradicts', isDone: false }])
    for (const status of ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'PAID?']) {
      const xml = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt><OrgnlPmtInfAndSts><TxInfAndSts><OrgnlEndToEndId>${reference}</OrgnlEndToEndId><TxSts>${status}</TxSts></TxInfAndSts></OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>`
      expect((await bringIn(operator, xml)).body.answers, status).toMatchObject([
        { verdict: 'unclear', isDone: false },
      ])
    }
    expect(await withdrawalRow(shop, id)).toMatchObject({ status: 'requested' })
  })

  test.each([
    ['nothing', '', {}],
    ['no list', 'hello', {}],
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), {}],
    ['XML of something else', '<svg xmlns="http://www.w3.org/2000/svg"/>', {}],
    ['XML that goes on without end', `<?xml version="1.0"?>${'<a>'.repeat(50_000)}`, {}],
    ['XML with entities of its own', '<!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/passwd">]><d>&a;</d>', {}],
    ['columns that are none', 'a,b\n1,2\n', { columns: '__proto__=a' }],
    ['columns without titles', 'reference,amount\n1,2\n', { columns: 'reference' }],
    ['sums that may be read in two ways', 'reference,amount\nP2ABCDEFGHJK,"1,234"\n', {}],
  ])('that is %s is refused at its field, in no words of the tool', async (_, text, more) => {
    const operator = await finance()
    for (const reply of [await preview(operator, text, more), await bringIn(operator, text, more)]) {
      const message = messageFor(expectProblem(reply, 422), 'file')
      expect(message).toMatch(/./)
      expect(message).not.toMatch(/--/)
    }
  })

  test('that is too large is refused, and so is what is no file at all', async () => {
    const operator = await finance()
    const huge = await bringIn(operator, Buffer.alloc(FILE_BYTES + 1, 65))
    expect([413, 422]).toContain(huge.status)
    expect((await bringIn(operator, Buffer.alloc(11_000_000, 65))).status).toBe(413)
    for (const file of [
      { name: 'a', base64: '§§§' },
      { name: '', base64: 'QQ==' },
      { name: 'a' },
      'QQ==',
      null,
    ])
      expectProblem(await ask(operator, 'POST', '/api/v1/bank-answers', { body: { file } }), 422)
    const deep = `${'{"file":'.repeat(20_000)}1${'}'.repeat(20_000)}`
    const reply = await ask(operator, 'POST', '/api/v1/bank-answers', {
      body: deep,
      headers: { 'content-type': 'application/json' },
    })
    expect([400, 422]).toContain(reply.status)
  })
})
