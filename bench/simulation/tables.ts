const startsAsFigure = /^[\d−+–£]/

/** A table as Markdown has it, so that what is printed can be pasted. Columns of figures stand to the right. */
export const markdown = (
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string => {
  const isOfFigures = (column: number) =>
    column > 0 && rows.every((row) => startsAsFigure.test(String(row[column])))
  const rule = head.map((_, column) => (isOfFigures(column) ? '--:' : '---'))
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** With commas between thousands, and so many digits that count. */
export const figure = (value: number, digits = 2): string => {
  if (!Number.isFinite(value)) return '–'
  const rounded = value === 0 ? 0 : Number(value.toPrecision(Math.max(digits, 1)))
  return rounded.toLocaleString('en-GB', { maximumFractionDigits: 2 })
}

export const percent = (part: number): string => `${Math.round(part * 100)} %`

export const signed = (part: number): string => `${part < 0 ? '−' : '+'}${Math.round(Math.abs(part) * 100)} %`

/** The text with another table behind the comment that has its title, or the first one there. Throws where there is no such comment. */
export const withTable = (text: string, title: string, table: string): string => {
  const place = new RegExp(`(<!-- ${title} -->\\n\\n)((?:\\|.*\\n)*)`)
  if (!place.test(text)) throw new Error(`docs/scale.md has no place for the table "${title}"`)
  return text.replace(
    place,
    (_, before: string, former: string) => `${before}${table}\n${former ? '' : '\n'}`,
  )
}
