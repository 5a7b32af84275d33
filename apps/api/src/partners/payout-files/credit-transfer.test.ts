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

/** A text of so many characters, as the schema counts them. */
const text = (longest: number) => new RegExp(`^.{1,${longest}}$`, 'su')
const COUNT = /^\d{1,15}$/
/** Of at most 18 digits; ours are of cents. */
const SUM = /^\d{1,16}\.\d\d$/
const IBAN = /^[A-Z]{2}\d{2}[A-Za-z0-9]{1,30}$/
/** Holds other elements. */
const GROUP = undefined

/**
 * What we write of CustomerCreditTransferInitiationV09, in the order of ISO 20022's schema, each with its type there. No
 * package that npm or Debian had brings the schema itself.
 */
const PUBLISHED: readonly (readonly [path: string, type: RegExp | undefined])[] = [
  ['GrpHdr', GROUP],
  ['GrpHdr/MsgId', text(35)],
  ['GrpHdr/CreDtTm', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/],
  ['GrpHdr/NbOfTxs', COUNT],
  ['GrpHdr/CtrlSum', SUM],
  ['GrpHdr/InitgPty', GROUP],
  ['GrpHdr/InitgPty/Nm', text(140)],
  ['PmtInf', GROUP],
  ['PmtInf/PmtInfId', text(35)],
  ['PmtInf/PmtMtd', /^(CHK|TRF|TRA)$/],
  ['PmtInf/BtchBookg', /^(true|false)$/],
  ['PmtInf/NbOfTxs', COUNT],
  ['PmtInf/CtrlSum', SUM],
  ['PmtInf/PmtTpInf', GROUP],
  ['PmtInf/PmtTpInf/SvcLvl', GROUP],
  ['PmtInf/PmtTpInf/SvcLvl/Cd', text(4)],
  ['PmtInf/ReqdExctnDt', GROUP],
  ['PmtInf/ReqdExctnDt/Dt', /^\d{4}-\d\d-\d\d$/],
  ['PmtInf/Dbtr', GROUP],
  ['PmtInf/Dbtr/Nm', text(140)],
  ['PmtInf/DbtrAcct', GROUP],
  ['PmtInf/DbtrAcct/Id', GROUP],
  ['PmtInf/DbtrAcct/Id/IBAN', IBAN],
  ['PmtInf/DbtrAgt', GROUP],
  ['PmtInf/DbtrAgt/FinInstnId', GROUP],
  ['PmtInf/DbtrAgt/FinInstnId/BICFI', /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/],
  ['PmtInf/DbtrAgt/FinInstnId/Othr', GROUP],
  ['PmtInf/DbtrAgt/FinInstnId/Othr/Id', text(35)],
  ['PmtInf/ChrgBr', /^(DEBT|CRED|SHAR|SLEV)$/],
  ['PmtInf/CdtTrfTxInf', GROUP],
  ['PmtInf/CdtTrfTxInf/PmtId', GROUP],
  ['PmtInf/CdtTrfTxInf/PmtId/EndToEndId', text(35)],
  ['PmtInf/CdtTrfTxInf/Amt', GROUP],
  ['PmtInf/CdtTrfTxInf/Amt/InstdAmt', SUM],
  ['PmtInf/CdtTrfTxInf/Cdtr', GROUP],
  ['PmtInf/CdtTrfTxInf/Cdtr/Nm', text(140)],
  ['PmtInf/CdtTrfTxInf/CdtrAcct', GROUP],
  ['PmtInf/CdtTrfTxInf/CdtrAcct/Id', GROUP],
  ['PmtInf/CdtTrfTxInf/CdtrAcct/Id/IBAN', IBAN],
  ['PmtInf/CdtTrfTxInf/RmtInf', GROUP],
  ['PmtInf/CdtTrfTxInf/RmtInf/Ustrd', text(140)],
]
const ORDER = PUBLISHED.map(([path]) => path)
const TYPES = new Map(PUBLISHED)
const REPEATED = 'PmtInf/CdtTrfTxInf'

/** What an element and those in it break of the schema. */
const faultsIn = (element: XmlElement, path = ''): string[] => {
  const paths = element.children.map(({ name }) => (path ? `${path}/${name}` : name))
  const places = paths.map((one) => ORDER.indexOf(one))
  return [
    ...paths.filter((one, at) => {
      const [place = -1, before = -1] = [places[at], places[at - 1]]
      return place < before || (place === before && one !== REPEATED)
    }),
    ...element.children.flatMap((child, at) => {
      const own = paths[at] ?? ''
      const type = TYPES.get(own)
      const isTyped = type ? child.children.length === 0 && type.test(child.text) : child.children.length > 0
      return [...(TYPES.has(own) && isTyped ? [] : [`${own} ${child.text}`]), ...faultsIn(child, own)]
    }),
  ]
}

const initiationOf = (file: string) => allAt(readXml(file), 'CstmrCdtTrfInitn')[0] as XmlElement

describe('the SEPA file', () => {
  test('holds each element of pain.001.001.09 in the order of its schema', () => {
    const root = readXml(written([ADA]))
    expect(root.attributes.xmlns).toBe('urn:iso:std:iso:20022:tech:xsd:pain.001.001.09')
    const initiation = allAt(root, 'CstmrCdtTrfInitn')[0] as XmlElement
    expect(faultsIn(initiation)).toEqual([])
    const at = (...path: string[]) => textAt(initiation, ...path)
    expect(at('GrpHdr', 'CreDtTm')).toBe('2026-11-23T09:30:15Z')
    expect(at('PmtInf', 'PmtTpInf', 'SvcLvl', 'Cd')).toBe('SEPA')
    expect(at('PmtInf', 'ReqdExctnDt', 'Dt')).toBe('2026-11-24')
    expect(at('PmtInf', 'ChrgBr')).toBe('SLEV')
    expect(at('PmtInf', 'DbtrAgt', 'FinInstnId', 'Othr', 'Id')).toBe('NOTPROVIDED')
    expect(at('PmtInf', 'CdtTrfTxInf', 'RmtInf', 'Ustrd')).toBe('Partner payout P7K3QX2MD4RS')
  })

  test.each([
    ['another order', '<MsgId>B7QXKM2R4A</MsgId>', '', '</GrpHdr>', '<MsgId>B7QXKM2R4A</MsgId></GrpHdr>'],
    ['a name that is too long', 'Ada Lovelace', 'A'.repeat(141)],
    ['an element twice', '<ChrgBr>SLEV</ChrgBr>', '<ChrgBr>SLEV</ChrgBr><ChrgBr>SLEV</ChrgBr>'],
    ['an element of another version', 'FinInstnId><Othr>', 'FinInstnId><BIC>BUKBGB22</BIC><Othr>'],
    ['a sum of another form', '>250.05<', '>250,05<'],
  ])('is found wrong with %s', (_, from, to, from2 = '', to2 = '') => {
    const file = written([ADA]).replace(/>\s+</g, '><')
    const broken = file.replaceAll(from, to).replace(from2, to2)
    expect(broken).not.toBe(file)
    expect(faultsIn(initiationOf(broken))).not.toEqual([])
  })

  test('names the payer’s bank where it is known', () => {
    const initiation = initiationOf(written([ADA], { ...PAYER, bic: 'BUKBGB22' }))
    expect(faultsIn(initiation)).toEqual([])
    expect(textAt(initiation, 'PmtInf', 'DbtrAgt', 'FinInstnId', 'BICFI')).toBe('BUKBGB22')
    expect(allAt(initiation, 'PmtInf', 'DbtrAgt', 'FinInstnId', 'Othr')).toEqual([])
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
        expect(faultsIn(allAt(root, 'CstmrCdtTrfInitn')[0] as XmlElement)).toEqual([])
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
