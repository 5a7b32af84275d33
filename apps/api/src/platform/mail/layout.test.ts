import { DEFAULT_BRAND } from '@hedgerow/brand/brand'
import { describe, expect, test } from 'vitest'
import { type Letter, renderLetter } from '#platform/mail/layout.ts'

const letter: Letter = {
  heading: 'Thank you for your purchase',
  paragraphs: ['Hello Ada,', 'We received €30.00.'],
  facts: [['Works until', '22/12/2026 14:05 (London)']],
  steps: ['Install the app.', 'Switch the tunnel on.'],
  action: { label: 'Open my connections', url: 'https://shop.example/profile' },
  links: { lead: 'Step by step', to: [{ label: 'Android', url: 'https://shop.example/manual/android' }] },
  notes: ['If you did not buy this, write to us.'],
}
const { text, html } = renderLetter(letter, DEFAULT_BRAND)

/** The part of WCAG that computes how well a text stands out. */
const luminance = (colour: string) => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
const contrast = (one: string, other: string) => {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

describe('a mail', () => {
  test('says the same in plain text, in the same order', () => {
    expect(text).toBe(
      [
        'Thank you for your purchase',
        'Hello Ada,',
        'We received €30.00.',
        'Works until: 22/12/2026 14:05 (London)',
        '1. Install the app.\n2. Switch the tunnel on.',
        'Open my connections:\nhttps://shop.example/profile',
        'Step by step:\nAndroid: https://shop.example/manual/android',
        'If you did not buy this, write to us.',
        text.slice(text.indexOf('-- \n')),
      ].join('\n\n'),
    )
    const at = ['Works until', 'Install the app.', 'class="button"', '>Android<', 'did not buy'].map((part) =>
      html.indexOf(part),
    )
    expect(at).not.toContain(-1)
    expect(at).toEqual(at.toSorted((a, b) => a - b))
  })

  test('opens each address within its words, and nothing that stands beside it', () => {
    const notes = [
      'Use the button, or https://shop.example/cancel, which needs no log-in. Write to us.',
      'Choose a password at https://shop.example/forgot and look at https://shop.example/profile/security.',
    ]
    const told = renderLetter({ heading: 'A heading', paragraphs: ['Hello,'], notes }, DEFAULT_BRAND)
    expect(told.text).toContain('or\nhttps://shop.example/cancel\nwhich needs')
    expect(told.text).toContain(
      'at\nhttps://shop.example/forgot\nand look at\nhttps://shop.example/profile/security\n',
    )
    for (const path of ['cancel', 'forgot', 'profile/security'])
      expect(told.html).toContain(`>https://shop.example/${path}</a>`)
    expect(told.html).toContain('href="https://shop.example/cancel"')
  })

  test('has colours for the night, as readable as those of the day', () => {
    expect(html).toContain('<meta name="color-scheme" content="light dark">')
    const dark = html.match(/@media \(prefers-color-scheme:dark\)\{(.*)\}/)?.[1] ?? ''
    const colourOf = (rule: string) => dark.match(new RegExp(`\\.${rule}:(#\\w{6})`))?.[1] ?? ''
    for (const [ink, behind] of [
      ['ink{color', 'card{background'],
      ['quiet{color', 'card{background'],
      ['quiet{color', 'paper{background'],
      ['name{color', 'paper{background'],
      ['button{color', 'button{background'],
    ] as const)
      expect(contrast(colourOf(ink), colourOf(behind)), `${ink} on ${behind}`).toBeGreaterThan(4.5)
    // Whatever has a colour by day has one by night.
    for (const [element] of html.matchAll(/<[^>]*[^-]color:#[^>]*>/g))
      expect(element).toMatch(/class="(?:ink|quiet|name|button)/)
    for (const [element] of html.matchAll(/<[^>]*background:#[^>]*>/g))
      expect(element).toMatch(/class="(?:paper|card|button)/)
  })

  test('shows what it is about beside its subject, not whom it greets', () => {
    const preview = html.match(/mso-hide:all">([^&]*)/)?.[1]
    expect(preview).toBe('We received €30.00.')
  })

  test('fetches nothing, and has one button', () => {
    expect(html).not.toMatch(/<img|<link|<script|src=|url\(|@import/)
    expect(html.match(/class="button"/g)).toHaveLength(1)
  })

  test('makes nothing of what is typed', () => {
    const typed = '<b>"Ada"</b>'
    const { html: made } = renderLetter(
      {
        heading: typed,
        paragraphs: [typed],
        quote: typed,
        facts: [[typed, typed]],
        steps: [typed],
        action: { label: typed, url: 'https://shop.example/"><b>' },
        links: { lead: typed, to: [{ label: typed, url: 'https://shop.example/"><b>' }] },
        notes: [typed],
      },
      DEFAULT_BRAND,
    )
    expect(made).not.toMatch(/<b>/)
  })
})
