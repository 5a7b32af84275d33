import { groupDigits } from '@hedgerow/sandbox/card/card-number'
import { TEST_CARDS } from '@hedgerow/sandbox/card/test-cards'

/** One card of each kind is enough to try the shop; the sandbox's page lists them all. */
const SHOWN = ['4314220000000056', '4000000000000077', '4111111111111111']

const cardLines = SHOWN.map((pan) => {
  const card = TEST_CARDS.find((candidate) => candidate.pan === pan)
  return `    ${groupDigits(pan)}   ${card?.description ?? ''}`
})

type Opened = {
  url: string
  sandboxUrl: string | undefined
  consoleUrl?: string
  /** Of the first owner, until an operator can log in. */
  operatorLink?: string
  /** Of the demonstration: whom to log in as. */
  customer?: { email: string; password: string } | undefined
}

/** What stands in the terminal once the shop is open. */
export const shopReady = ({ url, sandboxUrl, consoleUrl, operatorLink, customer }: Opened): string =>
  [
    '',
    `  The shop is open      ${url}`,
    ...(consoleUrl ? [`  The console           ${consoleUrl}`] : []),
    ...(operatorLink ? [`  Its first owner       ${operatorLink}`] : []),
    ...(customer ? [`  A customer            ${customer.email}   ${customer.password}`] : []),
    ...(sandboxUrl
      ? [
          `  Mail arrives at       ${sandboxUrl}/mail`,
          `  The sandbox           ${sandboxUrl}`,
          '',
          '  Test cards (any name, any future expiry date, any security code):',
          ...cardLines,
        ]
      : []),
    '',
    '  Ctrl-C stops everything.',
    '',
  ].join('\n')
