/** Why a backup cannot be taken or restored, in words for the operator. Nothing was changed. */
export class BackupFault extends Error {
  override name = 'BackupFault'
}
