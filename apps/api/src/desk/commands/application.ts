import type { ConversationState } from '@hedgerow/domain/conversations'
import { Argument, type Command } from 'commander'
import { decideApplication } from '#desk/backoffice/operate-conversations.ts'
import { addConversations, conversationWith, readMessage, readState } from '#desk/commands/conversations.ts'
import { presentConversationRow } from '#desk/presentation/present-conversation.ts'
import { ask } from '#desk/tool/ask.ts'
import { changes } from '#desk/tool/classes.ts'
import { JSON_OPTION, YES_OPTION } from '#desk/tool/options.ts'
import { say, sayJson } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { withDatabase } from '#desk/tool/with-database.ts'

type State = ConversationState<'application'>

/** What an application can be set to; new is how it comes. */
const SETTABLE = ['talking', 'accepted', 'refused'] as const

type SetOptions = { note?: string; yes?: true; json?: true }

const set = async (id: string, state: State, { note: given, yes, json }: SetOptions): Promise<void> => {
  const note = given === undefined ? undefined : readMessage(given)
  await withDatabase(async (db) => {
    const row = await conversationWith(db, 'application', id)
    // Talking promises nothing; what is decided is mailed, and a mail cannot be called back.
    if (row.state !== state && state !== 'talking')
      await ask(`Set the application of ${row.name} to ${state}? ${row.email} gets a mail.`, yes)
    const outcome = await decideApplication({ db }, { conversationId: row.id, state, note })
    if (outcome.kind === 'gone') throw new Refusal('The account was deleted a moment ago.')
    if (outcome.kind === 'refused')
      throw new Refusal(`The application is ${outcome.from}. To change that, set it to talking first.`)
    if (outcome.kind === 'same' && !outcome.isNoteKnown)
      throw new Refusal(
        `The application is already ${state}, so the note was not sent. To send it, run: application reply ${row.id}`,
      )
    if (json) {
      const now = await conversationWith(db, 'application', row.id)
      return sayJson({ isChanged: outcome.kind === 'set', ...presentConversationRow(now) })
    }
    say(
      outcome.kind === 'set'
        ? `The application of ${row.name} is ${state}: the running shop mails it to ${row.email}.`
        : `It was already ${state}. Nobody gets a mail.`,
    )
  })
}

export const addApplication = (program: Command): void => {
  const application = program
    .command('application')
    .summary('white-label applications')
    .description('Applications for the white-label programme. Applicants get a mail about every decision.')
    .helpCommand(false)
  addConversations(application, 'application')
  changes(application.command('set'))
    .description('Set the state of an application. To take a decision back, set it to talking.')
    .argument('<conversation>', 'its number, or at least the first 8 characters of it')
    .addArgument(
      new Argument('<state>', 'the new state')
        .choices(SETTABLE)
        .argParser(readState('application', SETTABLE)),
    )
    .option('--note <text>', 'a note for the mail and the conversation')
    .addOption(YES_OPTION)
    .addOption(JSON_OPTION)
    .action(set)
}
