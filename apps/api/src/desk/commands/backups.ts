import type { Command } from 'commander'
import { backupBucket } from '#care/backup/bucket-place.ts'
import { backupFolder } from '#care/backup/folder-place.ts'
import { asRefusal } from '#desk/tool/as-refusal.ts'
import { reads } from '#desk/tool/classes.ts'
import { JSON_OPTION } from '#desk/tool/options.ts'
import { say, sayJson, sayTable } from '#desk/tool/print.ts'
import { Refusal } from '#desk/tool/refusal.ts'
import { toolRun } from '#desk/tool/run.ts'
import { settingsWhenAsked } from '#platform/settings.ts'

const MIB = 1024 * 1024
const WITHIN_MS = 60_000

const run = async ({ json }: { json?: true }): Promise<void> => {
  const settings = settingsWhenAsked(toolRun().env)
  const places = [backupFolder(settings), backupBucket(settings)].filter((place) => place !== undefined)
  if (places.length === 0) throw new Refusal('Neither BACKUP_DIR nor BACKUP_S3 is set.')
  const found: { file: string; bytes: number }[] = []
  for (const place of places)
    for (const { name, bytes } of await asRefusal(place.list(AbortSignal.timeout(WITHIN_MS))))
      found.push({ file: place.addressOf(name), bytes })
  if (json) return sayJson(found)
  if (found.length === 0) return say('There are none.')
  sayTable(
    ['file', 'MiB'],
    found.map(({ file, bytes }) => [file, (bytes / MIB).toFixed(1)]),
  )
  say('restore --check says of each whether it is whole, and this shop’s.')
}

export const addBackups = (program: Command): void => {
  reads(program.command('backups'))
    .summary('list the backups that the shop has made')
    .description('List what lies where the shop puts its backups, the newest first. It needs no database.')
    .addOption(JSON_OPTION)
    .action(run)
}
