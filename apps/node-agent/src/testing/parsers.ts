import type { Parser } from '@hedgerow/testing/cost/parsers'
import { durationMs, readElements } from '#network/kernel-table.ts'
import { namesInLine } from '#network/list-line.ts'
import { readSettings, SettingsError } from '#settings.ts'
import { replayJournal } from '#state/replay.ts'

const API = { AGENT_API_URL: 'https://shop.example' }
const isSettingsError = (error: unknown) => error instanceof SettingsError

/** What an agent reads of others by pure functions. */
export const AGENT_PARSERS: readonly Parser[] = [
  { name: 'a line of a filter list', parse: namesInLine },
  { name: 'names behind an address in a filter list', parse: (text) => namesInLine(`0.0.0.0 ${text}`) },
  { name: 'a scoped address in a filter list', parse: (text) => namesInLine(`fe80::1%${text}`) },
  { name: 'a rule of a filter list', parse: (text) => namesInLine(`||${text}^`) },
  { name: "a duration in the kernel's words", parse: durationMs },
  {
    name: "a table in the kernel's words",
    parse: (text) => [`\t\telements = { ${text}`, text].flatMap((line) => readElements(line, new Date())),
  },
  { name: 'a line of the journal', parse: (text) => replayJournal([text]) },
  ...['AGENT_API_URL', 'AGENT_TOKEN', 'AGENT_INTERFACE', 'AGENT_METRICS_PORT'].map((name) => ({
    name: `the setting ${name}`,
    parse: (text: string) => readSettings({ ...API, [name]: text }),
    isRefusal: isSettingsError,
  })),
]
