import { Worker } from 'node:worker_threads'
import type { WorkerSettings } from './task.ts'

export interface ThreadOptions<Task, Answer> extends WorkerSettings {
  /** The module that each thread executes. For each task that it receives as a message, it sends one message with the result. */
  readonly script: URL
  readonly workers: number
  /** Returns the result of a task during which the thread died. */
  readonly died: (task: Task, message: string) => Answer
  /** Called with each result, in any order. Returns tasks to add to the queue, or `stop` to start no further tasks. */
  readonly onAnswer: (answer: Answer) => 'stop' | 'go on' | readonly Task[]
}

/** A queue of tasks. Idle threads wait in it while running tasks may still add tasks. */
class Queue<Task> {
  readonly #tasks: Task[]
  readonly #idle: (() => void)[] = []
  #underWay = 0

  constructor(tasks: readonly Task[]) {
    this.#tasks = [...tasks]
  }

  /** Resolves to the next task, or to undefined when no task will follow. */
  async take(): Promise<Task | undefined> {
    while (this.#tasks.length === 0 && this.#underWay > 0) await new Promise<void>((wake) => this.#idle.push(wake))
    const task = this.#tasks.shift()
    if (task !== undefined) this.#underWay++
    return task
  }

  /** Marks a task as complete and adds the tasks in `then`. */
  done(then: 'stop' | 'go on' | readonly Task[]): void {
    this.#underWay--
    if (then === 'stop') this.#tasks.length = 0
    else if (then !== 'go on') this.#tasks.push(...then)
    for (const wake of this.#idle.splice(0)) wake()
  }
}

/** Runs all tasks in this many threads. Replaces a thread that dies. */
export const doAll = async <Task, Answer>(
  tasks: readonly Task[],
  { script, workers, mutation, died, onAnswer }: ThreadOptions<Task, Answer>,
): Promise<void> => {
  const queue = new Queue(tasks)
  const runWorker = (first: Task): Promise<void> =>
    new Promise((resolve) => {
      const worker = new Worker(script, { workerData: mutation === undefined ? {} : { mutation } })
      let current: Task | undefined
      const begin = (task: Task | undefined): void => {
        current = task
        if (task === undefined) void worker.terminate()
        else worker.postMessage(task)
      }
      const finish = (answer: Answer): void => {
        current = undefined
        queue.done(onAnswer(answer))
      }
      worker.on('message', (answer: Answer) => {
        finish(answer)
        void queue.take().then(begin)
      })
      worker.on('error', (error) => {
        const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
        if (current !== undefined) finish(died(current, message))
      })
      worker.on('exit', () => resolve())
      begin(first)
    })
  const runOne = async (): Promise<void> => {
    for (let task = await queue.take(); task !== undefined; task = await queue.take()) await runWorker(task)
  }
  await Promise.all(Array.from({ length: workers }, runOne))
}
