import { DEFAULT_BRAND } from '@hedgerow/brand/brand'
import { describe, expect, test } from 'vitest'
import { type OperatorLetter, operatorMail } from '#platform/mail/operator-letter.ts'

const letter: OperatorLetter = {
  heading: 'A refund was refused',
  paragraphs: ['The gateway refused it.'],
  notes: ['You get another email.'],
  page: { label: 'Open the payment', path: '/payments/1' },
  commands: [['Refund it again', 'refund 1']],
}
const settings = {
  brand: DEFAULT_BRAND,
  operatorEmail: 'operator@shop.example',
  consoleUrl: 'https://console.shop.example',
  consolePort: 3002,
  isProduction: true,
}

describe('a mail to the operators', () => {
  test('leads to the page of the console, with the command below', () => {
    const { text, html, to, subject } = operatorMail(letter, settings)
    expect({ to, subject }).toEqual({ to: 'operator@shop.example', subject: 'A refund was refused' })
    expect(text).toContain(
      [
        'The gateway refused it.',
        'Open the payment:\nhttps://console.shop.example/payments/1',
        'You get another email.',
        'Without the console, in a terminal:\nRefund it again: hedgerow-ops refund 1',
      ].join('\n\n'),
    )
    expect(html).toContain('href="https://console.shop.example/payments/1"')
    // A process without the console knows where another has it.
    expect(operatorMail(letter, { ...settings, consolePort: null }).text).toContain('/payments/1')
  })

  test('has the command alone where there is no address that a mail could open', () => {
    const consoleUrl = 'http://localhost:3002'
    for (const without of [
      { ...settings, consoleUrl },
      { ...settings, consoleUrl, isProduction: false, consolePort: null },
    ]) {
      const { text, html } = operatorMail(letter, without)
      expect(text).toContain('In a terminal:\nRefund it again: hedgerow-ops refund 1')
      expect(text).not.toContain('localhost')
      expect(html).not.toContain('class="button" href')
    }
    expect(operatorMail(letter, { ...settings, consoleUrl, isProduction: false }).text).toContain(
      'http://localhost:3002/payments/1',
    )
  })
})
