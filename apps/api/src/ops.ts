/** `npm run ops -- …`: the operator's tool. A command is a file in ops/ with one line here. */

import { SettingsError } from '@hedgerow/settings/settings-error'
import { Command, CommanderError } from 'commander'
import { keepTyped, noteCommand } from './ops/acting.ts'
import { addApplication } from './ops/application.ts'
import { addAudit } from './ops/audit.ts'
import { addBackup } from './ops/backup.ts'
import { addCompletion } from './ops/completion.ts'
import { addConnection } from './ops/connection.ts'
import { addCustomer } from './ops/customer.ts'
import { addJobs } from './ops/job.ts'
import { addLayer } from './ops/layer.ts'
import { addNode } from './ops/node.ts'
import { addOrder } from './ops/order.ts'
import { addOverview } from './ops/overview.ts'
import { addPartner } from './ops/partner.ts'
import { addPayment } from './ops/payment.ts'
import { addPlan } from './ops/plan.ts'
import { addPromocode } from './ops/promocode.ts'
import { addRate } from './ops/rate.ts'
import { addReconcile } from './ops/reconcile.ts'
import { addRefund } from './ops/refund.ts'
import { Refusal } from './ops/refusal.ts'
import { addRestore } from './ops/restore.ts'
import { addSupport } from './ops/support.ts'
import { addWithdrawal } from './ops/withdrawal.ts'
import { StartError } from './start-error.ts'

export const program = new Command('ops')
  .description("The operator's tool, on the shop's database. It needs the settings that the shop runs with.")
  .usage('<command> …')
  .helpCommand(false)
  .exitOverride()
  .hook('preAction', noteCommand)
  .showHelpAfterError('Add --help to see how it is used.')
  .addHelpText(
    'after',
    '\nExit codes: 0 done, or done before; 1 refused; 2 wrong usage or settings; 3 not reachable.',
  )

addOverview(program)
addCustomer(program)
addOrder(program)
addPayment(program)
addRefund(program)
addReconcile(program)
addRate(program)
addPlan(program)
addLayer(program)
addPromocode(program)
addPartner(program)
addWithdrawal(program)
addSupport(program)
addApplication(program)
addNode(program)
addConnection(program)
addJobs(program)
addBackup(program)
addRestore(program)
addAudit(program)
addCompletion(program)
keepTyped(program)

const codeFor = (error: unknown): number => {
  // The library has said what is wrong; for help that was asked for there is nothing to say.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  const isForOperator = [Refusal, SettingsError, StartError].some((kind) => error instanceof kind)
  console.error(isForOperator ? (error as Error).message : error)
  if (error instanceof SettingsError) return 2
  return error instanceof StartError ? 3 : 1
}

if (import.meta.main) {
  // The reader has seen enough (ops … | head); what was begun is ended in order all the same.
  process.stdout.on('error', () => undefined)
  try {
    await program.parseAsync()
  } catch (error) {
    process.exitCode = codeFor(error)
  }
}
