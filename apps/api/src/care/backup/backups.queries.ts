import { sql } from 'kysely'
import type { BackupPlace } from '#care/backup/backup-place.ts'
import type { Db } from '#platform/database/client.ts'

type Place = Pick<BackupPlace, 'title' | 'machine'>

/** All folders are one: a machine changes its name, a container with each start. */
const inPlace = (db: Db, { title, machine }: Place) => {
  const all = db.selectFrom('backups')
  return machine ? all.where('machine', '<>', '') : all.where('machine', '=', '').where('place', '=', title)
}

/** Before it is begun: what its process leaves when it dies is known by it. */
export const insertBackup = async (
  db: Db,
  name: string,
  { title, machine }: Place,
  at: Date,
): Promise<string> => {
  const { id } = await db
    .insertInto('backups')
    .values({ name, place: title, machine, began_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export const deleteBackup = async (db: Db, id: string): Promise<void> => {
  await db.deleteFrom('backups').where('id', '=', id).execute()
}

/** What comes of a try takes the place of what failed before. */
const forgetFailed = (db: Db, place: Place) =>
  db
    .deleteFrom('backups')
    .where('id', 'in', inPlace(db, place).select('id').where('fault', 'is not', null))
    .execute()

export const endBackup = async (db: Db, id: string, place: Place, bytes: number): Promise<void> => {
  await forgetFailed(db, place)
  await db.updateTable('backups').set({ ended_at: sql<Date>`now()`, bytes }).where('id', '=', id).execute()
}

export const failBackup = async (db: Db, id: string, place: Place, fault: string): Promise<void> => {
  await forgetFailed(db, place)
  await db.updateTable('backups').set({ fault }).where('id', '=', id).execute()
}

/** What was begun and did not end. */
export const listLeftBackups = (db: Db, place: Place) =>
  inPlace(db, place).select(['id', 'name']).where('ended_at', 'is', null).where('fault', 'is', null).execute()

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
