import { COMMISSION_KIND_WORDS, type CommissionKind } from '@hedgerow/domain/commissions'
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
import { type Customer, type Issuer, notesOf, type TaxFacts } from './tax-document.ts'
import { refuseUnsettable, TextRefused, whyNotSettable } from './text-refused.ts'

/** What a partner was paid for; the texts are printed as they are. */
export type CommissionData = Pick<TaxFacts, 'sterling'> & {
  kind: 'commission'
  is: CommissionKind
  /** Whose company pays. */
  issuer: Issuer
  made: Date
  /** 'CM-2026-000001'. */
  number: string
  issued: string
  partner: Customer
  /** When the money was sent. */
  paid: string
  /** What the transfer was called; left out where it is not known. */
  reference?: string
  net: string
  vat: string
  vatRate: number
  total: string
}

const LAWS_WORDS: Readonly<Record<CommissionKind, readonly string[]>> = {
  // The words of VAT Notice 700/62.
  'self-billed': ['Self-billing. The VAT shown is your output tax due to HMRC.'],
  'reverse-charge': [
    'Self-billing. Reverse charge: the customer accounts for the VAT (articles 44 and 196 of Directive 2006/112/EC).',
  ],
  statement: ['This states commissions that were paid. It is not a VAT invoice.'],
}

const rowsOf = ({ is, paid, reference }: CommissionData): Row[] => [
  { path: 'paid', label: is === 'statement' ? 'Paid' : 'Paid (tax point)', value: paid, mostLines: 2 },
  { path: 'description', label: 'Description', value: 'Commissions of the partner programme', mostLines: 2 },
  ...(reference ? [{ path: 'reference', label: 'Reference', value: reference, mostLines: 3 }] : []),
]

const sumsOf = ({ is, net, vat, vatRate }: CommissionData) =>
  is === 'statement'
    ? undefined
    : {
        net: { label: 'Net', sum: net },
        vat: { label: is === 'self-billed' ? `VAT ${vatRate}% included` : 'VAT, reverse charge', sum: vat },
      }

const layOut = (data: CommissionData, title: string, density: Density) => {
  const { issuer, made, is } = data
  const { doc, root } = newDocument({ title, author: issuer.company.legalName, made, isKept: true })
  const page = { doc, parent: root, density }
  let y = setTitle(page, issuer, COMMISSION_KIND_WORDS[is]) + 4
  const numbered = `Number ${data.number}, issued ${data.issued}`
  y = setText({ ...page, as: 'P' }, numbered, { ...FULL, y }, { size: 11 }) + density.between
  const parties = is === 'statement' ? (['Paid by', 'Partner'] as const) : (['Customer', 'Supplier'] as const)
  y = setParties(page, issuer, data.partner, y, parties) + density.between
  const table = doc.struct('Table')
  root.add(table)
  rule(doc, y)
  const inTable = { ...page, parent: table }
  y = setFacts(inTable, rowsOf(data), y)
  y = setSums(inTable, sumsOf(data), { label: 'Total paid', sum: data.total }, y)
  const { sterling } = data
  const others = sterling ? { sterling } : {}
  y = setOtherSums(inTable, others, '', y)
  return { doc, y: setNotes(page, [...LAWS_WORDS[is], ...notesOf(others)], y) }
}

/** The operator's words are no reason to refuse a partner the document. */
const printable = (reference: string): string =>
  [...reference].filter((sign) => whyNotSettable(sign) === undefined).join('')

/** PDF/A-3 and PDF/UA. Throws TextRefused as an invoice does. */
export const commissionPdf = (asked: CommissionData): Promise<Buffer> => {
  const data = {
    ...asked,
    partner: printedCustomer(asked.partner),
    ...(asked.reference ? { reference: printable(asked.reference) } : {}),
  }
  const { issuer } = data
  refuseUnsettable({
    company: [...companyLines(issuer), contactLine(issuer), issuer.company.vatNumber].join(' '),
  })
  const title = `${COMMISSION_KIND_WORDS[data.is]} ${data.number}`
  const { doc, y } = onOnePage(DENSITIES, (density) => layOut(data, title, density))
  if (y > END) throw new TextRefused('partner', TOO_LONG)
  return finish(doc, `${issuer.name}, ${title}`)
}
