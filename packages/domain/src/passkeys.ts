/** So many an account can have. */
export const MOST_PASSKEYS = 10

/** What its owner calls one, in characters. */
export const PASSKEY_NAME_LENGTH = 40
