import { formatMinor } from '@hedgerow/domain/money'
import { create } from 'xmlbuilder2'
import { SEPA_NAME_LONGEST, type SepaPayee } from '#partners/payout-files/payee.ts'
import { sepaText } from '#partners/payout-files/payout-text.ts'
import type { Payer } from '#platform/database/tables/payouts.table.ts'

export type CreditTransfer = SepaPayee & { reference: string; amountMinor: number }

export type CreditTransferFile = {
  /** The message id; banks refuse one that they have seen. */
  id: string
  createdAt: Date
  /** '2026-11-23' */
  executionDay: string
  payer: Payer & { iban: string }
  transfers: readonly CreditTransfer[]
}

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09'

const toSeconds = (at: Date) => `${at.toISOString().slice(0, 19)}Z`

const presentTransfer = ({ reference, amountMinor, name, iban }: CreditTransfer) => ({
  PmtId: { EndToEndId: reference },
  Amt: { InstdAmt: { '@Ccy': 'EUR', '#': formatMinor(amountMinor) } },
  Cdtr: { Nm: name },
  CdtrAcct: { Id: { IBAN: iban } },
  RmtInf: { Ustrd: `Partner payout ${reference}` },
})

/**
 * The customer credit transfer initiation of ISO 20022, pain.001.001.09, as the European Payments Council restricts it for
 * SEPA. No postal addresses: unstructured ones are forbidden since 15 November 2026, and none is needed. Each transfer is
 * to be booked by itself, so that the bank's statement tells of each.
 */
export const writeCreditTransfers = ({
  id,
  createdAt,
  executionDay,
  payer,
  transfers,
}: CreditTransferFile): string => {
  const sums = {
    NbOfTxs: String(transfers.length),
    CtrlSum: formatMinor(transfers.reduce((sum, { amountMinor }) => sum + amountMinor, 0)),
  }
  const name = sepaText(payer.name, SEPA_NAME_LONGEST)
  const document = {
    Document: {
      '@xmlns': NAMESPACE,
      CstmrCdtTrfInitn: {
        GrpHdr: { MsgId: id, CreDtTm: toSeconds(createdAt), ...sums, InitgPty: { Nm: name } },
        PmtInf: {
          PmtInfId: id,
          PmtMtd: 'TRF',
          BtchBookg: 'false',
          ...sums,
          PmtTpInf: { SvcLvl: { Cd: 'SEPA' } },
          ReqdExctnDt: { Dt: executionDay },
          Dbtr: { Nm: name },
          DbtrAcct: { Id: { IBAN: payer.iban } },
          DbtrAgt: { FinInstnId: payer.bic ? { BICFI: payer.bic } : { Othr: { Id: 'NOTPROVIDED' } } },
          ChrgBr: 'SLEV',
          CdtTrfTxInf: transfers.map(presentTransfer),
        },
      },
    },
  }
  return `${create({ version: '1.0', encoding: 'UTF-8' }, document).end({ prettyPrint: true })}\n`
}
