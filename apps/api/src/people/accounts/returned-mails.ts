import { sql } from 'kysely'
import type { Db } from '#platform/database/client.ts'
import type { ReturnKind } from '#platform/database/tables/returned-mails.table.ts'
import type { With } from '#platform/dependencies.ts'
import { listReturned } from '#platform/mail/mail-api.ts'
import { type Mailer, MailNotTaken } from '#platform/mail/mailer.ts'
import { isMailApi } from '#platform/settings/encryption.ts'

/** A provider may learn of it late. */
const LOOK_BACK_MS = 2 * 86_400_000
/** Nothing says that an address works again. */
const KEPT_DAYS = 90

type Returned = { email: string; kind: ReturnKind }

/** Of addresses that are customers' now; all others are nobody's to act on. */
const noteReturned = async (db: Db, returned: readonly Returned[]): Promise<void> => {
  await sql`
    insert into returned_mails (email, kind)
    select distinct on (customers.email) customers.email, told.kind
    from unnest(${returned.map(({ email }) => email)}::text[], ${returned.map(({ kind }) => kind)}::text[]) as told (email, kind)
    join customers on customers.email = lower(told.email)
    -- Who complained is not to be mailed again, whatever else came back.
    order by customers.email, told.kind desc
    on conflict (email) do update set at = now(),
      kind = case returned_mails.kind when 'complained' then 'complained' else excluded.kind end`.execute(db)
}

/** A mailer that notes whose address the mail server refuses. */
export const notingRefusals = (mailer: Mailer, db: Db): Mailer => ({
  ...mailer,
  send: async (mail) => {
    try {
      await mailer.send(mail)
    } catch (error) {
      if (error instanceof MailNotTaken && error.isRefused)
        await noteReturned(db, [{ email: mail.to, kind: 'refused' }])
      throw error
    }
  },
})

/** Asks a provider of mail what came back lately, and forgets what is long ago and addresses that no customer has any more. */
export const readReturnedMails = async ({ db, settings }: With<'db' | 'settings'>): Promise<void> => {
  const address = new URL(settings.smtpUrl)
  if (isMailApi(address))
    await noteReturned(db, await listReturned(address, new Date(Date.now() - LOOK_BACK_MS)))
  await sql`
    delete from returned_mails where at < now() - make_interval(days => ${KEPT_DAYS})
      or not exists (select from customers where customers.email = returned_mails.email)`.execute(db)
}

export const findReturned = (db: Db, email: string) =>
  db.selectFrom('returned_mails').select(['kind', 'at']).where('email', '=', email).executeTakeFirst()
