import { Resolver } from 'node:dns/promises'
import { isLoopback } from '@hedgerow/settings/hosts'
import type { Check } from '#care/doctor/check.ts'
import { addressOf } from '#care/doctor/mail-checks.ts'
import { isExampleAddress } from '#care/doctor/setting-checks.ts'
import { type Finding, ok, warning } from '#platform/doctor/finding.ts'
import type { Settings } from '#platform/settings.ts'

/** The texts of a name; rejected with the resolver's code. */
export type LookUpTexts = (name: string) => Promise<string[]>

const domainOf = (address: string): string => addressOf(address).split('@').at(-1)?.toLowerCase() ?? ''

export type SenderRecord = {
  kind: 'SPF' | 'DKIM' | 'DMARC'
  name: string
  /** What to put there where there is none. Null: only the mail server's operator has it; what takes mails is seldom what sends them. */
  value: string | null
}

type Sender = Pick<Settings, 'mailFrom' | 'smtpUrl' | 'operatorEmail'>

/** What mail servers look for before they believe the sender. */
export const senderRecords = ({ mailFrom, smtpUrl, operatorEmail }: Sender): SenderRecord[] => {
  const domain = domainOf(mailFrom)
  const { hostname } = new URL(smtpUrl)
  // Reports to another domain would want a record there.
  const reports = domainOf(operatorEmail) === domain ? `; rua=mailto:${operatorEmail}` : ''
  return [
    { kind: 'SPF', name: domain, value: isLoopback(hostname) ? 'v=spf1 a mx ~all' : null },
    { kind: 'DKIM', name: `_domainkey.${domain}`, value: null },
    { kind: 'DMARC', name: `_dmarc.${domain}`, value: `v=DMARC1; p=none${reports}` },
  ]
}

const NONE = ['ENODATA', 'ENOTFOUND']

/** No answer is none either: a record that was there is not called gone because of it. */
const textsAt = (lookUp: LookUpTexts, name: string): Promise<string[] | undefined> =>
  lookUp(name).catch(({ code }: NodeJS.ErrnoException) => (NONE.includes(code ?? '') ? [] : undefined))

const unanswered = (name: string): Finding =>
  warning(`${name} could not be looked up`, 'See whether this machine may ask its resolver.')

export const lookAtSpf = async (domain: string, lookUp: LookUpTexts): Promise<Finding> => {
  const texts = await textsAt(lookUp, domain)
  if (!texts) return unanswered(domain)
  const found = texts.filter((text) => /^v=spf1( |$)/i.test(text))
  if (found.length > 1)
    return warning(
      `${domain} has ${found.length} SPF records, and then none counts`,
      'Make one record of them.',
    )
  return found.length === 1
    ? ok(`${domain} names who may send for it: ${found[0]}`)
    : warning(
        `${domain} has no SPF record: mails may be taken for spam`,
        'Publish the SPF record that your mail provider names.',
      )
}

/** Which key the mail server signs by is its own affair; whether there is any below the name, a name server says. */
export const lookAtDkim = async (domain: string, lookUp: LookUpTexts): Promise<Finding> => {
  const name = `_domainkey.${domain}`
  const code = await lookUp(name).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error.code ?? 'an error',
  )
  if (code === undefined || code === 'ENODATA') return ok(`${domain} has keys that mails are signed by`)
  return code === 'ENOTFOUND'
    ? warning(
        `${domain} has no DKIM key: mails may be taken for spam`,
        'Have your mail server or provider sign mails, and publish the key that it gives you.',
      )
    : unanswered(name)
}

export const lookAtDmarc = async (domain: string, lookUp: LookUpTexts): Promise<Finding> => {
  const labels = domain.split('.')
  // A subdomain goes by what stands above it.
  const names = labels.slice(0, -1).map((_, at) => `_dmarc.${labels.slice(at).join('.')}`)
  for (const name of names.slice(0, 4)) {
    const texts = await textsAt(lookUp, name)
    if (!texts) return unanswered(name)
    const found = texts.find((text) => /^v=DMARC1\b/i.test(text))
    if (found) return ok(`${name} says what becomes of forged mails: ${found}`)
  }
  return warning(
    `${domain} has no DMARC record: large providers refuse such mails`,
    'Publish a DMARC record; p=none is enough to begin with.',
  )
}

const WITHIN_MS = 2_000

const askResolver =
  (resolver = new Resolver({ timeout: WITHIN_MS, tries: 2 })): LookUpTexts =>
  async (name) =>
    (await resolver.resolveTxt(name)).map((parts) => parts.join(''))

const check = (name: string, look: typeof lookAtSpf): Check => ({
  name,
  isWatched: true,
  look: async ({ settings: { mailFrom } }) => {
    const domain = domainOf(mailFrom)
    return isExampleAddress(mailFrom) || !domain.includes('.')
      ? ok(`${domain} is no domain of the internet: nothing is looked for`)
      : look(domain, askResolver())
  },
})

/** Whether mails of the shop are believed, as far as its domain says it. Never a problem: they may arrive all the same. */
export const senderChecks: readonly Check[] = [
  check('spf', lookAtSpf),
  check('dkim', lookAtDkim),
  check('dmarc', lookAtDmarc),
]
