import { brand } from '#shared/brand.ts'

/** What stands in the window's title, and in lists of tabs and finds. */
export const titleOf = (title: string): string => `${brand.name} – ${title}`
