import { CONTENT_WIDTH, finish, MARGIN, newDocument, type Part, rule, type Style, setText } from './page.ts'
import { printable } from './printable.ts'
import { companyLines, FULL, type Page, QUIET, ROOMY, setTitle } from './sheet.ts'
import type { Issuer } from './tax-document.ts'
import { refuseUnsettable } from './text-refused.ts'

/** What a month came to; the texts are printed as they are. */
export type StatementData = {
  kind: 'statement'
  issuer: Issuer
  made: Date
  /** 'October 2026', and the month before it. */
  month: string
  before: string
  /** When it was closed, or that it was not. */
  standing: string
  closedBy?: string
  /** Why it was closed although something was open. */
  reason?: string | null
  lines: { what: string; sum: string; before: string; kind: 'part' | 'total' | 'beside' }[]
  corrections: { what: string; closed: string; now: string }[]
  notes: string[]
}

const SUM_WIDTH = 96
const LABEL_WIDTH = CONTENT_WIDTH - 2 * SUM_WIDTH - 16
const LAST_X = MARGIN.side + CONTENT_WIDTH - SUM_WIDTH
const MIDDLE_X = LAST_X - SUM_WIDTH - 8

const setLine = (
  page: Page,
  table: Part,
  [what, one, other]: readonly [string, string, string],
  from: number,
  { isHead = false, ...style }: Style & { isHead?: boolean },
) => {
  const as = isHead ? 'TH' : 'TD'
  const row = page.doc.struct('TR')
  table.add(row)
  const y = from + 6
  const right: Style = { ...style, align: 'right' }
  const ends = [
    setText({ ...page, parent: row, as: 'TH' }, what, { x: MARGIN.side, width: LABEL_WIDTH, y }, style),
    setText({ ...page, parent: row, as }, one, { x: MIDDLE_X, width: SUM_WIDTH, y }, right),
    setText({ ...page, parent: row, as }, other, { x: LAST_X, width: SUM_WIDTH, y }, right),
  ]
  const end = Math.max(...ends) + 4
  rule(page.doc, end)
  return end
}

const HEAD = { ...QUIET, size: 9, isHead: true }

const STYLES: Readonly<Record<'part' | 'total' | 'beside', Style>> = {
  part: {},
  total: { face: 'strong', size: 12 },
  beside: QUIET,
}

const UNPRINTABLE = '(in letters that this document cannot show)'

/** One page, PDF/UA. */
export const statementPdf = (data: StatementData): Promise<Buffer> => {
  const { issuer } = data
  refuseUnsettable({ company: [...companyLines(issuer), data.standing, ...data.notes].join(' ') })
  const title = `Statement, ${data.month}`
  const { doc, root } = newDocument({ title, author: issuer.company.legalName, made: data.made })
  const page: Page = { doc, parent: root, density: ROOMY }
  let y = setTitle(page, issuer, title) + 4
  const by = data.closedBy && ` by ${printable(data.closedBy) ?? UNPRINTABLE}`
  y = setText({ ...page, as: 'P' }, `${data.standing}${by ?? ''}`, { ...FULL, y }, { size: 11 }) + 4
  for (const line of companyLines(issuer)) y = setText({ ...page, as: 'P' }, line, { ...FULL, y }, QUIET)
  y += 18
  const table = doc.struct('Table')
  root.add(table)
  y = setLine(page, table, ['In pounds', data.month, data.before], y, HEAD)
  for (const { what, sum, before, kind } of data.lines) {
    if (kind === 'total') y += 4
    y = setLine(page, table, [what, sum, before], y, STYLES[kind])
    if (kind === 'total') y += 12
  }
  if (data.corrections.length > 0) {
    y = setText(
      { ...page, as: 'H2' },
      'Changed since it was closed',
      { ...FULL, y: y + 20 },
      { face: 'strong', size: 12 },
    )
    const changed = doc.struct('Table')
    root.add(changed)
    y = setLine(page, changed, ['In pounds', 'Closed with', 'Now'], y, HEAD)
    for (const { what, closed, now } of data.corrections)
      y = setLine(page, changed, [what, closed, now], y, {})
  }
  y += 10
  const reason = data.reason && `It was closed all the same: ${printable(data.reason) ?? UNPRINTABLE}`
  for (const note of [...data.notes, ...(reason ? [reason] : [])])
    y = setText({ ...page, as: 'P' }, note, { ...FULL, y: y + 2 }, { ...QUIET, size: 9 })
  return finish(doc, `${issuer.name}, ${title}`)
}
