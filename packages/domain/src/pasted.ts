import { composed } from './composed.ts'

/** Come along with what is pasted, and nobody sees them: joiners, soft hyphens, marks of direction. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu

/** What keyboards, documents and scripts write where ' is meant. */
const APOSTROPHES = /[\u2018\u2019\u201B\u2032\u02B9\u02BB-\u02BD`´]/gu
const HYPHENS = /[\u2010-\u2015\u2212]/gu

/** A code, number or address as it was meant: full-width signs are plain ones, and nothing unseen is in it. */
export const plainCode = (typed: string): string => composed(typed.replace(UNSEEN, ''), 'NFKC').trim()

/** The same of what is written in groups: '1234 5678' and '12-34-56'. */
export const withoutGroups = (typed: string): string => plainCode(typed).replace(/[\s\p{Pd}\u2212]/gu, '')

/** A name as payment systems take it: letters in one piece, one kind of blank, apostrophe and hyphen. */
export const plainName = (typed: string): string =>
  // ´ stands alone: composed first, it would be a blank with a mark.
  composed(typed.replace(UNSEEN, '').replace(APOSTROPHES, "'").replace(HYPHENS, '-'), 'NFKC')
    .replace(/\s+/gu, ' ')
    .trim()

/** Latin and Cyrillic letters, digits, blank, hyphen, full stop and apostrophe: what the gateway takes of a card's holder. */
export const CARD_HOLDER = /^(?:(?=\p{L})[\p{Script=Latin}\p{Script=Cyrillic}]|[\d .'-])+$/u
