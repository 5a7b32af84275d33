/** A table as Markdown has it, so that what is printed can be pasted. The first column is text, the others are figures. */
export const markdown = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, head.map((_, index) => (index === 0 ? '---' : '--:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')

/** With commas between thousands, and so many digits that count. */
export const figure = (value: number, digits = 2): string => {
  if (!Number.isFinite(value)) return '–'
  const rounded = value === 0 ? 0 : Number(value.toPrecision(Math.max(digits, 1)))
  return rounded.toLocaleString('en-GB', { maximumFractionDigits: 2 })
}

export const percent = (part: number): string => `${Math.round(part * 100)} %`

export const signed = (part: number): string => `${part < 0 ? '−' : '+'}${Math.round(Math.abs(part) * 100)} %`
