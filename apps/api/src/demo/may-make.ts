import { StartError } from '#platform/start-error.ts'

/** What leads out of this machine, or to a database with something of someone's in it. */
const LEADS_OUT = [
  'DATABASE_URL',
  'GATE_URL',
  'SMTP_URL',
  'DATA_API_URL',
  'STRIPE_KEY',
  'STRIPE_URL',
] as const

/** Throws unless a demonstration shop can be made and opened here without touching anything else. */
export const refuseElsewhere = (env: NodeJS.ProcessEnv, allowed: readonly string[] = []): void => {
  if (env.NODE_ENV === 'production')
    throw new StartError(
      'A demonstration shop is not made with NODE_ENV=production. Nothing was changed. Start without --demo.',
    )
  const set = LEADS_OUT.filter((name) => env[name] && !allowed.includes(name))
  if (set.length > 0)
    throw new StartError(
      `A demonstration shop has a database, a gateway and a mail server of its own. Nothing was changed. Unset ${set.join(', ')}, or start without --demo.`,
    )
}
