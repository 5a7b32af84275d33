import { isLoopback } from '@hedgerow/settings/hosts'
import { type Letter, renderLetter } from '#platform/mail/layout.ts'
import type { Mail } from '#platform/mail/mailer.ts'
import type { Settings } from '#platform/settings.ts'

type To = Pick<Settings, 'brand' | 'operatorEmail' | 'consoleUrl' | 'consolePort' | 'isProduction'>

export type OperatorLetter = Omit<Letter, 'action' | 'links'> & {
  /** Where it is dealt with in the console. */
  page: { label: string; path: string }
  /** The same with the tool, for operators without the console: what for, and the command after `hedgerow-ops`. */
  commands?: readonly (readonly [what: string, command: string])[]
}

/** Without CONSOLE_URL, the console is at an address of the shop's own machine, which no mail program can open from elsewhere. */
const hasConsole = ({ consoleUrl, consolePort, isProduction }: To): boolean =>
  !isLoopback(new URL(consoleUrl).hostname) || (!isProduction && consolePort !== null)

const commandNote = (commands: OperatorLetter['commands'] = [], isBeside: boolean): string[] =>
  commands.length === 0
    ? []
    : [
        [
          isBeside ? 'Without the console, in a terminal:' : 'In a terminal:',
          ...commands.map(([what, command]) => `${what}: hedgerow-ops ${command}`),
        ].join('\n'),
      ]

/** A mail to the operators: the page of the console first, the commands small below it. */
export const operatorMail = (
  { page, commands, notes = [], ...letter }: OperatorLetter,
  settings: To,
): Pick<Mail, 'to' | 'subject' | 'text' | 'html'> => {
  const isLinked = hasConsole(settings)
  return {
    to: settings.operatorEmail,
    subject: letter.heading,
    ...renderLetter(
      {
        ...letter,
        ...(isLinked ? { action: { label: page.label, url: `${settings.consoleUrl}${page.path}` } } : {}),
        notes: [...notes, ...commandNote(commands, isLinked)],
      },
      settings.brand,
    ),
  }
}
