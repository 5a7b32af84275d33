import {
  type BankFile,
  BankFileFault,
  type BankWord,
  isBatchId,
  isoOutcome,
  type Outcome,
  referencesIn,
} from '#partners/payout-files/bank-words.ts'
import { allAt, readXml, textAt, type XmlElement, XmlFault } from '#partners/payout-files/read-xml.ts'

const CODE = /^[A-Z0-9]{4}$/
const DECIMAL = /^(\d{1,9})(?:\.(\d{1,5}))?$/

/** '250.5' → 25050. Throws where it is none, or has a fraction of a cent. */
const minorOf = (text: string, at: string): number => {
  const [, whole = '', decimals = ''] = DECIMAL.exec(text) ?? []
  if (!whole || /[1-9]/.test(decimals.slice(2)))
    throw new BankFileFault(`“${text.slice(0, 30)}” is no amount (${at}). Nothing was done.`)
  return Number(`${whole}${decimals.slice(0, 2).padEnd(2, '0')}`)
}

const money = (element: XmlElement | undefined, at: string) =>
  element
    ? {
        amountMinor: minorOf(element.text.trim(), at),
        ...(element.attributes.Ccy ? { currency: element.attributes.Ccy } : {}),
      }
    : {}

const codeOf = (text: string | undefined) => (text && CODE.test(text) ? { code: text } : {})

const referenceOf = (text: string | undefined): string | undefined => {
  const found = referencesIn(text ?? '')
  return found.length === 1 ? found[0] : undefined
}

/** The customer payment status report. The status of each transfer counts, if there is one; else that of the whole file. */
const readStatusReport = (report: XmlElement): BankFile => {
  const group = allAt(report, 'OrgnlGrpInfAndSts')[0]
  const parts = allAt(report, 'OrgnlPmtInfAndSts')
  const transfers = parts.flatMap((part) => allAt(part, 'TxInfAndSts'))
  const words: BankWord[] = []
  let others = 0
  for (const [index, transfer] of transfers.entries()) {
    const at = `transaction ${index + 1}`
    const reference = referenceOf(textAt(transfer, 'OrgnlEndToEndId'))
    if (!reference) {
      others++
      continue
    }
    words.push({
      at,
      about: { reference },
      outcome: isoOutcome(textAt(transfer, 'TxSts')),
      ...money(allAt(transfer, 'OrgnlTxRef', 'Amt', 'InstdAmt')[0], at),
      ...bankReferenceOf(textAt(transfer, 'AcctSvcrRef')),
      ...codeOf(textAt(transfer, 'StsRsnInf', 'Rsn', 'Cd')),
    })
  }
  if (transfers.length > 0) return { words, others }
  const whole = [
    ...parts.map((part) => [part, textAt(part, 'OrgnlPmtInfId'), textAt(part, 'PmtInfSts')] as const),
    ...(group ? [[group, textAt(group, 'OrgnlMsgId'), textAt(group, 'GrpSts')] as const] : []),
  ]
  for (const [element, id = '', status] of whole)
    if (isBatchId(id) && status) {
      const outcome = isoOutcome(status)
      words.push({
        at: 'the whole file',
        about: { batch: id },
        outcome,
        ...codeOf(textAt(element, 'StsRsnInf', 'Rsn', 'Cd')),
      })
    } else others++
  return { words, others }
}

const bankReferenceOf = (text: string | undefined) =>
  text && text.length <= 35 && text !== 'NOTPROVIDED' ? { bankReference: text } : {}

/**
 * Booked, out of the account, and no reversal: paid. What comes in is a return where the bank says so: anyone who sends us money
 * chooses its reference, and a partner knows that of their own.
 */
const entryOutcome = (entry: XmlElement, details: XmlElement): Outcome => {
  const isOut = (textAt(details, 'CdtDbtInd') ?? textAt(entry, 'CdtDbtInd')) === 'DBIT'
  const status = textAt(entry, 'Sts', 'Cd') ?? textAt(entry, 'Sts')
  if (status !== 'BOOK') return 'pending'
  const isBack = textAt(entry, 'RvslInd') === 'true' || allAt(details, 'RtrInf').length > 0
  if (isOut) return isBack ? 'unclear' : 'paid'
  return isBack ? 'rejected' : 'unclear'
}

/** A statement, or a notification of bookings. */
const readStatement = (statement: XmlElement): BankFile => {
  const words: BankWord[] = []
  let others = 0
  for (const [index, entry] of allAt(statement, 'Ntry').entries()) {
    const transfers = allAt(entry, 'NtryDtls', 'TxDtls')
    if (transfers.length === 0) others++
    for (const details of transfers) {
      const at = `entry ${index + 1}`
      const reference = referenceOf(textAt(details, 'Refs', 'EndToEndId'))
      if (!reference) {
        others++
        continue
      }
      const own =
        allAt(details, 'Amt')[0] ??
        allAt(details, 'AmtDtls', 'TxAmt', 'Amt')[0] ??
        (transfers.length === 1 ? allAt(entry, 'Amt')[0] : undefined)
      words.push({
        at,
        about: { reference },
        outcome: entryOutcome(entry, details),
        ...money(own, at),
        ...bankReferenceOf(textAt(details, 'Refs', 'AcctSvcrRef') ?? textAt(entry, 'AcctSvcrRef')),
        ...codeOf(textAt(details, 'RtrInf', 'Rsn', 'Cd')),
      })
    }
  }
  return { words, others }
}

const joined = (files: readonly BankFile[]): BankFile => ({
  words: files.flatMap(({ words }) => words),
  others: files.reduce((sum, { others }) => sum + others, 0),
})

const rootOf = (xml: string): XmlElement => {
  try {
    return readXml(xml)
  } catch (error) {
    if (error instanceof XmlFault) throw new BankFileFault(`The XML cannot be read: ${error.message}`)
    throw error
  }
}

/** Whatever version of the message it is: pain.002, camt.053 or camt.054. Throws a BankFileFault. */
export const readBankXml = (xml: string): BankFile => {
  const root = rootOf(xml)
  const reports = allAt(root, 'CstmrPmtStsRpt')
  const statements = [
    ...allAt(root, 'BkToCstmrStmt', 'Stmt'),
    ...allAt(root, 'BkToCstmrDbtCdtNtfctn', 'Ntfctn'),
  ]
  if (root.name !== 'Document' || reports.length + statements.length === 0)
    throw new BankFileFault('The file is XML, but neither a pain.002 nor a camt.053 or camt.054.')
  return joined([...reports.map(readStatusReport), ...statements.map(readStatement)])
}
