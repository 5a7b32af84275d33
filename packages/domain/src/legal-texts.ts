/** The legal texts that the shop ships: what may be said of them, and where they are found. */

/** The day of their version, which they name themselves. A review is not older than what was reviewed. */
export const SHIPPED_LEGAL_DATE = '2026-11-23'

/** What development says at the foot of its pages until they are reviewed. Production never shows it. */
export const SAMPLE_LEGAL_TEXTS = 'Sample legal texts – not reviewed'

export const LEGAL_PATHS = {
  terms: '/legal/terms_of_service.pdf',
  privacy: '/legal/privacy_policy.pdf',
} as const

/** What only an unfinished text says: a note to the operator, or a gap to be filled in. */
const UNFINISHED = [
  /\bthis is a template\b/i,
  /\bhave a lawyer\b/i,
  /\btake this note out\b/i,
  /\blorem ipsum\b/i,
  /\bTODO\b/,
  /\[(?:your|insert|company|name|date|address|tbc|tbd)\b[^[\]\n]{0,80}\]/i,
  /\[[…._\s]*\]/,
]

/** The first words by which a text says that it is not finished. */
export const unfinishedIn = (text: string): string | undefined => {
  for (const pattern of UNFINISHED) {
    const [found] = text.match(pattern) ?? []
    if (found !== undefined) return found
  }
  return undefined
}
