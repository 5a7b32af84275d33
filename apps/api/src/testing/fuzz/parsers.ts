import { randomBytes } from 'node:crypto'
import { brandFrom } from '@hedgerow/brand/brand'
import { whyNotSettable } from '@hedgerow/documents/text-refused'
import { dataFileName } from '@hedgerow/domain/data-file'
import { parseRate } from '@hedgerow/domain/exchange'
import {
  AMOUNT_WITH_CURRENCY,
  maskCardNumbers,
  maskTypedPan,
  shownTimestamp,
} from '@hedgerow/domain/invoices'
import { loggedError } from '@hedgerow/domain/logged-error'
import { readAmount } from '@hedgerow/domain/money'
import { endpointFault, ipv4PoolFault, ipv6PoolFault } from '@hedgerow/domain/node-places'
import { paymentStatusFromGate } from '@hedgerow/domain/payment-status'
import { safeRedirect } from '@hedgerow/domain/redirect'
import { isSignedBy } from '@hedgerow/gate/signature'
import { escapeHtml } from '@hedgerow/io/escape-html'
import { SettingsError } from '@hedgerow/settings/settings-error'
import { ofJson, type Parser } from '@hedgerow/testing/cost/parsers'
import { configFileNames, configText } from '@hedgerow/wireguard/config-text'
import { routerOsCommands } from '@hedgerow/wireguard/routeros'
import { BackupFault } from '#care/backup/backup-fault.ts'
import { readHeader, readTrailer } from '#care/backup/backup-format.ts'
import { errorOf } from '#desk/jobs/jobs.present.ts'
import { isOfToken, readPaymentUpdate } from '#money/gateway/gate/read-update.ts'
import { ImportFault } from '#network/imports/found.ts'
import { readPeersCsv } from '#network/imports/read-peers-csv.ts'
import { readWgEasy } from '#network/imports/read-wg-easy.ts'
import { readWgQuick } from '#network/imports/read-wg-quick.ts'
import { soughtAt } from '#platform/http/not-found.ts'
import { requestIdOf } from '#platform/http/request-id.ts'
import { readSettings } from '#platform/settings.ts'

const KEY_ENCRYPTION_KEY = randomBytes(32).toString('base64')
const SETTINGS = [
  'PORT',
  'PUBLIC_URL',
  'DATABASE_URL',
  'GATE_URL',
  'SMTP_URL',
  'OPEN_BANKING_COUNTRIES',
] as const
const MORE_SETTINGS = [
  'ISSUER_ORIGINS',
  'TRUSTED_PROXIES',
  'RATE_LIMIT_SCALE',
  'LOG_LEVEL',
  'METRICS_PORT',
] as const

/** The signature is not believed on more values (packages/gate). */
const LONGEST_MESSAGE = 12_000
/** No field of a document is longer (INVOICE_LENGTHS). */
const LONGEST_LINE = 8_192
const LONGEST_FIELD = 2_000
/** Operators write settings, and no line of theirs is longer. */
const LONGEST_SETTING = 4_096

const isSettingsError = (error: unknown) => error instanceof SettingsError
const isBackupFault = (error: unknown) => error instanceof BackupFault

const TUNNEL = [
  'clientPrivateKey',
  'presharedKey',
  'address',
  'dns',
  'serverPublicKey',
  'allowedIPs',
  'endpoint',
] as const

const update = (value: unknown, status = 'awaiting clarification') => ({
  project_id: 57123,
  payment: { id: 'ord_7f3a', status },
  clarification_fields: value,
  redirect_data: value,
  operations: value,
  acs: value,
  display_data: value,
})

/** What the shop reads of others by pure functions. */
export const SHOP_PARSERS: readonly Parser[] = [
  {
    name: 'the signature of a message',
    parse: ofJson((value) => isSignedBy({ a: value, signature: `${'A'.repeat(86)}==` }, 'secret')),
  },
  {
    name: 'a callback',
    parse: ofJson((value) => [readPaymentUpdate(value), isOfToken(value, 57123)]),
    longest: LONGEST_MESSAGE,
  },
  ...[
    'awaiting clarification',
    'awaiting redirect result',
    'awaiting 3ds result',
    'awaiting customer action',
  ].map((status) => ({
    name: `a callback with the status ${status}`,
    parse: ofJson((value) => readPaymentUpdate(update(value, status))),
    longest: LONGEST_MESSAGE,
  })),
  { name: 'a status of the gateway', parse: paymentStatusFromGate },
  ...[...SETTINGS, ...MORE_SETTINGS].map((name) => ({
    name: `the setting ${name}`,
    parse: (text: string) => readSettings({ KEY_ENCRYPTION_KEY, [name]: text }),
    longest: LONGEST_SETTING,
    isRefusal: isSettingsError,
  })),
  {
    name: 'the key of the settings',
    // One that is empty is made anew, in a file.
    parse: (text) => readSettings({ KEY_ENCRYPTION_KEY: `x${text}` }),
    isRefusal: isSettingsError,
  },
  { name: 'the brand', parse: (text) => brandFrom({ BRAND_NAME: text }), isRefusal: isSettingsError },
  { name: "a file's name for WireGuard", parse: (name) => configFileNames([{ id: name, name }]) },
  {
    name: "WireGuard's text",
    parse: (text) => configText(Object.fromEntries(TUNNEL.map((name) => [name, text])) as never, 25),
  },
  {
    name: 'commands of RouterOS',
    parse: (text) =>
      routerOsCommands(Object.fromEntries(TUNNEL.map((name) => [name, text])) as never, 25, text),
    longest: LONGEST_FIELD,
  },
  { name: 'a name of a file with data', parse: dataFileName },
  { name: 'the header of a backup', parse: readHeader, isRefusal: isBackupFault },
  { name: 'the end of a backup', parse: readTrailer, isRefusal: isBackupFault },
  ...[
    { name: 'a WireGuard server’s file', read: readWgQuick },
    { name: 'a comment in it', read: (bytes: Buffer) => readWgQuick(Buffer.from(`# a${bytes}x`)) },
    { name: 'a file of wg-easy', read: (bytes: Buffer) => readWgEasy(bytes, '/nowhere') },
    // Its parser takes microseconds for each cell of an operator's own file.
    { name: 'a list of peers', read: readPeersCsv, longest: LONGEST_LINE },
  ].map(({ read, ...one }) => ({
    ...one,
    parse: (text: string) => read(Buffer.from(text)),
    isRefusal: (error: unknown) => error instanceof ImportFault,
  })),
  { name: 'a rate', parse: parseRate },
  { name: 'an amount', parse: readAmount },
  { name: 'a sum with its currency', parse: (text) => AMOUNT_WITH_CURRENCY.test(text) },
  { name: 'a time on a document', parse: shownTimestamp },
  { name: 'a typed card number', parse: maskTypedPan },
  { name: 'card numbers in a text', parse: maskCardNumbers, longest: LONGEST_FIELD },
  { name: 'a text for a document', parse: whyNotSettable, longest: LONGEST_FIELD },
  { name: 'an error for the log', parse: (text) => loggedError(new Error(text)) },
  { name: 'the error of a job', parse: (last_error) => errorOf({ last_error }) },
  { name: 'an address of a page', parse: soughtAt },
  { name: 'where to go after logging in', parse: safeRedirect },
  { name: 'the id of a request', parse: (text) => requestIdOf({ headers: { 'x-request-id': text } }) },
  { name: 'an endpoint of a node', parse: endpointFault },
  { name: 'an IPv4 pool', parse: ipv4PoolFault },
  { name: 'an IPv6 pool', parse: ipv6PoolFault },
  { name: 'a text in HTML', parse: escapeHtml },
]
