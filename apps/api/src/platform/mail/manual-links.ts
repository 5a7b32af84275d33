import type { Letter } from '#platform/mail/layout.ts'

/** The manual's page for each system that has an app. */
const PAGES = [
  ['iPhone and iPad', 'ios'],
  ['Android', 'android'],
  ['Windows', 'windows'],
  ['macOS', 'macos'],
  ['Linux', 'linux'],
] as const

/** The same steps with pictures. */
export const manualLinks = (
  publicUrl: string,
  pages: readonly (readonly [label: string, page: string])[] = PAGES,
): NonNullable<Letter['links']> => ({
  lead: 'Step by step, with pictures',
  to: pages.map(([label, page]) => ({ label, url: `${publicUrl}/manual/${page}` })),
})
