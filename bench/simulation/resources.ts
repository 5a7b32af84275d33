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

/**
 * Processors of one machine, shared equally by all that want to run (Linux's scheduler, without its slices). What has the
 * lowest priority gets what is left. `rivals`: programs that are not ours and never rest, one per processor that they could fill.
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
  readonly #first = new Shared()
  readonly #last = new Shared()
  #version = 0

  constructor(clock: Clock, count: number, rivals = 0) {
    this.#clock = clock
    this.count = count
    this.#rivals = rivals
    this.#rivalShare = Math.min(rivals, count)
  }

  use = (ms: number, priority: 'normal' | 'lowest' = 'normal'): Wait => {
    return (resume) => {
      if (ms <= 0) return resume()
      this.#advance()
      const shared = priority === 'normal' ? this.#first : this.#last
      shared.add(ms, resume)
      this.#plan()
    }
  }

  #advance(): void {
    this.rivalled += (this.#clock.now - this.#since) * this.#rivalShare
    this.#since = this.#clock.now
    this.worked += this.#first.advance(this.#clock.now) + this.#last.advance(this.#clock.now)
  }

  #plan(): void {
    const wanted = this.#first.tasks.length + this.#rivals
    this.#rivalShare = this.#rivals * Math.min(1, this.count / wanted)
    const left = Math.max(0, this.count - wanted)
    this.#first.setShare(Math.min(1, this.count / Math.max(1, wanted)))
    this.#last.setShare(Math.min(1, left / Math.max(1, this.#last.tasks.length)))
    const version = ++this.#version
    const [first, last] = [this.#first.untilFirst(), this.#last.untilFirst()]
    const soonest = Math.min(first, last)
    if (soonest === Number.POSITIVE_INFINITY) return
    this.#clock.after(soonest, () => {
      if (version !== this.#version) return
      this.#advance()
      const { resume } = (first <= last ? this.#first : this.#last).takeFirst()
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
