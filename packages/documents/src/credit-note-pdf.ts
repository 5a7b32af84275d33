import { finish, newDocument, rule, setText } from './page.ts'
import { printedCustomer } from './printable.ts'
import {
  companyLines,
  contactLine,
  DENSITIES,
  type Density,
  END,
  FULL,
  onOnePage,
  type Row,
  setFacts,
  setNotes,
  setOtherSums,
  setParties,
  setSums,
  setTitle,
  TOO_LONG,
} from './sheet.ts'
import { type Issuer, notesOf, type TaxFacts, vatLabelOf } from './tax-document.ts'
import { refuseUnsettable, TextRefused } from './text-refused.ts'

/** What a refund takes off an invoice; all sums are positive, and the texts are printed as they are. */
export type CreditNoteData = TaxFacts & {
  kind: 'credit-note'
  issuer: Issuer
  made: Date
  /** 'CN-2026-000001'. */
  number: string
  issued: string
  /** The one that it takes something off. */
  invoice: { number: string; issued: string }
  /** When the money went back: the day by which the tax is corrected. */
  refunded: string
  /** It takes the invoice back for another in its place, and no money went back. */
  isCorrection?: true
  /** Why, in a few words. */
  reason: string
  /** What had been sold. */
  description: string
  details: string
  method: string
  /** Masked; left out where it is not known. */
  pan?: string
  net: string
  vat: string
  vatRate: number
  total: string
}

const rowsOf = (note: CreditNoteData): Row[] => [
  {
    path: 'invoice',
    label: 'Credits invoice',
    value: `${note.invoice.number}, issued ${note.invoice.issued}`,
    mostLines: 2,
  },
  {
    path: 'refunded',
    label: note.isCorrection ? 'Corrected' : 'Refunded (tax point)',
    value: note.refunded,
    mostLines: 2,
  },
  { path: 'reason', label: 'Reason', value: note.reason, mostLines: 4 },
  { path: 'description', label: 'Description', value: note.description, mostLines: 8 },
  { path: 'details', label: 'Details', value: note.details, mostLines: 4 },
  { path: 'method', label: 'Paid by', value: note.method, mostLines: 3 },
  ...(note.pan ? [{ path: 'pan', label: 'Card number', value: note.pan, mostLines: 2 }] : []),
]

const textsOf = ({ issuer, description, details, method, pan = '' }: CreditNoteData) => ({
  description,
  details,
  method,
  pan,
  company: [...companyLines(issuer), contactLine(issuer), issuer.company.vatNumber].join(' '),
})

const layOut = (note: CreditNoteData, title: string, density: Density) => {
  const { issuer, made } = note
  const { doc, root } = newDocument({ title, author: issuer.company.legalName, made, isKept: true })
  const page = { doc, parent: root, density }
  const numbered = `Number ${note.number}, issued ${note.issued}`
  let y = setTitle(page, issuer, 'Credit note') + 4
  y = setText({ ...page, as: 'P' }, numbered, { ...FULL, y }, { size: 11 }) + density.between
  y = setParties(page, issuer, note.customer, y) + density.between
  const table = doc.struct('Table')
  root.add(table)
  rule(doc, y)
  const inTable = { ...page, parent: table }
  y = setFacts(inTable, rowsOf(note), y)
  const sums = {
    net: { label: 'Net credited', sum: note.net },
    vat: { label: vatLabelOf(note.vatRate, note.supply), sum: note.vat },
  }
  y = setSums(inTable, sums, { label: 'Total credited', sum: note.total }, y)
  y = setOtherSums(inTable, note, note.isCorrection ? 'Had been charged' : 'Paid back', y)
  return { doc, y: setNotes(page, notesOf(note), y) }
}

/** PDF/A-3 and PDF/UA. Throws TextRefused as an invoice does. */
export const creditNotePdf = (asked: CreditNoteData): Promise<Buffer> => {
  const note = asked.customer ? { ...asked, customer: printedCustomer(asked.customer) } : asked
  refuseUnsettable(textsOf(note))
  const title = `Credit note ${note.number}`
  const { doc, y } = onOnePage(DENSITIES, (density) => layOut(note, title, density))
  if (y > END) throw new TextRefused('description', TOO_LONG)
  return finish(doc, `${note.issuer.name}, ${title}`)
}
