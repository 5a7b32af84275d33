import { escapeHtml } from '@hedgerow/html/escape-html'

/** Text that is already HTML. Only the tag below makes it, so whatever else is put in gets escaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | false | undefined | readonly Part[]

const textOf = (part: Part): string => {
  if (part instanceof Html) return part.text
  if (part === false || part === undefined) return ''
  return Array.isArray(part) ? part.map(textOf).join('') : escapeHtml(String(part))
}

export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(strings.reduce((text, string, i) => text + textOf(parts[i - 1]) + string))
