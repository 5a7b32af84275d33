/** What the shop gave this browser when it opened an account here, until the mailed link is followed. */
const KEY = 'signup_secret'

const FORM = /^[\w-]{1,200}$/

export const readSignupSecret = (): string | undefined => {
  try {
    const secret = localStorage.getItem(KEY) ?? ''
    return FORM.test(secret) ? secret : undefined
  } catch {
    return undefined
  }
}

export const storeSignupSecret = (secret: string) => {
  try {
    localStorage.setItem(KEY, secret)
  } catch {
    // The link's page asks for the password instead.
  }
}

export const forgetSignupSecret = () => {
  try {
    localStorage.removeItem(KEY)
  } catch {
    // It was not stored either.
  }
}
