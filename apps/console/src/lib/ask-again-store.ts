type Listener = (answer: (isProved: boolean) => void) => void
let listener: Listener | undefined

/** The dialog that asks is there. Returns how it says that it is gone. */
export const listenForQuestions = (next: Listener): (() => void) => {
  listener = next
  return () => {
    listener = undefined
  }
}

/** Resolves true once the operator has shown again who they are; false where they would rather not. */
export const askAgain = (): Promise<boolean> =>
  new Promise((resolve) => {
    if (listener) listener(resolve)
    else resolve(false)
  })
