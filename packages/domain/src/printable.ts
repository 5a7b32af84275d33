/** The scripts that invoices have fonts for, and what all scripts share, such as digits and stops; but no pictures. */
const PRINTABLE =
  /^(?:(?!\p{Extended_Pictographic})[\p{Script_Extensions=Latin}\p{Script_Extensions=Greek}\p{Script_Extensions=Cyrillic}\p{Script_Extensions=Arabic}\p{Script_Extensions=Hebrew}\p{Script_Extensions=Armenian}\p{Script_Extensions=Georgian}\p{Script_Extensions=Devanagari}\p{Script_Extensions=Bengali}\p{Script_Extensions=Tamil}\p{Script_Extensions=Thai}\p{Script_Extensions=Han}\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\p{Script_Extensions=Hangul}\p{Script=Common}\p{Script=Inherited}])*$/u

/** Whether a name or an address can stand on an invoice as it was typed. */
export const isPrintable = (text: string): boolean => PRINTABLE.test(text)
