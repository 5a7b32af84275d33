/** What travels through the shop's page between the gateway and the card holder's bank. */
export const encodeBankMessage = (value: object): string =>
  Buffer.from(JSON.stringify(value)).toString('base64')

/** Undefined for anything that is not Base64 of a JSON object. */
export const decodeBankMessage = (text: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64').toString())
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
