import type { Clock, Wait } from './clock.ts'

type Task = { endsAt: number; order: number; resume: () => void }

const byEnd = (a: Task, b: Task) => a.endsAt - b.endsAt || a.order - b.order

/** Tasks in the order in which they end: few at once, so that inserting by halves costs less than a heap. */
const insert = (tasks: Task[], task: Task): void => {
  let [low, high] = [0, tasks.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (byEnd(tasks[middle] as Task, task) <= 0) low = middle + 1
    else high = middle
  }
  tasks.splice(low, 0, task)
}

/** Tasks that get equal shares. Their time is the work that one of them has had so far, so that a change of the share moves none. */
class Shared {
  readonly tasks: Task[] = []
  #had = 0
  #share = 0
  #since = 0
  #order = 0

  /** Work that was done since the last look, of all together. */
  advance(now: number): number {
    const had = (now - this.#since) * this.#share
    this.#had += had
    this.#since = now
    return had * this.tasks.length
  }

  setShare(share: number): void {
    this.#share = share
  }

  add(ms: number, resume: () => void): void {
    insert(this.tasks, { endsAt: this.#had + ms, order: this.#order++, resume })
  }

  /** Milliseconds until the first ends; infinite without any, or without a share. */
  untilFirst(): number {
    const [first] = this.tasks
    return first && this.#share > 0
      ? Math.max(0, first.endsAt - this.#had) / this.#share
      : Number.POSITIVE_INFINITY
  }

  takeFirst(): Task {
    return this.tasks.shift() as Task
  }
}

/** Shares of a processor beside each other, by niceness: `sched_prio_to_weight` in Linux's `sched/core.c`. */
const WEIGHTS = { 0: 1024, 5: 335, 10: 110 } as const

type Niceness = keyof typeof WEIGHTS

type Class = { weight: number; shared: Shared }

/**
 * Processors of one machine, shared by all that want to run as their niceness has it (Linux's scheduler, without its slices).
 * `rivals`: programs that are not ours, of niceness 0, and never rest, one per processor that they could fill.
 */
export class Cores {
  readonly count: number
  /** Milliseconds of work so far. */
  worked = 0
  /** Milliseconds that programs of others got. */
  rivalled = 0
  #rivalShare = 0
  #since = 0
  readonly #rivals: number
  readonly #clock: Clock
  readonly #classes: Record<Niceness, Class> = {
    0: { weight: WEIGHTS[0], shared: new Shared() },
    5: { weight: WEIGHTS[5], shared: new Shared() },
    10: { weight: WEIGHTS[10], shared: new Shared() },
  }
  /** The heaviest first. */
  readonly #inTurn: readonly Class[] = Object.values(this.#classes)
  #version = 0

  constructor(clock: Clock, count: number, rivals = 0) {
    this.#clock = clock
    this.count = count
    this.#rivals = rivals
    this.#rivalShare = Math.min(rivals, count)
  }

  use = (ms: number, niceness: Niceness = 0): Wait => {
    return (resume) => {
      if (ms <= 0) return resume()
      this.#advance()
      this.#classes[niceness].shared.add(ms, resume)
      this.#plan()
    }
  }

  #advance(): void {
    this.rivalled += (this.#clock.now - this.#since) * this.#rivalShare
    this.#since = this.#clock.now
    for (const { shared } of this.#inTurn) this.worked += shared.advance(this.#clock.now)
  }

  #setShares(): void {
    let left = this.count
    let weightLeft = this.#rivals * WEIGHTS[0]
    for (const { weight, shared } of this.#inTurn) weightLeft += weight * shared.tasks.length
    for (const { weight, shared } of this.#inTurn) {
      const tasks = shared.tasks.length + (weight === WEIGHTS[0] ? this.#rivals : 0)
      // Nobody has more than one processor: what the heavy leave is for the light.
      const share = tasks > 0 ? Math.min(1, (left * weight) / weightLeft) : 0
      if (weight === WEIGHTS[0]) this.#rivalShare = this.#rivals * share
      shared.setShare(share)
      left -= tasks * share
      weightLeft -= tasks * weight
    }
  }

  #plan(): void {
    this.#setShares()
    const version = ++this.#version
    let next: Shared | undefined
    let soonest = Number.POSITIVE_INFINITY
    for (const { shared } of this.#inTurn) {
      const until = shared.untilFirst()
      if (until < soonest) [next, soonest] = [shared, until]
    }
    const ending = next
    if (!ending) return
    this.#clock.after(soonest, () => {
      if (version !== this.#version) return
      this.#advance()
      const { resume } = ending.takeFirst()
      this.#plan()
      resume()
    })
  }
}

/** So many at a time, in the order of their coming. `atMost`: how many may wait for their turn. */
export class Turns {
  waiting = 0
  #free: number
  readonly #clock: Clock
  readonly #atMost: number
  readonly #queue: (() => void)[] = []
  #head = 0

  constructor(clock: Clock, atOnce: number, atMost = Number.POSITIVE_INFINITY) {
    this.#clock = clock
    this.#free = atOnce
    this.#atMost = atMost
  }

  isFull(): boolean {
    return this.#free === 0 && this.waiting >= this.#atMost
  }

  take: Wait = (resume) => {
    if (this.#free > 0) {
      this.#free--
      return resume()
    }
    this.waiting++
    this.#queue.push(resume)
  }

  giveBack(): void {
    if (this.#head === this.#queue.length) {
      this.#free++
      return
    }
    const next = this.#queue[this.#head] as () => void
    this.#head++
    this.waiting--
    // What has had its turn is dropped now and then, not each time.
    if (this.#head > 1024 && this.#head * 2 > this.#queue.length) {
      this.#queue.splice(0, this.#head)
      this.#head = 0
    }
    // Not at once: thousands who wait and are all refused would call each other.
    this.#clock.after(0, next)
  }
}

/** One thing after the other, on processors that others use too: Node.js's main thread. */
export class Thread {
  readonly turns: Turns
  readonly #cores: Cores

  constructor(clock: Clock, cores: Cores) {
    this.turns = new Turns(clock, 1)
    this.#cores = cores
  }

  run = (ms: number): Wait => {
    return (resume) =>
      this.turns.take(() =>
        this.#cores.use(ms)(() => {
          this.turns.giveBack()
          resume()
        }),
      )
  }
}
