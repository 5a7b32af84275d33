import { lookup } from 'node:dns/promises'
import type { Check } from '#care/doctor/check.ts'
import { type Finding, ok, problem } from '#platform/doctor/finding.ts'
import type { Settings } from '#platform/settings.ts'

type Name = { setting: string; host: string }

/** Where settings lead outside. */
const namesOf = ({ publicUrl, smtpUrl, gate, btcpay }: Settings): Name[] =>
  Object.entries({
    PUBLIC_URL: publicUrl,
    SMTP_URL: smtpUrl,
    GATE_URL: gate?.url,
    BTCPAY_URL: btcpay?.url,
  }).flatMap(([setting, url]) =>
    url ? [{ setting, host: new URL(url).hostname.replace(/^\[|\]$/g, '') }] : [],
  )

/** What became of looking them up: each with the system's code where it has no address. */
export const whatOfNames = (names: readonly (Name & { code?: string })[]): Finding[] => {
  const failed = names.filter(({ code }) => code !== undefined)
  if (failed.length === 0) return [ok(`found: ${[...new Set(names.map(({ host }) => host))].join(', ')}`)]
  // Nobody answered. A name that is not there has an answer that says so.
  const silent = failed.filter(({ code }) => code === 'EAI_AGAIN')
  if (silent.length > 0)
    return [
      problem(
        `this machine cannot look names up (${silent.map(({ host }) => host).join(', ')}): its resolver does not answer`,
        'See /etc/resolv.conf, and whether what it names can be asked from here, port 53. Mail, gateway and proxy fail with it.',
      ),
    ]
  return failed.map(({ setting, host, code }) =>
    problem(`${host} has no address (${code})`, `See ${setting}, and the records of the name.`),
  )
}

export const nameChecks: readonly Check[] = [
  {
    name: 'names',
    isWatched: true,
    look: async ({ settings }) =>
      whatOfNames(
        await Promise.all(
          namesOf(settings).map((name) =>
            lookup(name.host).then(
              () => name,
              ({ code }: NodeJS.ErrnoException) => ({ ...name, code: code ?? 'an error' }),
            ),
          ),
        ),
      ),
  },
]
