import { mailbox } from '@hedgerow/testing/mailbox'
import { beforeEach, describe, expect, test } from 'vitest'
import { checkBooks } from '#partners/ledger/check-books.ts'
import { importAnswers } from '#partners/payout-files/bank-answers.ts'
import { listBatchPayouts, releaseWithdrawal, sumPaidOut } from '#partners/payout-files/payouts.service.ts'
import { readBankFile } from '#partners/payout-files/read-bank-file.ts'
import { resolveWithdrawal } from '#partners/withdrawals/withdrawals.service.ts'
import { balanceOf } from '#testing/partners.ts'
import { anAsked, exported, referenceOf } from '#testing/payouts.ts'
import { shopOfFile } from '#testing/test-shop.ts'
import { withdrawalRow } from '#testing/withdrawals.ts'

const shop = shopOfFile()

type Asked = Awaited<ReturnType<typeof anAsked>> & { reference: string }

/** So many, each of 250.00 euros, in one file. */
const sent = async (count: number) => {
  const asked = []
  for (let at = 0; at < count; at++) asked.push(await anAsked(shop))
  const { batch } = await exported(shop)
  const all: Asked[] = []
  for (const one of asked) all.push({ ...one, reference: await referenceOf(shop, one.id) })
  return { batch, all: all as [Asked, Asked, Asked, Asked] }
}

const bringIn = async (text: string, options: object = {}) => {
  const { answers, done } = await importAnswers(shop, await readBankFile(Buffer.from(text), options))
  return answers.map((answer) => ({ ...answer, isDone: done.has(answer) }))
}

const status = async (id: string) => (await withdrawalRow(shop, id)).status

/** What other tests of the file have left waiting. */
beforeEach(() => exported(shop))

describe('what a bank says of its transfers', () => {
  test('pays what is paid, under the bank’s reference, and takes out what is not', async () => {
    const { all } = await sent(3)
    const [paid, failed, waits] = all
    const list = `\uFEFFReference;Amount;Currency;Status;Bank reference
${paid.reference};250,00;EUR;Completed;FT\u0007-77
Rent of the office;1.200,00;EUR;whatever;
PAYOUT ${failed.reference.toLowerCase()} HEDGEROW;-250,00;eur;Rejected;
${waits.reference};250,00;EUR;Pending;
`
    expect(await bringIn(list)).toMatchObject([
      { reference: paid.reference, verdict: 'pay', isDone: true },
      { reference: failed.reference, verdict: 'release', isDone: true },
      { reference: waits.reference, verdict: 'pending', isDone: false },
    ])
    expect(await withdrawalRow(shop, paid.id)).toMatchObject({ status: 'paid', reference: 'FT -77' })
    expect(await balanceOf(shop, paid.partner)).toMatchObject({ available: 50, requested: 0, paid: 250 })
    expect(await status(failed.id)).toBe('requested')
    // What the bank did not pay stands in the next file, and the old list does not touch it.
    await exported(shop)
    const anew = await referenceOf(shop, failed.id)
    expect(anew).not.toBe(failed.reference)
    expect((await bringIn(list)).map(({ verdict }) => verdict)).toEqual(['known', 'known', 'pending'])
    expect(await referenceOf(shop, failed.id)).toBe(anew)
    await mailbox(shop).latest(paid.partner.email, 'We have paid you €250.00')
    expect(await mailbox(shop).list(paid.partner.email, 'We have paid')).toHaveLength(1)
    expect(await checkBooks(shop)).toEqual([])
  })

  test('does what agrees, and names what contradicts or is unknown', async () => {
    const { all } = await sent(4)
    const [right, wrongSum, wrongMoney, both] = all
    const answers = await bringIn(
      `reference,amount,currency,status
${right.reference},250.00,EUR,ACSC
${wrongSum.reference},25.00,EUR,ACSC
${wrongMoney.reference},250.00,GBP,ACSC
${both.reference},250.00,EUR,ACSC
${both.reference},250.00,EUR,RJCT
P2ZZZZZZZZZZ,1.00,EUR,ACSC
`,
    )
    expect(answers).toMatchObject([
      { verdict: 'pay', isDone: true },
      { verdict: 'contradicts', why: 'the bank says €25.00, and it is €250.00', isDone: false },
      { verdict: 'contradicts', why: 'the bank says GBP, and it is €250.00', isDone: false },
      {
        verdict: 'contradicts',
        why: expect.stringMatching(/both that it was paid and that it was not/),
        isDone: false,
      },
      { verdict: 'unknown', reference: 'P2ZZZZZZZZZZ', isDone: false },
    ])
    // Where the bank has no reference of its own, it is called as in the file.
    expect(await withdrawalRow(shop, right.id)).toMatchObject({ status: 'paid', reference: right.reference })
    for (const { id } of [wrongSum, wrongMoney, both]) expect(await status(id)).toBe('requested')
  })

  test('is no payment where money came into the account, though it is completed', async () => {
    const { all } = await sent(2)
    const [out, back] = all
    const list = (first: string) =>
      `reference,amount,currency,state\n${out.reference},${first},EUR,COMPLETED\n${back.reference},250.00,EUR,COMPLETED\nRent,-9.00,EUR,COMPLETED\n`
    expect((await bringIn(list('-250.00'))).map(({ verdict }) => verdict)).toEqual(['pay', 'unclear'])
    // Nor is it passed over where it had been paid.
    expect((await bringIn(list('250.00'))).map(({ verdict }) => verdict)).toEqual(['unclear', 'unclear'])
    expect(await status(back.id)).toBe('requested')
  })

  test('warns of money that went twice, or came back', async () => {
    const { all } = await sent(2)
    const [released, returned] = all
    await releaseWithdrawal(shop, released.id, 'operator')
    await resolveWithdrawal(shop, returned.id, { status: 'paid', reference: null })
    const answers = await bringIn(
      `reference,amount,status\n${released.reference},250,PAID\n${returned.reference},250,RETURNED\n`,
    )
    expect(answers).toMatchObject([
      { verdict: 'contradicts', why: expect.stringMatching(/see that it is not paid twice/) },
      { verdict: 'contradicts', why: expect.stringMatching(/it came back, and it is recorded as paid/) },
    ])
    expect(await status(released.id)).toBe('requested')
  })

  test('may have no statuses: what left the account was paid, and all of a list of payments', async () => {
    const { all } = await sent(2)
    const [paid, unsaid] = all
    const list = `Buchung,Zweck,Betrag\n1,Ref ${paid.reference},-250.00\n2,Ref ${unsaid.reference},250.00\n`
    await expect(bringIn(list)).rejects.toThrow(/no column for ‘reference’/)
    const columns = 'reference=Zweck,amount=Betrag'
    expect((await bringIn(list, { columns })).map(({ verdict }) => verdict)).toEqual(['pay', 'unclear'])
    expect(await status(unsaid.id)).toBe('requested')
    await bringIn(list, { columns, areAllPaid: true })
    expect(await status(unsaid.id)).toBe('paid')
  })

  test('is asked about where a sum could be read in two ways', async () => {
    const { all } = await sent(1)
    const [{ reference, id }] = all
    const list = (sum: string) => `reference;amount;status\n${reference};€ ${sum};PAID\nrent;1,5;PAID\n`
    await expect(bringIn(list('1.250'))).rejects.toThrow(/decimal sign/)
    await bringIn(list('250,00'))
    expect(await status(id)).toBe('paid')
    expect(await bringIn(list('250'), { decimal: ',' })).toMatchObject([{ verdict: 'known' }])
  })

  test('does nothing at all with a list of which a row cannot be read', async () => {
    const { all } = await sent(2)
    const [one, two] = all
    const head = `reference,amount,status\n${one.reference},250.00,PAID\n`
    for (const [row, message] of [
      [`${two.reference},1.255,PAID`, 'Line 3, column ‘amount’: ‘1.255’ is no amount'],
      [`${two.reference},1,250.00,PAID`, 'Line 3: it has more cells than there are columns.'],
      [`${two.reference},250.00,perhaps`, 'Line 3, column ‘status’: ‘perhaps’ is no status that is known'],
      [`${two.reference},250.00`, 'Line 3, column ‘status’: ‘’ is no status that is known'],
      [`"${two.reference},250.00,PAID`, 'the file is no CSV'],
    ])
      await expect(bringIn(`${head}${row}\n`)).rejects.toMatchObject({
        faults: [expect.stringContaining(message as string)],
      })
    await expect(bringIn(`reference,amount\n${'a,\n'.repeat(300_001)}`)).rejects.toThrow(/300000 rows/)
    expect(await status(one.id)).toBe('requested')
  })

  const document = (inside: string) =>
    `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:x">${inside}</Document>`

  test('takes all of a file out that the bank refused as a whole', async () => {
    const { batch } = await sent(2)
    const xml = document(
      `<CstmrPmtStsRpt><OrgnlGrpInfAndSts><OrgnlMsgId>${batch.id}</OrgnlMsgId><GrpSts>RJCT</GrpSts><StsRsnInf><Rsn><Cd>AM04</Cd></Rsn></StsRsnInf></OrgnlGrpInfAndSts></CstmrPmtStsRpt>`,
    )
    expect((await bringIn(xml)).map(({ verdict }) => verdict)).toEqual(['release', 'release'])
    expect(await listBatchPayouts(shop, batch.id)).toMatchObject([
      { status: 'requested', released_because: 'bank AM04' },
      { status: 'requested', released_because: 'bank AM04' },
    ])
  })

  test('is taken from a statement that shows it as booked', async () => {
    const { all } = await sent(1)
    const [{ reference, id, partner }] = all
    const xml = document(
      `<BkToCstmrStmt><Stmt><Ntry><Amt Ccy="EUR">250.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><NtryDtls><TxDtls><Refs><AcctSvcrRef>2026-77</AcctSvcrRef><EndToEndId>${reference}</EndToEndId></Refs></TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt>`,
    )
    await expect(
      bringIn(xml.replace('<Document', '<!DOCTYPE x [<!ENTITY e "x">]><Document')),
    ).rejects.toThrow(/document type/)
    await bringIn(xml)
    expect(await withdrawalRow(shop, id)).toMatchObject({ status: 'paid', reference: '2026-77' })
    expect(await balanceOf(shop, partner)).toMatchObject({ requested: 0, paid: 250 })
  })
})

test('what is in a file and paid by hand is called as in the file', async () => {
  const { all } = await sent(1)
  const [{ reference, id, partner }] = all
  const from = new Date()
  await resolveWithdrawal(shop, id, { status: 'paid', reference: null })
  const mail = await mailbox(shop).latest(partner.email, 'We have paid you €250.00')
  expect(mail.text).toContain(`Its reference is ${reference}.`)
  expect(await sumPaidOut(shop, from, new Date(Date.now() + 1000))).toEqual([
    { currency: 'EUR', count: 1, paidMinor: 25_000, ledgerMinor: 25_000 },
  ])
  expect(await sumPaidOut(shop, from, from)).toEqual([])
})
