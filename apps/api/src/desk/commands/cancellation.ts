import * as statements from '@hedgerow/contract/console/statements'
import { formatDateTime } from '@hedgerow/domain/dates'
import type { Command } from 'commander'
import { statementsRoutes } from '#desk/cancellations/statements.routes.ts'
import { addCalls } from '#desk/tool/call-commands.ts'
import { say } from '#desk/tool/print.ts'
import { sayFields } from '#desk/tool/render.ts'

type Opened = { receivedAt: string; message: string }

/** With the time as `payment cancel --asked-at` takes it, and the message in its own lines. */
const sayOpened = ({ receivedAt, message, ...facts }: Opened): void => {
  sayFields({ ...facts, received: `${formatDateTime(new Date(receivedAt))} (--asked-at ${receivedAt})` })
  for (const line of message.split('\n')) say(line && `  ${line}`)
}

export const addCancellation = (program: Command): Command =>
  addCalls(program, {
    name: 'cancellation',
    summary: 'cancellations sent without logging in',
    description:
      'Statements from people who cancelled without logging in. To cancel the purchase itself, run payment cancel.',
    contract: [statements],
    answer: statementsRoutes,
    prints: { 'cancellation show': sayOpened },
  })
