import { type RawBuilder, sql } from 'kysely'
import type { BackupPlace } from '#care/backup/backup-place.ts'
import type { Db } from '#platform/database/client.ts'

type Place = Pick<BackupPlace, 'title' | 'machine'>

/** All folders are one: a machine changes its name, a container with each start. */
const inPlace = (db: Db, { title, machine }: Place) => {
  const all = db.selectFrom('backups')
  return machine ? all.where('machine', '<>', '') : all.where('machine', '=', '').where('place', '=', title)
}

/** Before it is begun: what its process leaves when it dies is known by it. Of one that is tried again the fault stays until then. */
export const beginBackup = async (
  db: Db,
  name: string,
  { title, machine }: Place,
  at: Date,
): Promise<string> => {
  const { id } = await db
    .insertInto('backups')
    .values({ name, place: title, machine, began_at: at })
    .onConflict((same) => same.columns(['name', 'place', 'machine']).doUpdateSet({ began_at: at }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** What is to be taken back where its process dies. */
export const noteUpload = async (db: Db, id: string, uploadId: string): Promise<void> => {
  await db.updateTable('backups').set({ upload_id: uploadId }).where('id', '=', id).execute()
}

export const deleteBackup = async (db: Db, id: string): Promise<void> => {
  await db.deleteFrom('backups').where('id', '=', id).execute()
}

/** What comes of a try takes the place of what failed before. */
const setEnd = async (
  db: Db,
  id: string,
  place: Place,
  end: { ended_at: RawBuilder<Date>; bytes: number; fault: null } | { fault: string },
): Promise<void> => {
  await db
    .updateTable('backups')
    .set({ ...end, upload_id: null })
    .where('id', '=', id)
    .execute()
  await db
    .deleteFrom('backups')
    .where('id', 'in', inPlace(db, place).select('id').where('fault', 'is not', null).where('id', '<>', id))
    .execute()
}
export const endBackup = (db: Db, id: string, place: Place, bytes: number) =>
  setEnd(db, id, place, { ended_at: sql<Date>`now()`, bytes, fault: null })
export const failBackup = (db: Db, id: string, place: Place, fault: string) =>
  setEnd(db, id, place, { fault })

/** What was begun and did not end. */
export const listLeftBackups = (db: Db, place: Place) =>
  inPlace(db, place)
    .select(['id', 'name', 'upload_id'])
    .where('ended_at', 'is', null)
    .where(({ or, eb }) => or([eb('fault', 'is', null), eb('upload_id', 'is not', null)]))
    .execute()

/** The newest first. */
export const listBackups = (db: Db, place: Place) =>
  inPlace(db, place)
    .select(['id', 'name', 'machine', 'began_at', 'bytes'])
    .where('ended_at', 'is not', null)
    .orderBy('began_at', 'desc')
    .execute()

/** The last that failed, if none was made since. */
export const findFailedBackup = (db: Db, place: Place) =>
  inPlace(db, place).select(['began_at', 'fault']).where('fault', 'is not', null).executeTakeFirst()
