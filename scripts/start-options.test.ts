import { describe, expect, test } from 'vitest'
import { readOptions } from './start-options.ts'

describe('npm start', () => {
  test('opens the shop itself, unless a demonstration is asked for', () => {
    expect(readOptions([], {})).toEqual({ demo: undefined, isDev: false, isVersionAsked: false })
  })

  test('tells its version where that is asked for', () => {
    expect(readOptions(['--version'], {}).isVersionAsked).toBe(true)
  })

  test('is not for work on the shop in production', () => {
    expect(readOptions(['--dev'], {}).isDev).toBe(true)
    expect(() => readOptions(['--dev'], { NODE_ENV: 'production' })).toThrow('--dev is not for production')
  })

  test('keeps a demonstration in a folder of its own', () => {
    expect(readOptions(['--demo'], {}).demo).toEqual({ dataDir: './.data-demo', size: [] })
    expect(readOptions(['--demo'], { DATA_DIR: '/srv/demo' }).demo?.dataDir).toBe('/srv/demo')
  })

  test('hands on what the demonstration is to be made of', () => {
    expect(readOptions(['--demo', '--seed', '7', '--days', '30'], {}).demo?.size).toEqual([
      '--seed',
      '7',
      '--days',
      '30',
    ])
  })

  test.each([[['--seed', '7']], [['--damo']]])('refuses %j', (args) => {
    expect(() => readOptions(args, {})).toThrow()
  })
})
