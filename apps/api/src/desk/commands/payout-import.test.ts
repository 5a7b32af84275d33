import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mailbox } from '@hedgerow/testing/mailbox'
import { beforeEach, describe, expect, test } from 'vitest'
import { checkBooks } from '#partners/ledger/check-books.ts'
import { queueIsEmpty } from '#testing/jobs.ts'
import { opsSettings, runOpsAtTerminal } from '#testing/ops.ts'
import { balanceOf } from '#testing/partners.ts'
import { aFolder, anAsked, exported, opsWithdrawal, referenceOf } from '#testing/payouts.ts'
import { shopOfFile } from '#testing/test-shop.ts'
import { withdrawalsOf } from '#testing/withdrawals.ts'

const shop = shopOfFile()

const withdrawal = (...args: string[]) => opsWithdrawal(shop, ...args)

const aFile = async (content: string | Buffer) => {
  const path = join(await aFolder(), 'bank')
  await writeFile(path, content)
  return path
}

const bringIn = async (content: string | Buffer, ...args: string[]) =>
  withdrawal('import', await aFile(content), '--yes', ...args)

/** So many, each of 250.00 euros, in one batch. */
const sent = async (count: number) => {
  const asked = []
  for (let at = 0; at < count; at++) asked.push(await anAsked(shop))
  const { batch } = await exported(shop, '--currency', 'EUR')
  const all = []
  for (const one of asked) all.push({ ...one, reference: await referenceOf(shop, one.id) })
  return { batch: batch as string, all }
}

const first = <T>(all: readonly T[]): T => all[0] as T

const standing = async (id: string) => {
  const { json } = await withdrawal('show', id, '--json')
  return { status: json.status, reference: json.reference, batch: json.batch }
}

/** What other tests of the file have left waiting. */
beforeEach(() => exported(shop, '--currency', 'EUR'))

describe('ops withdrawal import', () => {
  test('records what a list says is paid, tells the partner, and takes out what is not', async () => {
    const { all } = await sent(3)
    const [paid, failed, waits] = all as [(typeof all)[0], (typeof all)[0], (typeof all)[0]]
    const list = `\uFEFFReference;Amount;Currency;Status;Bank reference
${paid.reference};250,00;EUR;Completed;FT\u0007-77
Rent of the office;1.200,00;EUR;whatever;
PAYOUT ${failed.reference.toLowerCase()} HEDGEROW;-250,00;eur;Rejected;
${waits.reference};250,00;EUR;Pending;
`
    const path = await aFile(list)
    const no = await runOpsAtTerminal(opsSettings(shop), 'n\n', 'withdrawal', 'import', path)
    expect(no.out).toContain('Record 1 as paid, each partner gets a mail, and take 1 out of their batches?')
    expect(no.code).toBe(1)
    expect(await standing(paid.id)).toMatchObject({ status: 'requested' })
    const { code, out, err } = await withdrawal('import', path, '--yes')
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(
      new RegExp(`line 2 +${paid.reference} +${paid.partner.email} +€250\\.00 +paid: to be recorded`),
    )
    expect(out).toMatch(new RegExp(`line 4 +${failed.reference} .* not paid: to be taken out of its batch`))
    expect(out).toContain('About something else: 1 row.')
    expect(out).toContain('1 recorded as paid, 1 taken out of their batches.')
    expect(await standing(paid.id)).toMatchObject({ status: 'paid', reference: 'FT -77' })
    expect(await withdrawalsOf(shop, paid.partner)).toMatchObject([{ status: 'paid', reference: 'FT -77' }])
    expect(await standing(failed.id)).toEqual({ status: 'requested', reference: null, batch: null })
    expect(await standing(waits.id)).toMatchObject({ status: 'requested', batch: expect.any(String) })
    expect(await balanceOf(shop, paid.partner)).toMatchObject({ available: 50, requested: 0, paid: 250 })
    const again = await withdrawal('import', path, '--yes')
    expect(again.code).toBe(0)
    expect(again.out).toContain('Nothing was done: nothing is new.')
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(paid.partner.email, 'We have paid')).toHaveLength(1)
    // What the bank did not pay stands in the next file, and the old list does not touch it.
    await exported(shop, '--currency', 'EUR')
    expect(await referenceOf(shop, failed.id)).not.toBe(failed.reference)
    await withdrawal('import', path, '--yes')
    expect(await standing(failed.id)).toMatchObject({ batch: expect.any(String) })
    expect(await checkBooks(shop)).toEqual([])
  })

  test('does what agrees, and names what contradicts or is unknown', async () => {
    const { all } = await sent(4)
    const [right, wrongSum, wrongMoney, both] = all as (typeof all)[0][] as [
      (typeof all)[0],
      (typeof all)[0],
      (typeof all)[0],
      (typeof all)[0],
    ]
    const { code, json, err } = await bringIn(
      `reference,amount,currency,status
${right.reference},250.00,EUR,ACSC
${wrongSum.reference},25.00,EUR,ACSC
${wrongMoney.reference},250.00,GBP,ACSC
${both.reference},250.00,EUR,ACSC
${both.reference},250.00,EUR,RJCT
P2ZZZZZZZZZZ,1.00,EUR,ACSC
`,
      '--json',
    )
    expect(code).toBe(1)
    expect(err).toMatch(/^4 of the file’s rows could not be used: .*P2ZZZZZZZZZZ/)
    const verdicts = Object.fromEntries(
      json.payouts.map((one: { reference: string }) => [one.reference, one]),
    )
    expect(verdicts[right.reference]).toMatchObject({ verdict: 'pay', isDone: true })
    expect(verdicts[wrongSum.reference]).toMatchObject({
      verdict: 'contradicts',
      isDone: false,
      why: 'the bank says €25.00, and it is €250.00',
    })
    expect(verdicts[wrongMoney.reference].why).toBe('the bank says GBP, and it is €250.00')
    expect(verdicts[both.reference].why).toMatch(/both that it was paid and that it was not/)
    expect(verdicts.P2ZZZZZZZZZZ).toMatchObject({ verdict: 'unknown', withdrawal: null })
    expect((await standing(right.id)).reference).toBe(right.reference)
    for (const { id } of [wrongSum, wrongMoney, both])
      expect(await standing(id)).toMatchObject({ status: 'requested', batch: expect.any(String) })
  })

  test('takes what came into the account for no payment, though it is completed', async () => {
    const { all } = await sent(2)
    const [out, back] = all as [(typeof all)[0], (typeof all)[0]]
    const { code, err } = await bringIn(
      `reference,amount,currency,state\n${out.reference},-250.00,EUR,COMPLETED\n${back.reference},250.00,EUR,COMPLETED\n`,
    )
    expect([code, err]).toEqual([
      1,
      `1 of the file’s rows could not be used: ${back.reference}. Look into each by hand.\n`,
    ])
    expect(await standing(out.id)).toMatchObject({ status: 'paid' })
    expect(await standing(back.id)).toMatchObject({ status: 'requested', batch: expect.any(String) })
    // Nor is it passed over where it had been paid.
    const later = await bringIn(
      `reference,amount,currency,state\n${out.reference},250.00,EUR,COMPLETED\nRent,-9.00,EUR,COMPLETED\n`,
    )
    expect([later.code, later.out]).toEqual([1, expect.stringContaining('the bank does not say whether')])
  })

  test('refuses more rows than any bank writes', async () => {
    const { code, err } = await bringIn(`reference,amount\n${'a,\n'.repeat(300_001)}`)
    expect([code, err]).toEqual([1, expect.stringContaining('The file has more than 300000 rows.')])
  })

  test('warns of money that went twice, or came back', async () => {
    const { all } = await sent(2)
    const [released, returned] = all as [(typeof all)[0], (typeof all)[0]]
    await withdrawal('release', released.id, '--yes')
    await withdrawal('paid', returned.id, '--yes')
    const { code, out } = await bringIn(
      `reference,amount,status\n${released.reference},250,PAID\n${returned.reference},250,RETURNED\n`,
    )
    expect(code).toBe(1)
    expect(out).toContain('see that it is not paid twice')
    expect(out).toContain('the bank did not pay it, or it came back, and it is recorded as paid')
    expect(await standing(released.id)).toMatchObject({ status: 'requested' })
    expect(await standing(returned.id)).toMatchObject({ status: 'paid' })
  })

  test('takes a statement without statuses: what left the account was paid', async () => {
    const { all } = await sent(2)
    const [paid, unsaid] = all as [(typeof all)[0], (typeof all)[0]]
    const list = `Buchung,Zweck,Betrag\n1,Ref ${paid.reference},-250.00\n2,Ref ${unsaid.reference},250.00\n`
    const unmapped = await bringIn(list)
    expect([unmapped.code, unmapped.out]).toEqual([1, ''])
    expect(unmapped.err).toContain(
      'Line 1: no column for ‘reference’ among ‘Buchung’, ‘Zweck’, ‘Betrag’. Name it with --columns reference=NAME.',
    )
    const columns = ['--columns', 'reference=Zweck,amount=Betrag']
    const { code, out } = await bringIn(list, ...columns)
    expect(code).toBe(1)
    expect(out).toContain('the bank does not say whether it is paid')
    expect(await standing(paid.id)).toMatchObject({ status: 'paid' })
    expect(await standing(unsaid.id)).toMatchObject({ status: 'requested' })
    expect((await bringIn(list, ...columns, '--all-paid')).code).toBe(0)
    expect(await standing(unsaid.id)).toMatchObject({ status: 'paid' })
  })

  test('takes amounts as the list writes them, and asks where they could be read in two ways', async () => {
    const { all } = await sent(1)
    const { reference, id } = first(all)
    const list = `reference;amount;status\n${reference};€ 0.250;PAID\nrent;1,5;PAID\n`
    expect((await bringIn(list.replace('0.250', '1.250'))).err).toContain('Say which with --decimal point')
    expect((await bringIn(list.replace('0.250', '250,00'))).code).toBe(0)
    expect(await standing(id)).toMatchObject({ status: 'paid' })
    expect((await bringIn(list.replace('0.250', '250'), '--decimal', 'comma')).out).toContain(
      'nothing is new',
    )
  })

  test('does nothing at all with a list of which a row cannot be read', async () => {
    const { all } = await sent(2)
    const [one, two] = all as [(typeof all)[0], (typeof all)[0]]
    const head = `reference,amount,status\n${one.reference},250.00,PAID\n`
    for (const [row, message] of [
      [`${two.reference},1.255,PAID`, 'Line 3, column ‘amount’: ‘1.255’ is no amount\nNothing was done.'],
      [`${two.reference},1,250.00,PAID`, 'Line 3: it has more cells than there are columns.'],
      [`${two.reference},250.00,perhaps`, 'Line 3, column ‘status’: ‘perhaps’ is no status that is known'],
      [`${two.reference},250.00`, 'Line 3, column ‘status’: ‘’ is no status that is known'],
      [`"${two.reference},250.00,PAID`, 'the file is no CSV'],
    ]) {
      const { code, out, err } = await bringIn(`${head}${row}\n`)
      expect([code, out, err]).toEqual([1, '', expect.stringContaining(message as string)])
    }
    expect(await standing(one.id)).toMatchObject({ status: 'requested' })
    expect((await bringIn('')).err).toBe('The file is empty.\nNothing was done.\n')
    expect((await bringIn(Buffer.alloc(20 * 1024 * 1024 + 1, ' '))).err).toMatch(/larger than 20 MB/)
    expect((await withdrawal('import', '/nowhere', '--yes')).err).toBe(
      '/nowhere cannot be read: there is no such file.\n',
    )
  })

  test('brought in twice at the same moment, pays and mails once', async () => {
    const { all } = await sent(1)
    const { reference, partner, id } = first(all)
    const list = `reference,amount,status\n${reference},250,PAID\n`
    const said = await Promise.all([1, 2].map(() => bringIn(list, '--json')))
    expect(said.map(({ code }) => code)).toEqual([0, 0])
    expect(said.reduce((sum, { json }) => sum + json.paid, 0)).toBe(1)
    expect(await standing(id)).toMatchObject({ status: 'paid' })
    await queueIsEmpty(shop)
    expect(await mailbox(shop).list(partner.email, 'We have paid')).toHaveLength(1)
  })
})

describe('ops withdrawal import of XML', () => {
  const document = (inside: string) =>
    `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:x">${inside}</Document>`

  test('takes all of a file out that the bank refused as a whole', async () => {
    const { batch, all } = await sent(2)
    const xml = document(
      `<CstmrPmtStsRpt><OrgnlGrpInfAndSts><OrgnlMsgId>${batch}</OrgnlMsgId><GrpSts>RJCT</GrpSts><StsRsnInf><Rsn><Cd>AM04</Cd></Rsn></StsRsnInf></OrgnlGrpInfAndSts></CstmrPmtStsRpt>`,
    )
    const { code, out } = await bringIn(xml)
    expect([code, out]).toEqual([0, expect.stringContaining('0 recorded as paid, 2 taken out')])
    for (const { id } of all) expect(await standing(id)).toMatchObject({ status: 'requested', batch: null })
    expect((await withdrawal('batches', batch)).out).toMatch(/released on .* \(bank AM04\)/)
  })

  test('records what a statement shows as booked', async () => {
    const { all } = await sent(1)
    const { reference, id, partner } = first(all)
    const xml = document(
      `<BkToCstmrStmt><Stmt><Ntry><Amt Ccy="EUR">250.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><NtryDtls><TxDtls><Refs><AcctSvcrRef>2026-77</AcctSvcrRef><EndToEndId>${reference}</EndToEndId></Refs></TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt>`,
    )
    expect((await bringIn(xml)).code).toBe(0)
    expect(await standing(id)).toMatchObject({ status: 'paid', reference: '2026-77' })
    expect(await balanceOf(shop, partner)).toMatchObject({ requested: 0, paid: 250 })
    const dangerous = xml.replace('<Document', '<!DOCTYPE x [<!ENTITY e "x">]><Document')
    expect((await bringIn(dangerous)).err).toMatch(/document type/)
  })
})
