/** `npm run ops -- …`: the operator's tool. A command is a file in commands/ with one line here. */
import { versionLine } from '@hedgerow/settings/running-version'
import { SettingsError } from '@hedgerow/settings/settings-error'
import { Command, CommanderError } from 'commander'
import { keepTyped, noteCommand } from '#cli/acting.ts'
import { addCompletion } from '#cli/completion.ts'
import { Refusal } from '#cli/refusal.ts'
import { addApplication } from '#commands/application.ts'
import { addAudit } from '#commands/audit.ts'
import { addBackup } from '#commands/backup.ts'
import { addCancellation } from '#commands/cancellation.ts'
import { addCheckCopy } from '#commands/check-copy.ts'
import { addConnection } from '#commands/connection.ts'
import { addCreditNote } from '#commands/credit-note.ts'
import { addCustomer } from '#commands/customer.ts'
import { addDispute } from '#commands/dispute.ts'
import { addDoctor } from '#commands/doctor.ts'
import { addIncident } from '#commands/incident.ts'
import { addInvoice } from '#commands/invoice.ts'
import { addJobs } from '#commands/job.ts'
import { addKey } from '#commands/key.ts'
import { addLayer } from '#commands/layer.ts'
import { addMigrate } from '#commands/migrate.ts'
import { addMonth } from '#commands/month.ts'
import { addNode } from '#commands/node.ts'
import { addOperator } from '#commands/operator.ts'
import { addOrder } from '#commands/order.ts'
import { addOssReturn } from '#commands/oss-return.ts'
import { addOverview } from '#commands/overview.ts'
import { addPartner } from '#commands/partner.ts'
import { addPayment } from '#commands/payment.ts'
import { addPlan } from '#commands/plan.ts'
import { addPromocode } from '#commands/promocode.ts'
import { addRate } from '#commands/rate.ts'
import { addReconcile } from '#commands/reconcile.ts'
import { addRefund } from '#commands/refund.ts'
import { addRestore } from '#commands/restore.ts'
import { addRestored } from '#commands/restored.ts'
import { addSetting } from '#commands/setting.ts'
import { addSettlement } from '#commands/settlement.ts'
import { addSupport } from '#commands/support.ts'
import { addVatEvidence } from '#commands/vat-evidence.ts'
import { addVatReturn } from '#commands/vat-return.ts'
import { addWithdrawal } from '#commands/withdrawal.ts'
import { StartError } from '#start-error.ts'

export const program = new Command('ops')
  .description(
    "The operator's tool. It works on the shop's database, and needs the settings that the shop runs with.",
  )
  .version(versionLine(), '--version', 'the version that this tool is of')
  .usage('<command> …')
  .helpCommand(false)
  .exitOverride()
  .hook('preAction', noteCommand)
  .showHelpAfterError('Add --help to see how it is used.')
  .addHelpText(
    'after',
    '\nExit codes: 0 done, now or earlier; 1 refused; 2 wrong usage or settings; 3 not reachable.',
  )

addOverview(program)
addDoctor(program)
addCustomer(program)
addOrder(program)
addPayment(program)
addRefund(program)
addCancellation(program)
addDispute(program)
addReconcile(program)
addSettlement(program)
addInvoice(program)
addCreditNote(program)
addVatReturn(program)
addOssReturn(program)
addRate(program)
addSetting(program)
addMonth(program)
addVatEvidence(program)
addPlan(program)
addLayer(program)
addPromocode(program)
addPartner(program)
addWithdrawal(program)
addSupport(program)
addApplication(program)
addNode(program)
addIncident(program)
addConnection(program)
addJobs(program)
addBackup(program)
addRestore(program)
addMigrate(program)
addRestored(program)
addCheckCopy(program)
addKey(program)
addAudit(program)
addOperator(program)
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
  // The reader has closed the pipe (ops … | head); what was begun is ended in order all the same.
  process.stdout.on('error', () => undefined)
  try {
    await program.parseAsync()
  } catch (error) {
    process.exitCode = codeFor(error)
  }
}
