import { BLIK_CODES } from '#customer/customer-answer.ts'
import { type Bank, COUNTRIES, type Country } from '#open-banking/banks.ts'
import { type Html, html } from '#pages/html.ts'
import { SLOW, VIES_RULES, type ViesOutcome } from '#vies/vies-rules.ts'

const table = (caption: string, [first, second]: [string, string], rows: Html[]): Html => html`
<div class="sheet"><table>
<caption>${caption}</caption>
<thead><tr><th>${first}</th><th>${second}</th></tr></thead>
<tbody>${rows}</tbody>
</table></div>`

const row = (name: string, text: string, look = ''): Html => html`
<tr><td class="${look}">${name}</td><td class="line quiet">${text}</td></tr>`

const QUIRKS: Record<NonNullable<Bank['quirk']>, string> = {
  'no consent': 'does not ask for consent first',
  'by post': 'is reached by a form (POST)',
  'confirmed later': 'waits for the money before it reports success (awaiting confirmation)',
}

const quirksOf = ({ banks }: Country): string[] =>
  banks.flatMap(({ name, quirk }) => (quirk ? [`${name} ${QUIRKS[quirk]}`] : []))

const textOf = (country: Country): string =>
  [
    country.banks.map(({ name }) => name).join(', '),
    ...(country.asksConsent ? ['Asks for consent first (awaiting clarification)'] : []),
    ...quirksOf(country),
  ].join('. ')

export const bankTable = table(
  'Banks',
  ['Country', 'Banks, and how they differ'],
  COUNTRIES.map((country) => row(`${country.name}, ${country.currency}`, textOf(country))),
)

export const blikTable = table(
  'Blik codes',
  ['Code', 'What happens'],
  [
    row('Any other', 'Paid'),
    row(BLIK_CODES.wrong, 'Wrong: the page asks again', 'number'),
    row(BLIK_CODES.inApp, 'To be confirmed in the bank’s app first (awaiting customer action)', 'number'),
  ],
)

const VALID = 'There is such a number'

const outcomeText = (outcome: ViesOutcome): string => {
  if (typeof outcome === 'object') return `No answer: ${outcome.fault}`
  return outcome === 'valid' ? VALID : 'There is no such number'
}

export const viesTable = table(
  'VAT numbers',
  ['Last three digits', 'What the register says'],
  [
    row('Any other', VALID),
    ...Object.entries(VIES_RULES)
      .filter(([, outcome]) => outcome !== 'valid')
      .map(([ending, outcome]) => row(ending, outcomeText(outcome), 'number')),
    row(SLOW.ending, `${VALID}, said after ${SLOW.ms / 1000} seconds`, 'number'),
  ],
)
