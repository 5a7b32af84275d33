/** `npm run ops -- …`: the operator's tool. A command is a file in ops/ with one line here. */
import { Command, CommanderError } from 'commander'
import { addConnection } from './ops/connection.ts'
import { addNode } from './ops/node.ts'
import { addPayment } from './ops/payment.ts'
import { addRate } from './ops/rate.ts'
import { addReconcile } from './ops/reconcile.ts'
import { addRefund } from './ops/refund.ts'
import { Refusal } from './ops/refusal.ts'
import { addWithdrawal } from './ops/withdrawal.ts'
import { SettingsError } from './settings-reader.ts'
import { StartError } from './start-error.ts'

const program = new Command('ops')
  .description("The operator's tool, on the shop's database. It needs the settings that the shop runs with.")
  .usage('<command> …')
  .helpCommand(false)
  .exitOverride()
  .showHelpAfterError('Add --help to see how it is used.')
  .addHelpText(
    'after',
    '\nExit codes: 0 done, or done before; 1 refused; 2 wrong usage or settings; 3 not reachable.',
  )

addPayment(program)
addRefund(program)
addReconcile(program)
addRate(program)
addNode(program)
addConnection(program)
addWithdrawal(program)

const codeFor = (error: unknown): number => {
  // The library has said what is wrong; for help that was asked for there is nothing to say.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  const isForOperator = [Refusal, SettingsError, StartError].some((kind) => error instanceof kind)
  console.error(isForOperator ? (error as Error).message : error)
  if (error instanceof SettingsError) return 2
  return error instanceof StartError ? 3 : 1
}

// Whoever reads has seen enough (ops … | head); what was begun is ended in order all the same.
process.stdout.on('error', () => undefined)

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = codeFor(error)
}
