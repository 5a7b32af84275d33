/** What only the operator can put right, one line for each fault. */
export class SettingsError extends Error {
  override name = 'SettingsError'
  constructor(...faults: readonly string[]) {
    super(faults.join('\n'))
  }
}
