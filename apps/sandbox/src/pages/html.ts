import { escapeHtml } from '@hedgerow/io/escape-html'

/** Text that is already HTML. Only this file makes it, so whatever else is put in gets escaped. */
export type Html = { readonly text: string; readonly [IS_HTML]: true }

const IS_HTML = Symbol('HTML')

/** For text that must not be escaped, such as a script of ours. */
export const rawHtml = (text: string): Html => ({ text, [IS_HTML]: true })

type Part = Html | string | number | false | undefined | readonly Part[]

const isHtml = (part: Part): part is Html => typeof part === 'object' && IS_HTML in part

const textOf = (part: Part): string => {
  if (part === false || part === undefined) return ''
  if (isHtml(part)) return part.text
  return Array.isArray(part) ? part.map(textOf).join('') : escapeHtml(String(part))
}

export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html =>
  rawHtml(strings.reduce((text, string, i) => text + textOf(parts[i - 1]) + string))
