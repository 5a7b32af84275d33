import { readFile } from 'node:fs/promises'
import { MAILED_EVENTS } from '@hedgerow/domain/security-events'
import { expect, test } from 'vitest'

const PEOPLE = new URL('../', import.meta.url)

/** A test that shows it, by its file among those of people/ and its title; or why operators have no such thing. */
type Shown = readonly [file: string, title: string] | string

const MAILED: Shown = [
  'operators/access-changes.test.ts',
  'what changes who gets into the console is mailed to the shop’s operator, by whom and about whom',
]

/** What guards the accounts of customers, as docs/security/authentication.md and their mails name it, for operators. */
const OF_OPERATORS: Readonly<Record<string, Shown>> = {
  'Known from breaches.': [
    'operators/own-account.test.ts',
    'chooses no password that is short, guessed or their own name',
  ],
  'Made of the customer’s name or email': [
    'operators/invitations.test.ts',
    'lets no one in without a way in, with a wrong code or with a password that is easily guessed',
  ],
  'One or two keys': [
    'operators/own-account.test.ts',
    'chooses no password that is short, guessed or their own name',
  ],
  'A known browser has counts of its own.': [
    'operators/guesses.test.ts',
    'strangers from many networks stop every browser but the one in which the operator has logged in before',
  ],
  'Tries of a password or a code within a session': [
    'operators/guesses.test.ts',
    'a stolen session allows no more guesses than none',
  ],
  'A second step': [
    'operators/guesses.test.ts',
    'who knows a password guesses ten codes a quarter of an hour, by however many tickets',
  ],
  'Everything takes as long for nobody’s account': [
    'operators/log-in.test.ts',
    'is refused alike for a wrong password and for a name that is unknown, has no password, or has gone',
  ],
  'Two passwords are checked at once': 'both kinds are checked by the same isPassword()',
  'Tries are events': 'refused calls are lines in the log; who gets in is in the record, which owners read',
  'After a restore':
    'nothing of theirs is restored that lets in: the tool makes each a new link (older-state.ts)',
  'As many as wanted': [
    'operators/sessions.test.ts',
    'is listed with the others, and any of them can be ended by their operator alone',
  ],
  'Ended at once, in all processes': [
    '../desk/console/live.test.ts',
    'closes at once, in every process, when its operator is %s',
  ],
  'Asked again': ['operators/own-account.test.ts', 'is asked again before any of that'],
  'ends without use after': ['operators/sessions.test.ts', 'ends 30 minutes after its last use'],
  'ends whatever happens after': [
    'operators/sessions.test.ts',
    'ends after 12 hours, however much it is used',
  ],
  'sessions of an account at once': [
    'operators/sessions.test.ts',
    'is listed with the others, and any of them can be ended by their operator alone',
  ],
  'asks again who it is': [
    'operators/sessions.test.ts',
    'asks again after 15 minutes, and is done after password and code, by another cookie',
  ],
  'new-browser': 'operators have no address; each log-in is in the record, and takes two factors',
  'second-step-failed': 'operators have no address; codes are counted for each operator, fifty a day',
  'ended-by-us': MAILED,
  'second-step-on': 'it is never off',
  'second-step-off': 'it is never off',
  'passkey-added': MAILED,
  'passkey-removed': MAILED,
  'passkey-copied': [
    'operators/log-in.test.ts',
    'refuses a copy that is behind, and a passkey whose operator was ended',
  ],
  'totp-added': MAILED,
  'totp-removed': MAILED,
  'recovery-codes-made': 'there are none: an owner makes a new link',
  'recovery-code-used': 'there are none: an owner makes a new link',
  'data-exported': 'operators have no account data to export',
}

/** Bold words of the page’s lists, and the rules of its table of sessions. */
const guardsOf = (page: string): string[] => [
  ...[...page.matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, name = '']) => name),
  ...[...page.matchAll(/^\| (ends |sessions of|asks again)(.+?) \|/gm)].map(
    ([, begin, rest]) => `${begin}${rest}`,
  ),
]

test('every guard of customers’ accounts is one of operators’, or it is said why not', async () => {
  const page = await readFile(new URL('../../../../docs/security/authentication.md', PEOPLE), 'utf8')
  const guards = [...guardsOf(page.replaceAll("'", '’')), ...MAILED_EVENTS]
  expect(guards.length).toBeGreaterThan(20)
  const isDeclared = (guard: string) => Object.keys(OF_OPERATORS).some((one) => guard.startsWith(one))
  expect(guards.filter((guard) => !isDeclared(guard))).toEqual([])
  expect(Object.keys(OF_OPERATORS).filter((one) => !guards.some((guard) => guard.startsWith(one)))).toEqual(
    [],
  )
})

test.each(Object.entries(OF_OPERATORS).filter(([, shown]) => typeof shown !== 'string'))(
  '%s is tested for operators',
  async (_, [file, title]) => {
    expect(await readFile(new URL(file ?? '', PEOPLE), 'utf8')).toContain(`'${title}'`)
  },
)
