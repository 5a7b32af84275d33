import type { Connection } from '@hedgerow/contract/connections'
import { fitsQrCode } from '@hedgerow/domain/connections'
import { formatUkTime } from '@hedgerow/domain/dates'
import { FILE_FORM_WORDS, isForAmneziaWg, OBFUSCATED_LOCATION } from '@hedgerow/domain/file-form'
import { fileOf, presentConnection } from '#network/connections/connections.present.ts'
import {
  findConnectionRow,
  hasMovedWithKey,
  hasOldKeys,
  readFileNames,
} from '#network/connections/connections.queries.ts'
import { qrImage } from '#network/connections/qr-image.ts'
import { findCustomer } from '#people/accounts/customers.ts'
import type { With } from '#platform/dependencies.ts'
import { renderLetter } from '#platform/mail/layout.ts'
import { manualLinks } from '#platform/mail/manual-links.ts'
import type { JobPayloads } from '#platform/queue/add-job.ts'

type Deps = With<'db' | 'mailer' | 'settings' | 'keyCipher'>

const aboutLocation = (name: string): string =>
  `${name} is ${OBFUSCATED_LOCATION.label}. ${OBFUSCATED_LOCATION.needs}`

/** Forms whose file is read by one program, wherever that runs. */
const guidesOf = (connection: Connection): readonly (readonly [string, string])[] | undefined => {
  const { fileForm = [] } = connection
  if (isForAmneziaWg(connection, fileForm)) return [['AmneziaWG', 'amneziawg']]
  return fileForm.includes('routeros') ? [['MikroTik', 'mikrotik']] : undefined
}

/** The configuration as a file and as a QR code, to the account's own address. */
export const mailConnectionConfig = async (
  deps: Deps,
  { connectionId }: JobPayloads['mail-connection'],
  key: string,
): Promise<void> => {
  const { db, mailer, settings } = deps
  const row = await findConnectionRow(db, connectionId)
  if (!row?.is_active) return
  const customer = row.customer_id && (await findCustomer(db, row.customer_id))
  if (!customer) return
  const connection = presentConnection(row, deps, await readFileNames(db, customer.id))
  // Seen by the operator; without keys there is nothing to mail, now or later.
  if (connection.isUnreadable || connection.hasOwnKey) return
  const { fileForm = [] } = connection
  const isForRouterOs = fileForm.includes('routeros')
  const app = isForAmneziaWg(connection, fileForm) ? 'AmneziaWG' : 'WireGuard'
  const { name: filename, text: config } = fileOf(connection)
  const image = !isForRouterOs && fitsQrCode(config) ? qrImage(config) : undefined
  const { brand, publicUrl } = settings
  const letter = {
    heading: `Your connection ${connection.name}`,
    paragraphs: [
      `Hello ${customer.name},`,
      row.expires_at
        ? `${connection.name} is attached. It works until ${formatUkTime(row.expires_at)}.`
        : `${connection.name} is attached. It does not expire.`,
    ],
    steps: isForRouterOs
      ? [
          `Save ${filename} on a computer that is connected to the router.`,
          `Copy it into the router’s files, and type /import file-name=${filename} in its terminal.`,
        ]
      : [
          `Open this email on the device you want to connect, and install the ${app} app there.`,
          `Phone or tablet: open the attachment ${filename} and choose ${app}.${image ? ' Or, in the app, add a tunnel and scan the attached code from another screen.' : ''}`,
          `Computer: save ${filename}, then import it in the app.`,
          'Switch the tunnel on.',
        ],
    links: manualLinks(publicUrl, guidesOf(connection)),
    action: { label: 'Open my connections', url: `${publicUrl}/profile` },
    notes: [
      ...(connection.obfuscation ? [aboutLocation(row.node_name)] : []),
      ...fileForm.map(
        (form) => `As you chose: ${FILE_FORM_WORDS[form].label}. ${FILE_FORM_WORDS[form].hint}`,
      ),
      'Anyone with this file can use your connection. Keep it to yourself, and delete this email once you are connected.',
    ],
  }
  await mailer.send({
    to: customer.email,
    subject: `Your connection ${connection.name}`,
    key,
    ...renderLetter(letter, brand),
    attachments: [
      { filename, content: config, contentType: 'text/plain; charset=utf-8' },
      ...(image
        ? [{ filename: filename.replace(/\.conf$/, '.png'), content: image, contentType: 'image/png' }]
        : []),
    ],
  })
}

type Happened = { isMoved: boolean; byUs: boolean }

const whatHappened = (name: string, { isMoved, byUs }: Happened): string => {
  if (isMoved) return `${name} was moved on`
  return byUs ? `We have given ${name} new keys, on` : `${name} got new keys on`
}

const whatToDo = ({ isMoved, hasOwnKey }: { isMoved: boolean; hasOwnKey: boolean }): string => {
  if (isMoved)
    return 'Only you have its key, which stays the same. Open it in your profile to see what else to change on your device.'
  return hasOwnKey
    ? 'Only you have the private key. We have the public one alone, and cannot show or send its file.'
    : 'Scan its code again on your device, or import its file again.'
}

/** For a customer who did not ask for them: without the configuration, which a thief may be waiting for. */
export const mailNewKeys = async (
  { db, mailer, settings }: Pick<Deps, 'db' | 'mailer' | 'settings'>,
  { connectionId, byUs = false }: { connectionId: string; byUs?: boolean },
  key: string,
): Promise<void> => {
  const row = await findConnectionRow(db, connectionId)
  if (!row) return
  const customer = row.customer_id && (await findCustomer(db, row.customer_id))
  if (!customer) return
  const { brand, publicUrl } = settings
  const isMoved = await hasMovedWithKey(db, connectionId)
  const subject = `Your connection ${row.name} ${isMoved ? 'has moved' : 'has new keys'}`
  const changed = formatUkTime(row.peer_created_at)
  const letter = {
    heading: subject,
    paragraphs: [
      `Hello ${customer.name},`,
      `${whatHappened(row.name, { isMoved, byUs })} ${changed}. Its location is ${row.node_name}.${row.obfuscation ? ` ${aboutLocation(row.node_name)}` : ''}`,
      whatToDo({ isMoved, hasOwnKey: row.has_own_key }),
      (await hasOldKeys(db, connectionId))
        ? 'What it had before works until you connect with the new, for a day at most.'
        : 'The old keys are cut off.',
      'Any link to this connection has ended.',
    ],
    action: { label: 'Open my connections', url: `${publicUrl}/profile` },
    notes: [
      byUs
        ? `You did nothing wrong. If you have a question, write to ${brand.company.email}.`
        : `If this was not you, choose a new password at ${publicUrl}/forgot and write to ${brand.company.email}.`,
    ],
  }
  await mailer.send({ to: customer.email, subject, key, ...renderLetter(letter, brand) })
}
