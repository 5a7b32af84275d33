/** So long the link works that is mailed to the new address. */
export const EMAIL_CONFIRM_HOURS = 24

/** So long the old address can undo a change. */
export const EMAIL_UNDO_DAYS = 7

/**
 * Returns an address as far as its owner needs to recognise it, and no one else can write to it: 'ada@mail.example.org'
 * is 'a…@m….org'.
 */
export const maskedEmail = (email: string): string => {
  const [local = '', host = ''] = email.split('@')
  return `${local.slice(0, 1)}…@${host.slice(0, 1)}…${host.slice(host.lastIndexOf('.'))}`
}
