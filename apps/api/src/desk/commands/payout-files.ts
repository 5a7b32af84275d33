import { access, constants, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { CurrencyCode } from '@hedgerow/domain/money'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { writeWholeFile } from '#care/backup/write-whole-file.ts'
import { CannotPay, fileOfBatch, fillBatch, newBatch, payDayFault } from '#desk/backoffice/pay-partners.ts'
import { sayExported } from '#desk/commands/present-payout-export.ts'
import { recordSubject } from '#desk/tool/acting.ts'
import { asRefusal } from '#desk/tool/as-refusal.ts'
import { changes } from '#desk/tool/classes.ts'
import { JSON_OPTION } from '#desk/tool/options.ts'
import { placeOf } from '#desk/tool/place-of.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { toolRun } from '#desk/tool/run.ts'
import { withKeys } from '#desk/tool/with-keys.ts'
import { getBatch, type PayoutFile } from '#partners/payout-files/payouts.service.ts'
import { readIssuer, readPayoutSettings } from '#platform/settings.ts'

type Options = {
  out: string
  currency?: CurrencyCode
  batch?: string
  on?: string
  columns?: string
  although?: true
  force?: true
  json?: true
}

/** A day from today on, as books go by days. */
const readPayDay = (text: string): string => {
  const fault = payDayFault(text)
  if (fault) throw new InvalidArgumentError(fault)
  return text
}

/** Before anything is recorded: the file can be written there, as far as one can tell. */
const checkPlace = async (path: string, mayReplace: boolean): Promise<void> => {
  const there = await stat(path).catch(() => undefined)
  if (there && !there.isFile()) throw new Refusal(`${path} is no file. Nothing was done.`)
  if (there && !mayReplace)
    throw new Refusal(`${path} already exists. Nothing was done. To replace it, add --force.`)
  const folder = dirname(path)
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  )
  const mayWrite = await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  )
  if (!isFolder || !mayWrite)
    throw new Refusal(
      `${path} cannot be written: its folder is not there or may not be written to. Nothing was done.`,
    )
}

const writeOut = async (path: string, { text, batch }: PayoutFile, mayReplace: boolean): Promise<void> => {
  const bytes = Buffer.from(text)
  const once = async function* () {
    yield bytes
  }
  await asRefusal(
    writeWholeFile(path, { mayReplace }, (sink) => sink(once())),
    `Batch ${batch.id} is recorded, and its file is not written yet. Write it: withdrawal export --batch ${batch.id} --out FILE. `,
  )
}

const orRefuse = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof CannotPay)) throw error
    const where = /^PAYOUT_/.test(error.message) ? ' See “Paying partners” in docs/operating.md.' : ''
    throw new Refusal(`${error.message}. Nothing was done.${where}`)
  }
}

const again = async (id: string, { out, force, json }: Options) => {
  const path = placeOf(out)
  await checkPlace(path, force ?? false)
  return withKeys(async (deps) => {
    const batch = await getBatch(deps, id)
    if (!batch) throw new Refusal(`There is no batch ${id}.`)
    recordSubject(id)
    const file = await orRefuse(fileOfBatch(deps, batch))
    if (file === 'changed')
      throw new Refusal(
        `Nothing was written: of batch ${id} something is paid, refused or released since then, and its file would pay that again. To see it: withdrawal batches ${id}`,
      )
    await writeOut(path, file, force ?? false)
    sayExported({ file, leftOut: [], hasMore: false }, path, batch.currency, json)
  })
}

const exportNew = async (currency: CurrencyCode, options: Options) => {
  const { out, force, json, although, on, columns } = options
  const name = readIssuer(toolRun().env).brand.company.legalName
  const from = { ...readPayoutSettings(toolRun().env), name }
  const batch = await orRefuse(newBatch(from, { currency, on, columns }))
  const path = placeOf(out)
  await checkPlace(path, force ?? false)
  return withKeys(async (deps) => {
    const exported = await orRefuse(fillBatch(deps, batch, { mayOwe: although ?? false }))
    if (exported.file) {
      recordSubject(batch.id)
      await writeOut(path, exported.file, force ?? false)
    }
    sayExported(exported, path, currency, json)
  })
}

const takeOut = (options: Options) => {
  const { batch, currency } = options
  if (batch !== undefined) {
    if (options.on ?? options.columns ?? options.although)
      throw new Refusal(
        'A batch is written again as it was: --on, --columns and --although are for new ones.',
      )
    return again(batch.trim().toUpperCase(), options)
  }
  if (!currency) throw new Refusal('Say which currency: --currency EUR or --currency GBP.')
  return exportNew(currency, options)
}

export const addPayoutExport = (withdrawal: Command): void => {
  changes(withdrawal.command('export'))
    .description(
      'Put the waiting withdrawals in a file for your bank: in euros SEPA (pain.001), in pounds a list (CSV). Each withdrawal is in one file only. It needs KEY_ENCRYPTION_KEY and PAYOUT_*.',
    )
    .addOption(new Option('--currency <currency>', 'which ones').choices(['EUR', 'GBP']))
    .requiredOption('--out <file>', 'write to this file, readable only by you')
    .option('--on <day>', 'ask the bank to pay on this day, like 2026-11-30; today if left out', readPayDay)
    .option('--columns <columns>', 'of the list: generic, paygate, coutts, or names with commas between them')
    .option('--although', 'those too whose partners owe money back because of refunds')
    .option('--batch <batch>', 'write the file of this batch again, to the byte')
    .option('--force', 'replace the file if it is there')
    .addOption(JSON_OPTION)
    .action(takeOut)
}
