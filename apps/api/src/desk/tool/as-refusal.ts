import { BackupFault } from '#care/backup/backup-fault.ts'
import { Refusal } from '#desk/tool/refusal.ts'

/** What is wrong with a backup is told as any other refusal. */
export const asRefusal = async <T>(what: Promise<T>, before = ''): Promise<T> => {
  try {
    return await what
  } catch (error) {
    throw error instanceof BackupFault ? new Refusal(`${before}${error.message}`) : error
  }
}
