import type { Brand } from '@hedgerow/brand/brand'
import { escapeHtml } from '@hedgerow/html/escape-html'

export type Letter = {
  heading: string
  paragraphs: readonly string[]
  /** What somebody wrote, with their line breaks; set off, so that it cannot pass for our own words. */
  quote?: string
  action?: { label: string; url: string }
  /** Stands below the action, in quiet ink. */
  notes?: readonly string[]
}

const footLines = ({ company, name, tagline }: Brand): string[] => [
  `${name}: ${tagline.toLowerCase()}`,
  `${company.legalName}, registered in England and Wales, number ${company.number}`,
  `VAT number ${company.vatNumber}`,
  company.registeredOffice,
  company.email,
]

const asText = ({ heading, paragraphs, quote, action, notes = [] }: Letter, brand: Brand): string =>
  [
    heading,
    ...paragraphs,
    ...(quote ? [quote.replace(/^/gm, '> ')] : []),
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...notes,
    `-- \n${footLines(brand).join('\n')}`,
  ].join('\n\n')

const SERIF = "Fraunces,Georgia,'Times New Roman',serif"
const SANS = "'Instrument Sans',-apple-system,'Segoe UI',Helvetica,Arial,sans-serif"

const asHtml = ({ heading, paragraphs, quote, action, notes = [] }: Letter, brand: Brand): string => {
  const { paper, surface, ink, quietInk, line, hedge } = brand.colours.light
  const paragraph = (text: string, colour: string, size: number) =>
    `<p style="margin:0 0 16px;color:${colour};font-size:${size}px;line-height:1.55">${escapeHtml(text).replaceAll('\n', '<br>')}</p>`
  const button = action
    ? `<p style="margin:8px 0 24px"><a href="${escapeHtml(action.url)}" style="display:inline-block;padding:14px 24px;border-radius:8px;background:${hedge};color:${surface};font-size:16px;font-weight:600;text-decoration:none">${escapeHtml(action.label)}</a></p>
<p style="margin:0 0 16px;color:${quietInk};font-size:14px;line-height:1.55">If the button does nothing, open this address:<br><span style="word-break:break-all">${escapeHtml(action.url)}</span></p>`
    : ''
  const quoted = quote
    ? `<blockquote style="margin:0 0 24px;padding:4px 0 4px 16px;border-left:3px solid ${line};color:${ink};font-size:16px;line-height:1.55;overflow-wrap:anywhere">${escapeHtml(quote).replaceAll('\n', '<br>')}</blockquote>`
    : ''
  return `<!doctype html>
<html lang="en-GB">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light"><title>${escapeHtml(heading)}</title></head>
<body style="margin:0;background:${paper};font-family:${SANS}">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="background:${paper}"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="max-width:560px;table-layout:fixed"><tr><td style="padding:0 0 16px;color:${hedge};font-family:${SERIF};font-size:20px;font-weight:600">${escapeHtml(brand.name)}</td></tr>
<tr><td style="padding:28px 24px 12px;background:${surface};border:1px solid ${line};border-radius:12px;overflow-wrap:break-word;word-break:break-word">
<h1 style="margin:0 0 16px;color:${ink};font-family:${SERIF};font-size:26px;line-height:1.25;font-weight:600">${escapeHtml(heading)}</h1>
${paragraphs.map((text) => paragraph(text, ink, 16)).join('\n')}
${quoted}
${button}
${notes.map((text) => paragraph(text, quietInk, 14)).join('\n')}
</td></tr>
<tr><td style="padding:24px 0;color:${quietInk};font-size:13px;line-height:1.6">${footLines(brand).map(escapeHtml).join('<br>')}</td></tr>
</table></td></tr></table>
</body>
</html>
`
}

/** A mail in two readings that say the same: plain text, and one column of HTML without anything from outside. */
export const renderLetter = (letter: Letter, brand: Brand): { text: string; html: string } => ({
  text: asText(letter, brand),
  html: asHtml(letter, brand),
})
