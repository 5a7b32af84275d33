/**
 * `npm run fuzz [-- --minutes 5 --seed 7 --rounds 1]`: sends the shop, the sandbox and an agent whatever a stranger can
 * think of, and gives their parsers the same. What ends a program, hangs, is met with a fault of ours or costs more than
 * packages/testing/src/cost/judge.ts allows is a finding; the seed of its round brings it again. Exits with 1 for any.
 */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { type MeasuredShop, startMeasuredShop } from '@hedgerow/api/testing/fuzz/measured-shop'
import { type HostileGroup, hostileToShop, prepareShop } from '@hedgerow/api/testing/fuzz/shop-requests'
import { databaseAt, onServer, startTestCluster, TEMPLATE } from '@hedgerow/api/testing/template-database'
import { hostileToAgent } from '@hedgerow/node-agent/testing/hostile-calls'
import { hostileToSandbox } from '@hedgerow/sandbox/testing/hostile-calls'
import type { HostileRequest } from '@hedgerow/testing/cost/judge'
import { judgeAll } from '@hedgerow/testing/cost/judge-all'
import { type MeasuredProgram, startMeasured } from '@hedgerow/testing/cost/measured-program'
import { pick } from '@hedgerow/testing/cost/pick'

const OF_EACH_KIND = 6
const TEXTS = 30
const PARSER_HANGS_AFTER_MS = 30_000
const PARSERS = fileURLToPath(new URL('./fuzz-parsers.ts', import.meta.url))

const fail = (message: string): never => {
  console.error(message)
  process.exit(2)
}

const readOptions = () => {
  try {
    return parseArgs({
      options: {
        minutes: { type: 'string', default: '5' },
        seed: { type: 'string', default: String(Date.now() % 1_000_000) },
        rounds: { type: 'string', default: '1000000' },
      },
    }).values
  } catch (error) {
    // What follows is advice on how arguments are written.
    return fail((error as Error).message.split('\n', 1)[0] ?? '')
  }
}

const options = readOptions()

const numberOf = (name: keyof typeof options, least: number, isRight: (value: number) => boolean): number => {
  const value = Number(options[name])
  if (options[name].trim() !== '' && isRight(value) && value >= least && value < 2 ** 31) return value
  return fail(
    `--${name} must be a ${name === 'minutes' ? 'number above 0' : `whole number from ${least}`}, not "${options[name]}"`,
  )
}

const minutes = numberOf('minutes', Number.MIN_VALUE, Number.isFinite)
const firstSeed = numberOf('seed', 0, Number.isInteger)
const rounds = numberOf('rounds', 1, Number.isInteger)

type World = {
  shop: MeasuredShop
  groups: HostileGroup[]
  agent: MeasuredProgram
  close: () => Promise<void>
}

const openWorld = async (): Promise<World> => {
  const cluster = await startTestCluster()
  await onServer(cluster.url, `create database fuzz template ${TEMPLATE}`)
  const shop = await startMeasuredShop(databaseAt(cluster.url, 'fuzz'))
  const agent = await startMeasured('apps/node-agent/src/testing/servers-program.ts', {})
  const close = async () => {
    await agent.stop()
    await shop.stop()
    await cluster.stop()
  }
  try {
    return { shop, agent, close, groups: await hostileToShop(shop, await prepareShop(shop)) }
  } catch (error) {
    await close()
    throw error
  }
}

/** In a thread of their own, which is ended when one of them does not come to an end. */
const fuzzParsersApart = (seed: number): Promise<string[]> =>
  new Promise((resolve) => {
    const worker = new Worker(PARSERS, { workerData: { seed, count: TEXTS } })
    let [parser, watch] = ['', setTimeout(() => undefined)]
    const end = (findings: string[]) => {
      clearTimeout(watch)
      void worker.terminate()
      resolve(findings)
    }
    worker.on('error', (error) => end([`${parser} ends the thread: ${error}`]))
    worker.on('message', (message: { next?: string; findings?: string[] }) => {
      clearTimeout(watch)
      if (message.findings) return end(message.findings)
      parser = message.next ?? ''
      watch = setTimeout(() => end([`${parser} hangs`]), PARSER_HANGS_AFTER_MS)
    })
  })

const drawnFrom = (kinds: readonly HostileRequest[][], seed: number): HostileRequest[] =>
  kinds.flatMap((kind) => pick(kind, OF_EACH_KIND, seed))

const started = performance.now()
const isTime = () => performance.now() - started < minutes * 60_000

/** One part after the other, until the time is over. */
const playRound = async ({ shop, groups, agent }: World, seed: number): Promise<string[]> => {
  const parts: (() => Promise<string[]>)[] = [
    () => fuzzParsersApart(seed),
    ...hostileToAgent(agent).map(
      ({ base, kinds }) =>
        () =>
          judgeAll(agent, base, drawnFrom(kinds, seed)),
    ),
    ...groups.map(({ base, kinds, random }) => () => {
      const requests = [...drawnFrom(kinds, seed), ...random(OF_EACH_KIND, seed)]
      return judgeAll(shop.program, base === 'shop' ? shop.url : shop.metricsUrl, requests)
    }),
    ...hostileToSandbox().map(
      (kind) => () => judgeAll(shop.sandbox.program, shop.sandbox.url, drawnFrom([kind], seed)),
    ),
  ]
  const findings: string[] = []
  for (const part of parts) if (isTime()) findings.push(...(await part()))
  return findings
}

let stopped = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => (stopped = true))

console.log(`Seed ${firstSeed}, ${minutes} minutes`)
const world = await openWorld()
let count = 0
try {
  const isRunning = () => !(stopped || world.shop.program.end() || world.shop.sandbox.program.end())
  for (let round = 0; round < rounds && isTime() && isRunning(); round++) {
    const findings = await playRound(world, firstSeed + round)
    count += findings.length
    for (const finding of findings)
      console.log(`${finding}\n  again: npm run fuzz -- --seed ${firstSeed + round} --rounds 1`)
    console.log(`Round ${round + 1}, seed ${firstSeed + round}: ${findings.length} findings`)
  }
} finally {
  await world.close()
}
console.log(`${count} findings in ${Math.round((performance.now() - started) / 1000)} s`)
process.exit(count === 0 ? 0 : 1)
