const between = (first: number, last: number): string =>
  Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i)).join('')

const SIGNS = between(0x20, 0x7e)
const WESTERN = between(0xc0, 0xff)
/** Paid in złoty, and by Blik: Polish names are as usual as English ones. */
const POLISH = 'ĄąĆćĘęŁłŃńŚśŹźŻż'
const MONEY_AND_MARKS = '£€§©®°·–—‘’“”…−'
/** What is drawn as one where it meets. */
const MEETING = ['ff', 'fi', 'fl', 'ffi', 'ffl']

const TEXT = [...SIGNS, ...WESTERN, ...POLISH, ...MONEY_AND_MARKS, ...MEETING]

/**
 * The letters that nearly every document makes do with, and that each brings along: so its fonts are those of the last one,
 * and are not cut down anew. They are fixed, not those of what was printed before: the same facts are the same bytes in every
 * process. Headings are the same few words each time, in a face whose letters take twice the room.
 */
export const COMMON_LETTERS: Readonly<Record<'text' | 'strong' | 'heading', readonly string[]>> = {
  text: TEXT,
  strong: TEXT,
  heading: [],
}
