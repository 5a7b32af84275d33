import { readKernelRules } from '#network/kernel-table.ts'

/**
 * What was loaded, as the kernel tells it. Someone may have changed it before it could be read, so a text that is not
 * that of the last time is not believed before it was read twice: the next look loads it once more.
 */
export const createLoadedRules = (table: string) => {
  let rules = ''
  const believed = new Map<string, string>()
  let suspect: string | undefined
  return {
    /** After rules of this variant were loaded. */
    note: async (variant: string): Promise<void> => {
      const found = await readKernelRules(table)
      const known = believed.get(variant) ?? found
      const isBelieved = found !== undefined && (found === known || found === suspect)
      suspect = isBelieved ? undefined : found
      rules = isBelieved ? found : ''
      if (isBelieved) believed.set(variant, found)
    },
    isSame: (text: string | undefined): boolean => text === rules,
  }
}
