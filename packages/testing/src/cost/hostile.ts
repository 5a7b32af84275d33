/** What is repeated, and what stands at the end of it: texts that cost much where a pattern or a parser goes back. */
const UNITS = [
  'a',
  '1',
  '0',
  ' ',
  '\t',
  '\n',
  '\r\n',
  '-',
  '.',
  '/',
  '/../',
  '%',
  '%2f',
  '\\',
  '"',
  "'",
  '"=',
  '<',
  '<a ',
  '<head',
  ',',
  ';',
  ':',
  '::',
  '=',
  '@',
  'a@',
  'a.',
  '.a@a',
  'a://',
  'http://a@',
  '1a',
  '1 ',
  '1-',
  '1--',
  '1.',
  '1,1',
  '£1,',
  '٣',
  '１',
  '¹ ',
  'cvv ',
  'security code ',
  '4111111111111111 ',
  '41111111 1111 1111-',
  'e\u0301',
  '\u0301',
  '\u0344',
  '\u0301\u0316',
  'ﷺ',
  '\u1161\u11a8',
  '\u200d',
  '👩‍👩‍👧',
  '\u202e',
  '\u0000',
  '\ud800',
  'שׁ',
  '__proto__',
  'constructor',
] as const
const ENDS = ['', '!', '\n', '1'] as const

/** A kind of text, of about so many characters. */
export type HostileText = { what: string; text: (length: number) => string }

const fill = (unit: string, end: string, length: number): string =>
  unit.repeat(Math.max(1, Math.floor((length - end.length) / unit.length))) + end

export const HOSTILE_TEXTS: readonly HostileText[] = UNITS.flatMap((unit) =>
  ENDS.map((end) => ({
    what: `${JSON.stringify(unit)} again and again${end && `, then ${JSON.stringify(end)}`}`,
    text: (length: number) => fill(unit, end, length),
  })),
)

/** A kind of value in JSON, of about so many bytes. */
export type HostileJson = { what: string; json: (bytes: number) => string }

const listed = (item: (at: number) => string, length: number): string => {
  const items: string[] = []
  for (let used = 2; used < length; used += (items.at(-1)?.length ?? 0) + 1) items.push(item(items.length))
  return items.slice(0, -1).join(',')
}

const nested = (open: string, close: string, length: number): string => {
  const depth = Math.floor((length - 1) / (open.length + close.length))
  return `${open.repeat(depth)}1${close.repeat(depth)}`
}

/** One key, and as much as there is room for below it. */
const below = (key: string, length: number): string => {
  const text = JSON.stringify(key)
  return `{${text}:[${listed(() => '1', length - text.length - 3)}]}`
}

export const HOSTILE_JSON: readonly HostileJson[] = [
  { what: 'lists in lists', json: (bytes) => nested('[', ']', bytes) },
  { what: 'objects in objects', json: (bytes) => nested('{"a":', '}', bytes) },
  { what: 'objects in lists in objects', json: (bytes) => nested('{"a":[', ']}', bytes) },
  { what: 'many keys', json: (bytes) => `{${listed((at) => `"k${at}":1`, bytes)}}` },
  {
    what: 'many numbers as keys, backwards',
    json: (bytes) => `{${listed((at) => `"${99_999 - at}":1`, bytes)}}`,
  },
  { what: 'one key again and again', json: (bytes) => `{${listed(() => '"a":1', bytes)}}` },
  { what: 'keys of colons', json: (bytes) => `{${listed((at) => `"${'::'.repeat(40)}${at}":1`, bytes)}}` },
  { what: 'many equal numbers', json: (bytes) => `[${listed(() => '1', bytes)}]` },
  { what: 'many equal texts', json: (bytes) => `[${listed(() => '"a"', bytes)}]` },
  { what: 'many empty objects', json: (bytes) => `[${listed(() => '{}', bytes)}]` },
  { what: 'a long key above half of it', json: (bytes) => below('a'.repeat(bytes / 2), bytes) },
  { what: 'runs of digits above half of it', json: (bytes) => below('1a'.repeat(bytes / 12), bytes) },
  { what: 'a long number above half of it', json: (bytes) => below('9'.repeat(bytes / 2), bytes) },
  { what: 'an object that cannot be a text', json: () => '{"toString":1,"valueOf":1}' },
  { what: 'a long number', json: (bytes) => '9'.repeat(bytes) },
  { what: 'a long fraction', json: (bytes) => `0.${'3'.repeat(bytes - 2)}` },
  { what: 'escapes', json: (bytes) => `"${'\\u0000'.repeat((bytes - 2) / 6)}"` },
  { what: 'halves of characters', json: (bytes) => `"${'\\ud800'.repeat((bytes - 2) / 6)}"` },
]
