/** Codes were shown in this tab, and their owner has not said yet that they are kept: a reload cannot show them again. */
const KEY = 'unkept_codes'

export const areCodesUnkept = (): boolean => {
  try {
    return sessionStorage.getItem(KEY) === '1'
  } catch {
    return false
  }
}

export const noteCodesUnkept = (isUnkept: boolean): void => {
  try {
    if (isUnkept) sessionStorage.setItem(KEY, '1')
    else sessionStorage.removeItem(KEY)
  } catch {
    // A browser that stores nothing for us loses the note with the page.
  }
}
