import { counted } from '@hedgerow/domain/order-description'
import type { Command } from 'commander'
import { type KeyStatus, readKeyStatus, type Unopened } from '#care/keys/count-sealed.ts'
import { type Progress, rotateKeys, sealsOtherwise } from '#care/keys/rotate.ts'
import type { SealedKind } from '#care/keys/sealed-places.ts'
import { cipherOf, replaceLostKeys } from '#care/keys/shops-keys.ts'
import { ask } from '#desk/tool/ask.ts'
import { changes, reads } from '#desk/tool/classes.ts'
import { JSON_OPTION, YES_OPTION } from '#desk/tool/options.ts'
import { say, sayAside, sayJson, sayTable } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { toolRun } from '#desk/tool/run.ts'
import { withDatabase } from '#desk/tool/with-database.ts'
import { withKeys } from '#desk/tool/with-keys.ts'
import { readSharedKeys } from '#platform/settings.ts'

type Json = { json?: true }

const LISTED = 20

const KIND_WORDS: Readonly<Record<SealedKind, string>> = {
  connection: 'keys of a connection (connection rekey)',
  'customer-app': 'a customer’s authenticator app (customer log-out --without-second-step)',
  'operator-app': 'an operator’s authenticator app (operator link)',
  webhook: 'a webhook’s secret (webhook new-secret)',
  withdrawal: 'the bank account of a withdrawal (withdrawal refuse)',
}

const ROLE_WORDS: Readonly<Record<KeyStatus['keys'][number]['role'], string>> = {
  seals: 'seals and opens',
  opens: 'opens',
  missing: 'is not set',
}

/** Rows of one kind that hold several values are one. */
const rowsOf = (unopened: readonly Unopened[]) => [
  ...new Map(unopened.map((one) => [`${one.kind} ${one.id}`, one])).values(),
]

const sayUnopened = (unopened: readonly Unopened[]): void => {
  const rows = rowsOf(unopened)
  if (rows.length === 0) return
  say('')
  say(`${counted(rows.length, 'row')} cannot be opened by any of these keys:`)
  sayTable(
    ['what', 'id', 'by key, perhaps'],
    rows.slice(0, LISTED).map(({ kind, id, saysKey }) => [KIND_WORDS[kind], id, saysKey]),
  )
  if (rows.length > LISTED) say(`These are the first ${LISTED}. --json lists all.`)
}

/** What the operator does next. */
const nextStep = ({ keys, holders }: KeyStatus): string => {
  const [sealing] = keys
  if (keys.some(({ role }) => role === 'missing'))
    return 'A key of this shop is not set. Add it to KEY_ENCRYPTION_KEYS_ACCEPTED; if it is lost for good: key replace-lost'
  const others = keys.slice(1)
  const left = others.reduce((sum, { values }) => sum + values, 0)
  if (others.length === 0) return 'Everything is sealed by one key.'
  if (holders.some(({ opens }) => !opens?.includes(sealing?.id ?? '')))
    return 'Not every process of the shop opens what the first key seals: restart those that were started before it was set.'
  if (holders.some(({ seals }) => seals !== sealing?.id))
    return 'Not every process of the shop seals by the first key yet.'
  if (left > 0) return `${counted(left, 'value')} to be sealed by the first key: key rotate`
  return 'Nothing is sealed by the other keys: one that is new becomes the first now; one that was replaced is taken out of KEY_ENCRYPTION_KEYS_ACCEPTED.'
}

const status = ({ json }: Json) =>
  withDatabase(async (db) => {
    const found = await readKeyStatus({ db, keyCipher: cipherOf(readSharedKeys(toolRun().env)) })
    const { keys, unopened, holders } = found
    if (json)
      return sayJson({
        keys,
        unopened: rowsOf(unopened).map(({ kind, id, saysKey }) => ({ kind, id, saysKey })),
        processes: holders,
      })
    sayTable(
      ['key', 'what it does', 'values'],
      keys.map(({ id, role, values }) => [id, ROLE_WORDS[role], String(values)]),
    )
    sayUnopened(unopened)
    say('')
    say(
      `Processes of the shop: ${holders.length}. By the first key seal: ${holders.filter(({ seals }) => seals === keys[0]?.id).length}.`,
    )
    say(nextStep(found))
  })

const TELL_EVERY_MS = 2_000

const teller = () => {
  let last = performance.now()
  return ({ seen, resealed }: Progress): void => {
    if (performance.now() - last < TELL_EVERY_MS) return
    last = performance.now()
    sayAside(`${counted(seen, 'value')} looked at, ${resealed} resealed so far.`)
  }
}

const rotate = ({ json }: Json) =>
  withKeys(async (deps) => {
    if (await sealsOtherwise(deps))
      throw new Refusal(
        `Nothing was done: a process of the shop does not seal by key ${deps.keyCipher.sealingId} yet. Restart each with the same keys as here; key status shows how far that is.`,
      )
    const { seen, resealed, unopened, retired } = await rotateKeys(deps, teller())
    const rows = rowsOf(unopened)
    if (json) return sayJson({ values: seen, resealed, retired, unopened: rows.length })
    say(`${counted(resealed, 'value')} resealed. All ${seen} are sealed by key ${deps.keyCipher.sealingId}.`)
    if (retired.length > 0)
      say(
        `Nothing is left of key ${retired.join(' and ')}: take it out of KEY_ENCRYPTION_KEYS_ACCEPTED, restart the processes, and keep it for as long as backups from before now.`,
      )
    sayUnopened(unopened)
  })

const replaceLost = ({ yes, json }: Json & { yes?: true }) =>
  withDatabase(async (db) => {
    const given = readSharedKeys(toolRun().env)
    const keyCipher = cipherOf(given)
    const { unopened } = await readKeyStatus({ db, keyCipher })
    const rows = rowsOf(unopened)
    await ask(
      `Go on with key ${keyCipher.sealingId}, although others are lost? ${counted(rows.length, 'row')} that they sealed can never be opened again.`,
      yes,
    )
    const lost = await replaceLostKeys(db, given)
    if (!lost) throw new Refusal('Nothing was done: no key of this shop is missing here.')
    if (json) return sayJson({ lost, unopened: rows.length })
    say(`The shop goes on with key ${keyCipher.sealingId}.`)
    sayUnopened(unopened)
  })

export const addKey = (program: Command): void => {
  const key = program
    .command('key')
    .summary('the keys that seal secrets')
    .description(
      'The keys that seal what is secret in the database: KEY_ENCRYPTION_KEY seals and opens, those in KEY_ENCRYPTION_KEYS_ACCEPTED open. No command shows a key.',
    )
    .helpCommand(false)
  reads(key.command('status'))
    .description('How much is sealed by which key, what cannot be opened, and what to do next.')
    .addOption(JSON_OPTION)
    .action(status)
  changes(key.command('rotate'), 'access')
    .description(
      'Seal everything by KEY_ENCRYPTION_KEY, while the shop runs. It can be interrupted, and run again.',
    )
    .addOption(JSON_OPTION)
    .action(rotate)
  changes(key.command('replace-lost'), 'access')
    .description('Go on with KEY_ENCRYPTION_KEY where a former key is lost, and what it sealed with it.')
    .addOption(YES_OPTION)
    .addOption(JSON_OPTION)
    .action(replaceLost)
}
