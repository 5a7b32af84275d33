import { execFileSync, spawnSync } from 'node:child_process'
import { formatMinor } from '@hedgerow/domain/money'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CreditTransfer, writeCreditTransfers } from '#partners/payout-files/credit-transfer.ts'
import { sepaPayee } from '#partners/payout-files/payee.ts'
import { allAt, readXml, textAt, type XmlElement } from '#partners/payout-files/read-xml.ts'

const PAYER = { name: 'Example Hedgerow Limited', iban: 'GB33BUKB20201555555555' }
const BATCH = {
  id: 'B7QXKM2R4A',
  createdAt: new Date('2026-11-23T09:30:15.678Z'),
  executionDay: '2026-11-24',
  payer: PAYER,
}
const ADA: CreditTransfer = {
  name: 'Ada Lovelace',
  iban: 'DE89370400440532013000',
  reference: 'P7K3QX2MD4RS',
  amountMinor: 25_005,
}

const written = (transfers: readonly CreditTransfer[], payer: typeof PAYER & { bic?: string } = PAYER) =>
  writeCreditTransfers({ ...BATCH, payer, transfers })

/** All elements in the order of the file, by their paths; of several transfers the first. */
const pathsOf = (element: XmlElement, before = ''): string[] =>
  element.children.flatMap((child) => [
    `${before}${child.name}`,
    ...pathsOf(child, `${before}${child.name}/`),
  ])

describe('the SEPA file', () => {
  test('holds each element of pain.001.001.09 in the order of its schema', () => {
    const root = readXml(written([ADA]))
    expect(root.attributes.xmlns).toBe('urn:iso:std:iso:20022:tech:xsd:pain.001.001.09')
    const initiation = allAt(root, 'CstmrCdtTrfInitn')[0] as XmlElement
    expect(pathsOf(initiation)).toEqual([
      'GrpHdr',
      'GrpHdr/MsgId',
      'GrpHdr/CreDtTm',
      'GrpHdr/NbOfTxs',
      'GrpHdr/CtrlSum',
      'GrpHdr/InitgPty',
      'GrpHdr/InitgPty/Nm',
      'PmtInf',
      'PmtInf/PmtInfId',
      'PmtInf/PmtMtd',
      'PmtInf/BtchBookg',
      'PmtInf/NbOfTxs',
      'PmtInf/CtrlSum',
      'PmtInf/PmtTpInf',
      'PmtInf/PmtTpInf/SvcLvl',
      'PmtInf/PmtTpInf/SvcLvl/Cd',
      'PmtInf/ReqdExctnDt',
      'PmtInf/ReqdExctnDt/Dt',
      'PmtInf/Dbtr',
      'PmtInf/Dbtr/Nm',
      'PmtInf/DbtrAcct',
      'PmtInf/DbtrAcct/Id',
      'PmtInf/DbtrAcct/Id/IBAN',
      'PmtInf/DbtrAgt',
      'PmtInf/DbtrAgt/FinInstnId',
      'PmtInf/DbtrAgt/FinInstnId/Othr',
      'PmtInf/DbtrAgt/FinInstnId/Othr/Id',
      'PmtInf/ChrgBr',
      'PmtInf/CdtTrfTxInf',
      'PmtInf/CdtTrfTxInf/PmtId',
      'PmtInf/CdtTrfTxInf/PmtId/EndToEndId',
      'PmtInf/CdtTrfTxInf/Amt',
      'PmtInf/CdtTrfTxInf/Amt/InstdAmt',
      'PmtInf/CdtTrfTxInf/Cdtr',
      'PmtInf/CdtTrfTxInf/Cdtr/Nm',
      'PmtInf/CdtTrfTxInf/CdtrAcct',
      'PmtInf/CdtTrfTxInf/CdtrAcct/Id',
      'PmtInf/CdtTrfTxInf/CdtrAcct/Id/IBAN',
      'PmtInf/CdtTrfTxInf/RmtInf',
      'PmtInf/CdtTrfTxInf/RmtInf/Ustrd',
    ])
    const at = (...path: string[]) => textAt(initiation, ...path)
    expect(at('GrpHdr', 'CreDtTm')).toBe('2026-11-23T09:30:15Z')
    expect(at('PmtInf', 'PmtTpInf', 'SvcLvl', 'Cd')).toBe('SEPA')
    expect(at('PmtInf', 'ReqdExctnDt', 'Dt')).toBe('2026-11-24')
    expect(at('PmtInf', 'ChrgBr')).toBe('SLEV')
    expect(at('PmtInf', 'DbtrAgt', 'FinInstnId', 'Othr', 'Id')).toBe('NOTPROVIDED')
    expect(at('PmtInf', 'CdtTrfTxInf', 'RmtInf', 'Ustrd')).toBe('Partner payout P7K3QX2MD4RS')
  })

  test('names the payer’s bank where it is known', () => {
    const root = readXml(written([ADA], { ...PAYER, bic: 'BUKBGB22' }))
    const agent = allAt(root, 'CstmrCdtTrfInitn', 'PmtInf', 'DbtrAgt', 'FinInstnId')[0] as XmlElement
    expect(pathsOf(agent)).toEqual(['BICFI'])
    expect(textAt(agent, 'BICFI')).toBe('BUKBGB22')
  })

  const aTransfer = fc
    .record({
      holder: fc.string({ unit: 'binary', minLength: 1, maxLength: 120 }),
      amountMinor: fc.integer({ min: 1, max: 2_147_483_647 }),
      reference: fc.stringMatching(/^P[2-9][A-Z0-9]{10}$/),
    })
    .map(({ holder, ...rest }) => ({ ...rest, payee: sepaPayee({ accountHolder: holder, iban: ADA.iban }) }))
    .filter(({ payee }) => typeof payee !== 'string')
    .map(({ payee, ...rest }): CreditTransfer => ({ ...rest, ...(payee as { name: string; iban: string }) }))

  test('carries any name and any sum, and its sums agree with its transfers', () => {
    fc.assert(
      fc.property(fc.array(aTransfer, { minLength: 1, maxLength: 20 }), (transfers) => {
        const root = readXml(written(transfers))
        const found = allAt(root, 'CstmrCdtTrfInitn', 'PmtInf', 'CdtTrfTxInf')
        const sum = transfers.reduce((all, { amountMinor }) => all + amountMinor, 0)
        for (const header of [
          allAt(root, 'CstmrCdtTrfInitn', 'GrpHdr')[0],
          allAt(root, 'CstmrCdtTrfInitn', 'PmtInf')[0],
        ] as XmlElement[])
          expect([textAt(header, 'NbOfTxs'), textAt(header, 'CtrlSum')]).toEqual([
            String(transfers.length),
            formatMinor(sum),
          ])
        for (const [index, transfer] of found.entries()) {
          const amount = allAt(transfer, 'Amt', 'InstdAmt')[0] as XmlElement
          expect(amount.text).toMatch(/^\d{1,9}\.\d\d$/)
          expect(amount.text).toBe(formatMinor(transfers[index]?.amountMinor ?? 0))
          expect(amount.attributes.Ccy).toBe('EUR')
          expect(textAt(transfer, 'PmtId', 'EndToEndId')).toMatch(/^[A-Z0-9]{1,35}$/)
          expect(textAt(transfer, 'Cdtr', 'Nm')).toMatch(/^[A-Za-z0-9/?:().,'+ -]{1,70}$/)
          expect(textAt(transfer, 'RmtInf', 'Ustrd')?.length).toBeLessThanOrEqual(140)
        }
      }),
      { numRuns: 200 },
    )
  })

  test('is the same file each time', () => expect(written([ADA, ADA])).toBe(written([ADA, ADA])))

  const HAS_XMLLINT = spawnSync('xmllint', ['--version']).status === 0

  // Where libxml2-utils is not installed this is skipped, and the report says so.
  test.skipIf(!HAS_XMLLINT)('is well formed to xmllint', () => {
    execFileSync('xmllint', ['--noout', '-'], { input: written([ADA]) })
  })
})
