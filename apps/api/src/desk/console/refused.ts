import { Problem } from '#platform/http/problems.ts'

/** Why a service would not, as a sentence: 'it was lost' becomes 'It was lost.' */
export const refused = (why: string): Problem =>
  new Problem('operator-refused', {
    detail: `${why.charAt(0).toUpperCase()}${why.slice(1).replace(/\.$/, '')}.`,
  })
