/** `npm run ops -- …`: the operator's tool. A command is a file in commands/ with one line here. */
import { versionLine } from '@hedgerow/settings/running-version'
import { SettingsError } from '@hedgerow/settings/settings-error'
import { Command, CommanderError } from 'commander'
import { keepTyped, noteCommand } from '#cli/acting.ts'
import { addCompletion } from '#cli/completion.ts'
import { Refusal } from '#cli/refusal.ts'
import { StartError } from '#start-error.ts'

/** In the order of the help. Each is read when it is called: to read them all takes twice as long as most of them do. */
const COMMANDS: Readonly<Record<string, () => Promise<(program: Command) => void>>> = {
  overview: async () => (await import('#commands/overview.ts')).addOverview,
  doctor: async () => (await import('#commands/doctor.ts')).addDoctor,
  customer: async () => (await import('#commands/customer.ts')).addCustomer,
  order: async () => (await import('#commands/order.ts')).addOrder,
  payment: async () => (await import('#commands/payment.ts')).addPayment,
  refund: async () => (await import('#commands/refund.ts')).addRefund,
  cancellation: async () => (await import('#commands/cancellation.ts')).addCancellation,
  dispute: async () => (await import('#commands/dispute.ts')).addDispute,
  reconcile: async () => (await import('#commands/reconcile.ts')).addReconcile,
  settlement: async () => (await import('#commands/settlement.ts')).addSettlement,
  invoice: async () => (await import('#commands/invoice.ts')).addInvoice,
  'credit-note': async () => (await import('#commands/credit-note.ts')).addCreditNote,
  'vat-return': async () => (await import('#commands/vat-return.ts')).addVatReturn,
  'oss-return': async () => (await import('#commands/oss-return.ts')).addOssReturn,
  rate: async () => (await import('#commands/rate.ts')).addRate,
  setting: async () => (await import('#commands/setting.ts')).addSetting,
  month: async () => (await import('#commands/month.ts')).addMonth,
  'vat-evidence': async () => (await import('#commands/vat-evidence.ts')).addVatEvidence,
  plan: async () => (await import('#commands/plan.ts')).addPlan,
  layer: async () => (await import('#commands/layer.ts')).addLayer,
  promocode: async () => (await import('#commands/promocode.ts')).addPromocode,
  partner: async () => (await import('#commands/partner.ts')).addPartner,
  withdrawal: async () => (await import('#commands/withdrawal.ts')).addWithdrawal,
  support: async () => (await import('#commands/support.ts')).addSupport,
  application: async () => (await import('#commands/application.ts')).addApplication,
  node: async () => (await import('#commands/node.ts')).addNode,
  incident: async () => (await import('#commands/incident.ts')).addIncident,
  connection: async () => (await import('#commands/connection.ts')).addConnection,
  job: async () => (await import('#commands/job.ts')).addJobs,
  backup: async () => (await import('#commands/backup.ts')).addBackup,
  restore: async () => (await import('#commands/restore.ts')).addRestore,
  migrate: async () => (await import('#commands/migrate.ts')).addMigrate,
  restored: async () => (await import('#commands/restored.ts')).addRestored,
  'check-copy': async () => (await import('#commands/check-copy.ts')).addCheckCopy,
  key: async () => (await import('#commands/key.ts')).addKey,
  audit: async () => (await import('#commands/audit.ts')).addAudit,
  operator: async () => (await import('#commands/operator.ts')).addOperator,
}

/** The tool as the first word that was typed needs it: with that command alone, or where it is none with all. */
export const buildProgram = async (word = ''): Promise<Command> => {
  const program = new Command('ops')
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
  const called = Object.hasOwn(COMMANDS, word) ? COMMANDS[word] : undefined
  for (const read of called ? [called] : Object.values(COMMANDS)) {
    const add = await read()
    add(program)
  }
  if (!called) addCompletion(program)
  keepTyped(program)
  return program
}

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
    const program = await buildProgram(process.argv[2])
    await program.parseAsync()
  } catch (error) {
    process.exitCode = codeFor(error)
  }
}
