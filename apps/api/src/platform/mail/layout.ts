import type { Brand, Palette } from '@hedgerow/brand/brand'
import { escapeHtml } from '@hedgerow/io/escape-html'

type Link = { label: string; url: string }

export type Letter = {
  heading: string
  /** The first without a greeting is also what an inbox shows beside the subject. */
  paragraphs: readonly string[]
  /** What a customer wrote, with their line breaks; set off, so that it cannot pass for our own words. */
  quote?: string
  /** What one looks a mail up for later: by its name. */
  facts?: readonly (readonly [name: string, value: string])[]
  /** What to do, one after the other. */
  steps?: readonly string[]
  /** The one thing that the mail is for. */
  action?: Link
  /** Further pages, in one quiet line after these words. */
  links?: { lead: string; to: readonly Link[] }
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

/** An address within a sentence; the full stop or comma after it is not part of it. */
const ADDRESS = /https?:\/\/[^\s<>"]*[^\s<>".,;:!?)’”]/g

/** Each address has a line of its own: whatever stood beside it, some program would open along with it. */
const onOwnLines = (text: string): string =>
  text.replaceAll(new RegExp(` ?(${ADDRESS.source})[.,;:]? ?`, 'g'), '\n$1\n').trim()

const asText = (letter: Letter, brand: Brand): string => {
  const { heading, paragraphs, quote, facts, steps, action, links, notes = [] } = letter
  return [
    heading,
    ...paragraphs.map(onOwnLines),
    ...(quote ? [quote.replace(/^/gm, '> ')] : []),
    ...(facts ? [facts.map(([name, value]) => `${name}: ${value}`).join('\n')] : []),
    ...(steps ? [steps.map((step, i) => `${i + 1}. ${onOwnLines(step)}`).join('\n')] : []),
    ...(action ? [`${action.label}:\n${action.url}`] : []),
    ...(links ? [`${links.lead}:\n${links.to.map(({ label, url }) => `${label}: ${url}`).join('\n')}`] : []),
    ...notes.map(onOwnLines),
    `-- \n${footLines(brand).join('\n')}`,
  ].join('\n\n')
}

const SERIF = "Fraunces,Georgia,'Times New Roman',serif"
const SANS = "'Instrument Sans',-apple-system,'Segoe UI',Helvetica,Arial,sans-serif"

/**
 * The colours of the night, for the programs that ask for them; Outlook names what it darkens by attributes of its own.
 * Those of the day stand at each element: some programs read no styles, and some turn light colours dark themselves.
 */
const darkStyles = ({ paper, surface, ink, quietInk, line, hedge }: Palette): string => {
  const text = { ink, quiet: quietInk, name: hedge, button: paper }
  const behind = { paper, card: surface, button: hedge }
  const rules = (before: (kind: 'color' | 'background') => string) => [
    ...Object.entries(text).map(([name, value]) => `${before('color')}.${name}{color:${value}!important}`),
    ...Object.entries(behind).map(
      ([name, value]) => `${before('background')}.${name}{background:${value}!important}`,
    ),
    `${before('color')}.line{border-color:${line}!important}`,
  ]
  return [
    ':root{color-scheme:light dark;supported-color-schemes:light dark}',
    `@media (prefers-color-scheme:dark){${rules(() => '').join('')}}`,
    ...rules((kind) => (kind === 'color' ? '[data-ogsc] ' : '[data-ogsb] ')),
  ].join('\n')
}

/** So much of it is shown beside a subject at most. */
const PREVIEW = 140
/** Keeps what follows out of the preview where the words are short. */
const FILLER = '&#847;&zwnj;&nbsp;'.repeat(60)

const previewOf = ({ paragraphs }: Letter): string =>
  (paragraphs.find((text) => !/^Hello\b/.test(text)) ?? '').slice(0, PREVIEW)

const asHtml = (letter: Letter, brand: Brand): string => {
  const { heading, paragraphs, quote, facts, steps, action, links, notes = [] } = letter
  const { paper, surface, ink, quietInk, line, hedge } = brand.colours.light
  const set = (text: string) => escapeHtml(text).replaceAll('\n', '<br>')
  const linked = (text: string) =>
    set(text).replaceAll(
      ADDRESS,
      (address) =>
        `<a class="name" href="${address}" style="color:${hedge};word-break:break-all">${address}</a>`,
    )
  const styled = (name: 'ink' | 'quiet', size: number) =>
    `class="${name}" style="margin:0 0 16px;color:${name === 'ink' ? ink : quietInk};font-size:${size}px;line-height:1.55"`
  const paragraph = (text: string) => `<p ${styled('ink', 16)}>${linked(text)}</p>`
  const note = (text: string) => `<p ${styled('quiet', 14)}>${linked(text)}</p>`
  const quoted = quote
    ? `<blockquote class="ink line" style="margin:0 0 24px;padding:4px 0 4px 16px;border-left:3px solid ${line};color:${ink};font-size:16px;line-height:1.55;overflow-wrap:anywhere">${set(quote)}</blockquote>`
    : ''
  const cell = 'padding:10px 0;border-top:1px solid'
  const table = facts
    ? `<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="margin:8px 0 24px;font-size:16px;line-height:1.45">${facts
        .map(
          ([name, value]) =>
            `<tr><td class="quiet line" valign="top" style="${cell} ${line};padding-right:16px;color:${quietInk};white-space:nowrap">${set(name)}</td><td class="ink line" valign="top" align="right" style="${cell} ${line};color:${ink};font-weight:600">${set(value)}</td></tr>`,
        )
        .join('')}</table>`
    : ''
  const list = steps
    ? `<ol class="ink" style="margin:0 0 24px;padding:0 0 0 24px;color:${ink};font-size:16px;line-height:1.55">${steps.map((step) => `<li style="margin:0 0 8px">${linked(step)}</li>`).join('')}</ol>`
    : ''
  const button = action
    ? `<p style="margin:8px 0 24px"><a class="button" href="${escapeHtml(action.url)}" style="display:inline-block;padding:14px 24px;border-radius:8px;background:${hedge};color:${surface};font-size:16px;font-weight:600;text-decoration:none">${set(action.label)}</a></p>
<p ${styled('quiet', 14)}>If the button does nothing, open this address:<br>${linked(action.url)}</p>`
    : ''
  const further = links
    ? `<p ${styled('quiet', 14)}>${set(links.lead)}: ${links.to
        .map(
          ({ label, url }) =>
            `<a class="name" href="${escapeHtml(url)}" style="color:${hedge};white-space:nowrap">${set(label)}</a>`,
        )
        .join(', ')}.</p>`
    : ''
  return `<!doctype html>
<html lang="en-GB">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(heading)}</title>
<style>
${darkStyles(brand.colours.dark)}
</style></head>
<body class="paper" style="margin:0;background:${paper};font-family:${SANS}">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${escapeHtml(previewOf(letter))}${FILLER}</div>
<table role="presentation" class="paper" width="100%" cellspacing="0" cellpadding="0" style="background:${paper}"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellspacing="0" cellpadding="0" style="max-width:560px;table-layout:fixed"><tr><td class="name" style="padding:0 0 16px;color:${hedge};font-family:${SERIF};font-size:20px;font-weight:600">${escapeHtml(brand.name)}</td></tr>
<tr><td class="card line" style="padding:28px 24px 12px;background:${surface};border:1px solid ${line};border-radius:12px;overflow-wrap:break-word;word-break:break-word">
<h1 class="ink" style="margin:0 0 16px;color:${ink};font-family:${SERIF};font-size:26px;line-height:1.25;font-weight:600">${escapeHtml(heading)}</h1>
${[...paragraphs.map(paragraph), quoted, table, list, button, further, ...notes.map(note)].filter(Boolean).join('\n')}
</td></tr>
<tr><td class="quiet" style="padding:24px 0;color:${quietInk};font-size:13px;line-height:1.6">${footLines(brand).map(escapeHtml).join('<br>')}</td></tr>
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
