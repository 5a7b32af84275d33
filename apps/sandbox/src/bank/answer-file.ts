import { stringify } from 'csv-stringify/sync'

/** What the bank does with a file of payments: 'first-refused' is for trying out what a refusal leads to. */
export type BankDecision = 'paid' | 'first-refused'

export type AnswerFile = { name: string; type: string; text: string }

type Transfer = { reference: string; amount: string; isPaid: boolean }

const SEPA_ID = /<MsgId>([A-Z0-9]{1,35})<\/MsgId>/
const SEPA_REFERENCE = /<EndToEndId>([A-Z0-9]{1,35})<\/EndToEndId>/
const SEPA_AMOUNT = /<InstdAmt Ccy="EUR">(\d{1,9}\.\d\d)<\/InstdAmt>/

/** Wherever a layout of the list has them. */
const LIST_REFERENCE = /\b(P[2-9][A-Z0-9]{10})\b/
const LIST_AMOUNT = /(?:^|,)(\d{1,9}\.\d\d)(?:,|$)/

const transfersIn = (
  pieces: readonly string[],
  [ofReference, ofAmount]: readonly [RegExp, RegExp],
  decision: BankDecision,
): Transfer[] =>
  pieces
    .flatMap((piece) => {
      const reference = ofReference.exec(piece)?.[1]
      const amount = ofAmount.exec(piece)?.[1]
      return reference && amount ? [{ reference, amount }] : []
    })
    .map((found, at) => ({ ...found, isPaid: decision === 'paid' || at > 0 }))

const bankReference = ({ reference }: Transfer) => `BANK-${reference}`

const statusOf = (transfer: Transfer): string => `
      <TxInfAndSts>
        <OrgnlEndToEndId>${transfer.reference}</OrgnlEndToEndId>
        <TxSts>${transfer.isPaid ? 'ACSC' : 'RJCT'}</TxSts>${
          transfer.isPaid ? '' : '\n        <StsRsnInf><Rsn><Cd>AC04</Cd></Rsn></StsRsnInf>'
        }
        <AcctSvcrRef>${bankReference(transfer)}</AcctSvcrRef>
        <OrgnlTxRef><Amt><InstdAmt Ccy="EUR">${transfer.amount}</InstdAmt></Amt></OrgnlTxRef>
      </TxInfAndSts>`

/** The customer payment status report, pain.002, of a pain.001. */
const statusReport = (
  id: string,
  transfers: readonly Transfer[],
): string => `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10">
  <CstmrPmtStsRpt>
    <GrpHdr><MsgId>ANSWER-${id}</MsgId><CreDtTm>${new Date().toISOString()}</CreDtTm></GrpHdr>
    <OrgnlGrpInfAndSts><OrgnlMsgId>${id}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId></OrgnlGrpInfAndSts>
    <OrgnlPmtInfAndSts><OrgnlPmtInfId>${id}</OrgnlPmtInfId>${transfers.map(statusOf).join('')}
    </OrgnlPmtInfAndSts>
  </CstmrPmtStsRpt>
</Document>
`

const listAnswer = (transfers: readonly Transfer[]): string =>
  stringify(
    transfers.map((transfer) => ({
      reference: transfer.reference,
      amount: transfer.amount,
      currency: 'GBP',
      status: transfer.isPaid ? 'Completed' : 'Rejected',
      bank_reference: bankReference(transfer),
    })),
    { header: true, record_delimiter: 'windows' },
  )

/** What a bank answers to a file of the shop's: pain.002 to pain.001, a list with statuses to a list. Undefined for any other file. */
export const answerTo = (file: string, decision: BankDecision): AnswerFile | undefined => {
  const id = SEPA_ID.exec(file)?.[1]
  if (id) {
    const transfers = transfersIn(
      file.split('<CdtTrfTxInf>').slice(1),
      [SEPA_REFERENCE, SEPA_AMOUNT],
      decision,
    )
    return transfers.length === 0
      ? undefined
      : { name: `answer-${id}.xml`, type: 'application/xml', text: statusReport(id, transfers) }
  }
  const transfers = transfersIn(file.split(/\r?\n/), [LIST_REFERENCE, LIST_AMOUNT], decision)
  return transfers.length === 0
    ? undefined
    : { name: 'answer.csv', type: 'text/csv', text: listAnswer(transfers) }
}
