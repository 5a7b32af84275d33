/** Resolves with whether it was proved whose session it is; by then its new token is there. */
export type AskOwner = () => Promise<boolean>

let ask: AskOwner = async () => false

/** What shows the question is above here. */
export const askOwnerBy = (asker: AskOwner): void => {
  ask = asker
}

let asking: Promise<boolean> | undefined

/** Several calls that need it at once ask once. */
export const askOwner = (): Promise<boolean> => {
  asking ??= ask().finally(() => {
    asking = undefined
  })
  return asking
}
