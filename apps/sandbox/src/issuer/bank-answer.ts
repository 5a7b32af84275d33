/** What the bank's page knows of a challenge: enough to answer it. */
type Asked = { id: string }

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

/**
 * The PaRes that the bank's page hands over for a PaReq, and the cres for a creq. Tests and load tests may skip the page
 * with it.
 */
export const bankAnswer = (request: string, isApproved: boolean): string =>
  encodeBankMessage({
    challenge: decodeBankMessage(request)?.challenge,
    transaction_status: isApproved ? 'Y' : 'N',
  })

/** Anything but the right bank's yes is a no. */
export const isApproval = (answer: string, asked: Asked): boolean => {
  const message = decodeBankMessage(answer)
  return message?.challenge === asked.id && message.transaction_status === 'Y'
}
