import { describe, expect, test } from 'vitest'
import { BankFileFault } from '#partners/payout-files/bank-words.ts'
import { readBankXml } from '#partners/payout-files/read-bank-xml.ts'

const [ADA, GRACE] = ['P7K3QX2MD4RS', 'P9ABCDEFGHJK']
const BATCH = 'B7QXKM2R4A'

const document = (message: string, inside: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:${message}">${inside}</Document>`

const report = (inside: string) =>
  document('pain.002.001.10', `<CstmrPmtStsRpt><GrpHdr><MsgId>X</MsgId></GrpHdr>${inside}</CstmrPmtStsRpt>`)

const group = (status: string, reason = '') =>
  `<OrgnlGrpInfAndSts><OrgnlMsgId>${BATCH}</OrgnlMsgId>${status}${reason}</OrgnlGrpInfAndSts>`

const transfer = (reference: string, status: string, more = '') =>
  `<TxInfAndSts><OrgnlEndToEndId>${reference}</OrgnlEndToEndId><TxSts>${status}</TxSts>${more}</TxInfAndSts>`

describe('a payment status report (pain.002)', () => {
  test('tells of each transfer', () => {
    const reason = '<StsRsnInf><Rsn><Cd>AC04</Cd></Rsn></StsRsnInf>'
    const sum = '<OrgnlTxRef><Amt><InstdAmt Ccy="EUR">250.50</InstdAmt></Amt></OrgnlTxRef>'
    const xml = report(
      `${group('<GrpSts>PART</GrpSts>')}<OrgnlPmtInfAndSts><OrgnlPmtInfId>${BATCH}</OrgnlPmtInfId>${transfer(ADA, 'ACSC', sum)}${transfer(GRACE, 'RJCT', reason)}${transfer('SALARY 11', 'ACSC')}</OrgnlPmtInfAndSts>`,
    )
    expect(readBankXml(xml)).toEqual({
      others: 1,
      words: [
        {
          at: 'transaction 1',
          about: { reference: ADA },
          outcome: 'paid',
          amountMinor: 25_050,
          currency: 'EUR',
        },
        { at: 'transaction 2', about: { reference: GRACE }, outcome: 'rejected', code: 'AC04' },
      ],
    })
  })

  test.each([
    ['ACCC', 'paid'],
    ['ACSP', 'pending'],
    ['RJCT', 'rejected'],
    ['WHAT', 'unclear'],
  ])('tells of a whole file: %s is %s', (status, outcome) => {
    expect(readBankXml(report(group(`<GrpSts>${status}</GrpSts>`))).words).toEqual([
      { at: 'the whole file', about: { batch: BATCH }, outcome },
    ])
  })
})

const entry = (details: string, { sum = '250.50', kind = 'DBIT', status = '<Cd>BOOK</Cd>' } = {}) =>
  `<Ntry><Amt Ccy="EUR">${sum}</Amt><CdtDbtInd>${kind}</CdtDbtInd><Sts>${status}</Sts><AcctSvcrRef>BANK1</AcctSvcrRef><NtryDtls>${details}</NtryDtls></Ntry>`
const details = (reference: string, more = '') =>
  `<TxDtls><Refs><EndToEndId>${reference}</EndToEndId></Refs>${more}</TxDtls>`
const statement = (inside: string) =>
  document('camt.053.001.08', `<BkToCstmrStmt><Stmt>${inside}</Stmt></BkToCstmrStmt>`)

describe('a statement (camt.053) or notification (camt.054)', () => {
  test('tells what left the account, with the bank’s own reference', () => {
    const word = {
      at: 'entry 1',
      about: { reference: ADA },
      outcome: 'paid',
      amountMinor: 25_050,
      currency: 'EUR',
      bankReference: 'BANK1',
    }
    expect(readBankXml(statement(entry(details(ADA)))).words).toEqual([word])
    const older = document(
      'camt.054.001.02',
      `<BkToCstmrDbtCdtNtfctn><Ntfctn>${entry(details(ADA), { status: 'BOOK' })}</Ntfctn></BkToCstmrDbtCdtNtfctn>`,
    )
    expect(readBankXml(older).words).toEqual([word])
  })

  test('takes the sums of transfers that were booked together, each from its own', () => {
    const each = (sum: string) => `<Amt Ccy="EUR">${sum}</Amt><CdtDbtInd>DBIT</CdtDbtInd>`
    const xml = statement(
      entry(details(ADA, each('250.50')) + details(GRACE, each('300.00')), { sum: '550.50' }),
    )
    expect(readBankXml(xml).words.map(({ amountMinor }) => amountMinor)).toEqual([25_050, 30_000])
    const untold = statement(entry(details(ADA) + details(GRACE), { sum: '550.50' }))
    expect(readBankXml(untold).words.map(({ amountMinor }) => amountMinor)).toEqual([undefined, undefined])
  })

  test('tells what came back, and what is not booked yet', () => {
    const back = entry(details(ADA, '<RtrInf><Rsn><Cd>AC01</Cd></Rsn></RtrInf>'), { kind: 'CRDT' })
    expect(readBankXml(statement(back)).words).toMatchObject([{ outcome: 'rejected', code: 'AC01' }])
    const pending = entry(details(ADA), { status: '<Cd>PDNG</Cd>' })
    expect(readBankXml(statement(pending)).words).toMatchObject([{ outcome: 'pending' }])
  })

  test('takes money that someone sent us with our reference for no return', () => {
    for (const more of ['', '<Amt Ccy="EUR">0.01</Amt>']) {
      const sent = entry(details(ADA, more), { kind: 'CRDT' })
      expect(readBankXml(statement(sent)).words).toMatchObject([{ outcome: 'unclear' }])
    }
    const reversed = entry(details(ADA), { kind: 'CRDT' }).replace('<CdtDbtInd>', '<RvslInd>true</RvslInd>$&')
    expect(readBankXml(statement(reversed)).words).toMatchObject([{ outcome: 'rejected' }])
  })

  test('has other bookings too, which are left alone', () => {
    const rent = entry(details('NOTPROVIDED'), { sum: 'a lot' })
    expect(readBankXml(statement(rent + entry('')))).toEqual({ words: [], others: 2 })
  })
})

test.each([
  ['another message', document('pain.001.001.09', '<CstmrCdtTrfInitn/>'), /neither a pain\.002 nor/],
  ['a page', '<html><body/></html>', /neither a pain\.002 nor/],
  ['half a file', '<Document><CstmrPmtStsRpt>', /cannot be read/],
  [
    'an entity',
    '<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]><Document>&y;</Document>',
    /document type/,
  ],
  ['no sum', statement(entry(details(ADA), { sum: '1,5' })), /“1,5” is no amount \(entry 1\)/],
  ['part of a cent', statement(entry(details(ADA), { sum: '1.505' })), /is no amount/],
])('refuses %s', (_, xml, message) => {
  expect(() => readBankXml(xml)).toThrow(BankFileFault)
  expect(() => readBankXml(xml)).toThrow(message)
})
