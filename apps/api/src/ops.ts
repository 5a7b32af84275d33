/** `npm run ops -- …`: the operator's tool. A command is a file in desk/commands/ with one line here. */
import { writeFile } from 'node:fs/promises'
import { inspect } from 'node:util'
import { versionLine } from '@hedgerow/settings/running-version'
import { SettingsError } from '@hedgerow/settings/settings-error'
import { Command, CommanderError } from 'commander'
import { keepTyped, noteCommand } from '#desk/tool/acting.ts'
import { addCompletion } from '#desk/tool/completion.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { type RunPlace, runIn, toolRun } from '#desk/tool/run.ts'
import { withSecretFiles } from '#platform/settings/secret-files.ts'
import { StartError } from '#platform/start-error.ts'

/** In the order of the help. Each is read when it is called: to read them all takes twice as long as most of them do. */
const COMMANDS: Readonly<Record<string, () => Promise<(program: Command) => void>>> = {
  overview: async () => (await import('#desk/commands/overview.ts')).addOverview,
  doctor: async () => (await import('#desk/commands/doctor.ts')).addDoctor,
  customer: async () => (await import('#desk/commands/customer.ts')).addCustomer,
  order: async () => (await import('#desk/commands/order.ts')).addOrder,
  payment: async () => (await import('#desk/commands/payment.ts')).addPayment,
  refund: async () => (await import('#desk/commands/refund.ts')).addRefund,
  cancellation: async () => (await import('#desk/commands/cancellation.ts')).addCancellation,
  dispute: async () => (await import('#desk/commands/dispute.ts')).addDispute,
  reconcile: async () => (await import('#desk/commands/reconcile.ts')).addReconcile,
  settlement: async () => (await import('#desk/commands/settlement.ts')).addSettlement,
  invoice: async () => (await import('#desk/commands/invoice.ts')).addInvoice,
  'credit-note': async () => (await import('#desk/commands/credit-note.ts')).addCreditNote,
  commission: async () => (await import('#desk/commands/commission.ts')).addCommission,
  'vat-return': async () => (await import('#desk/commands/vat-return.ts')).addVatReturn,
  'oss-return': async () => (await import('#desk/commands/vat-return.ts')).addOssReturn,
  rate: async () => (await import('#desk/commands/rate.ts')).addRate,
  setting: async () => (await import('#desk/commands/setting.ts')).addSetting,
  month: async () => (await import('#desk/commands/month.ts')).addMonth,
  'vat-evidence': async () => (await import('#desk/commands/vat-evidence.ts')).addVatEvidence,
  plan: async () => (await import('#desk/commands/plan.ts')).addPlan,
  layer: async () => (await import('#desk/commands/layer.ts')).addLayer,
  promocode: async () => (await import('#desk/commands/promocode.ts')).addPromocode,
  partner: async () => (await import('#desk/commands/partner.ts')).addPartner,
  withdrawal: async () => (await import('#desk/commands/withdrawal.ts')).addWithdrawal,
  support: async () => (await import('#desk/commands/support.ts')).addSupport,
  application: async () => (await import('#desk/commands/application.ts')).addApplication,
  node: async () => (await import('#desk/commands/node.ts')).addNode,
  incident: async () => (await import('#desk/commands/incident.ts')).addIncident,
  import: async () => (await import('#desk/commands/import.ts')).addImport,
  connection: async () => (await import('#desk/commands/connection.ts')).addConnection,
  job: async () => (await import('#desk/commands/job.ts')).addJobs,
  'set-up': async () => (await import('#desk/commands/set-up.ts')).addSetUp,
  check: async () => (await import('#desk/commands/checks.ts')).addChecks,
  webhook: async () => (await import('#desk/commands/webhook.ts')).addWebhooks,
  backup: async () => (await import('#desk/commands/backup.ts')).addBackup,
  backups: async () => (await import('#desk/commands/backups.ts')).addBackups,
  restore: async () => (await import('#desk/commands/restore.ts')).addRestore,
  migrate: async () => (await import('#desk/commands/migrate.ts')).addMigrate,
  restored: async () => (await import('#desk/commands/restored.ts')).addRestored,
  'check-copy': async () => (await import('#desk/commands/check-copy.ts')).addCheckCopy,
  key: async () => (await import('#desk/commands/key.ts')).addKey,
  audit: async () => (await import('#desk/commands/audit.ts')).addAudit,
  operator: async () => (await import('#desk/commands/operator.ts')).addOperator,
}

/** Not for help, which needs none. */
const readSecretFiles = () => {
  const run = toolRun()
  run.env = withSecretFiles(run.env)
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
    // A command that has others below it leaves them their options.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void toolRun().stdout.write(text),
      writeErr: (text) => void toolRun().stderr.write(text),
    })
    .hook('preAction', readSecretFiles)
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

const isForOperator = (error: unknown) =>
  [Refusal, SettingsError, StartError].some((kind) => error instanceof kind)

const codeFor = (error: unknown): number => {
  if (error instanceof SettingsError) return 2
  return error instanceof StartError ? 3 : 1
}

/** Runs the tool with these words. Returns its exit code. */
export const runTool = (words: readonly string[], place: RunPlace): Promise<number> =>
  runIn(place, async (run) => {
    try {
      const program = await buildProgram(words[0])
      await program.parseAsync(words, { from: 'user' })
    } catch (error) {
      // The library has said what is wrong; for help that was asked for there is nothing to say.
      if (error instanceof CommanderError) run.exitCode = error.exitCode === 0 ? 0 : 2
      else {
        run.stderr.write(`${isForOperator(error) ? (error as Error).message : inspect(error)}\n`)
        run.exitCode = codeFor(error)
      }
    }
  })

if (import.meta.main) {
  // Where memory is short it is this tool that the system ends, and not the shop beside it.
  await writeFile('/proc/self/oom_score_adj', '800').catch(() => undefined)
  const { env, stdin, stdout, stderr, argv } = process
  // The reader has closed the pipe (ops … | head); what was begun is ended in order all the same.
  stdout.on('error', () => undefined)
  const exit = (code: number) => process.exit(code)
  process.exitCode = await runTool(argv.slice(2), { env, stdin, stdout, stderr, signals: process, exit })
}
