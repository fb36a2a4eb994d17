import { kinds } from '@kerf/apis'
import { node } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { sleep } from '../clock/clock.ts'
import { VirtualClock } from '../clock/virtual-clock.ts'
import { WaitingError } from '../errors/waiting-error.ts'
import { KEYS_PER_TURN } from '../event-loop/turn-budget.ts'
import { SharedInformers } from '../informers/shared-informers.ts'
import { ApiError } from '../kube-client/api-error.ts'
import { RecordingLogger } from '../logging/recording-logger.ts'
import { PrometheusMetrics } from '../metrics/prometheus-metrics.ts'
import { SeededRandom } from '../random/seeded-random.ts'
import { type Controller, done, type Outcome, retry, retryAfter, source, terminal } from '../reconciler.ts'
import { FakeApi, unreachableError } from '../testing/fake-api.ts'
import { ControllerManager } from './controller-manager.ts'

// More than 400 lines, because all tests use the same manager with controllers that record their passes.

const fixture = () => {
  const api = new FakeApi()
  const clock = new VirtualClock()
  const logger = new RecordingLogger()
  const metrics = new PrometheusMetrics()
  const random = new SeededRandom(1)
  const stop = new AbortController()
  const informers = new SharedInformers({ client: api, clock, logger, random })
  const manager = new ControllerManager({ clock, logger, metrics, random, drainFor: 30_000 })
  const put = (name: string): unknown => api.put(kinds.Node, node(name))
  /** Returns a controller for nodes, whose keys are their names. */
  const controller = (
    reconcile: Controller['reconcile'],
    options: Partial<Omit<Controller, 'reconcile'>> = {},
  ): Controller => ({
    name: 'state.node',
    concurrency: 10,
    sources: [source(informers.of(kinds.Node), ({ before, after }) => [(after ?? before)?.metadata.name ?? ''])],
    reconcile,
    ...options,
  })
  const run = (abandon?: AbortSignal): Promise<void> => {
    informers.start(stop.signal)
    return manager.run({ stop: stop.signal, ...(abandon && { abandon }) })
  }
  return { api, clock, controller, informers, logger, manager, metrics, put, run, stop }
}

const never = new Promise<Outcome>(() => {})

describe('the controller manager', () => {
  test('reconciles each object after the first list, and again when it changes', async () => {
    const w = fixture()
    const seen: string[] = []
    w.put('a')
    w.manager.add(
      w.controller(async (key) => {
        seen.push(key)
        return done()
      }),
    )
    const running = w.run()
    await w.clock.settle()
    w.put('b')
    await w.clock.settle()
    expect(seen).toEqual(['a', 'b'])
    expect(w.manager.busy).toBe(false)
    w.stop.abort()
    await running
    w.put('c')
    await w.clock.settle()
    expect(seen).toEqual(['a', 'b'])
  })

  test('does not start before the first lists', async () => {
    const w = fixture()
    let calls = 0
    w.api.failures.push(...Array.from({ length: 7 }, unreachableError))
    w.manager.add(
      w.controller(
        async () => {
          calls++
          return done()
        },
        { singleton: true },
      ),
    )
    const running = w.run()
    await w.clock.advance(500)
    expect(calls).toBe(0)
    await w.clock.advance(120_000)
    expect(calls).toBe(1)
    expect(w.logger.messages('warn')).toContain('controller waits for its first lists')
    w.stop.abort()
    await running
  })

  test('does not work on a key twice at the same time, or on more keys than allowed', async () => {
    const w = fixture()
    const active = new Map<string, number>()
    let most = 0
    w.manager.add(
      w.controller(
        async (key, signal) => {
          expect(active.get(key) ?? 0).toBe(0)
          active.set(key, 1)
          most = Math.max(
            most,
            [...active.values()].reduce((sum, count) => sum + count, 0),
          )
          await sleep(w.clock, 100, signal)
          active.set(key, 0)
          return done()
        },
        { concurrency: 3 },
      ),
    )
    const running = w.run()
    for (let round = 0; round < 5; round++) {
      for (const name of ['a', 'b', 'c', 'd', 'e']) w.put(name)
      await w.clock.advance(70)
    }
    await w.clock.advance(5_000)
    expect(most).toBe(3)
    w.stop.abort()
    await running
  })

  test('yields to other work after a limited number of keys of all controllers together', async () => {
    const w = fixture()
    const keys = 2 * KEYS_PER_TURN
    for (let nth = 0; nth < keys; nth++) w.put(`node-${nth}`)
    const inTurn: number[] = [0]
    const count = async (): Promise<Outcome> => {
      inTurn[inTurn.length - 1] = (inTurn.at(-1) ?? 0) + 1
      return done()
    }
    w.manager.add(w.controller(count), w.controller(count, { name: 'metrics.node', concurrency: 1 }))
    const running = w.run()
    const other = w.clock.timer(0, function next() {
      inTurn.push(0)
      if (inTurn.length < 10) w.clock.timer(0, next)
    })
    await w.clock.advance(1)
    expect(Math.max(...inTurn)).toBe(KEYS_PER_TURN)
    expect(inTurn.reduce((sum, each) => sum + each, 0)).toBe(2 * keys)
    other.cancel()
    w.stop.abort()
    await running
  })

  test('starts controllers with many objects one after the other, and yields to other work in between', async () => {
    const w = fixture()
    for (let nth = 0; nth < 6_000; nth++) w.put(`node-${nth}`)
    const toldInTurn: number[] = [0]
    const listening = (name: string): Controller =>
      w.controller(async () => done(), {
        name,
        sources: [
          source(w.informers.of(kinds.Node), () => {
            toldInTurn[toldInTurn.length - 1] = (toldInTurn.at(-1) ?? 0) + 1
            return []
          }),
        ],
      })
    w.manager.add(...['a', 'b', 'c'].map(listening))
    w.informers.start(w.stop.signal)
    await w.clock.advance(0)
    const running = w.manager.run({ stop: w.stop.signal })
    w.clock.timer(0, function next() {
      toldInTurn.push(0)
      if (toldInTurn.length < 10) w.clock.timer(0, next)
    })
    await w.clock.advance(0)
    expect(toldInTurn.filter((told) => told > 0)).toEqual([6_000, 6_000, 6_000])
    w.stop.abort()
    await running
  })

  test('reconciles a key again as its outcome says', async () => {
    const w = fixture()
    const times: number[] = []
    const outcomes: Outcome[] = [retryAfter(60_000), retry(), retry(), retryAfter(1_000), retry(), done()]
    w.put('a')
    w.manager.add(
      w.controller(async () => {
        times.push(w.clock.monotonic())
        return outcomes.shift() ?? done()
      }),
    )
    const running = w.run()
    await w.clock.advance(200_000)
    expect(times).toEqual([0, 60_000, 60_005, 60_015, 61_015, 61_020])
    w.stop.abort()
    await running
  })

  test('handles what a reconciler throws: logs a line with the object, backs off, and continues with other keys', async () => {
    const w = fixture()
    const seen: string[] = []
    w.put('bad')
    w.put('good')
    w.manager.add(
      w.controller(async (key) => {
        seen.push(key)
        if (key === 'bad' && seen.filter((each) => each === 'bad').length < 3) throw new Error('cloud is cloudy')
        return done()
      }),
    )
    const running = w.run()
    await w.clock.advance(1_000)
    expect(seen).toEqual(['bad', 'good', 'bad', 'bad'])
    expect(w.logger.lines.filter((line) => line.level === 'error').map((line) => line.fields['name'])).toEqual([
      'bad',
      'bad',
    ])
    const text = await w.metrics.text()
    expect(text).toContain('controller_runtime_reconcile_errors_total{controller="state.node"} 2')
    expect(text).toContain('controller_runtime_reconcile_total{controller="state.node",result="success"} 2')
    expect(text).toContain('workqueue_retries_total{name="state.node",controller="state.node"} 2')
    w.stop.abort()
    await running
  })

  test('handles a thrown value that is not an error, even if it is thrown synchronously', async () => {
    const w = fixture()
    let calls = 0
    w.put('a')
    w.manager.add(
      w.controller(() => {
        calls++
        if (calls === 1) throw 'a string'
        // The second thrown value cannot even be converted to text.
        if (calls === 2) throw Object.create(null)
        return Promise.resolve(done())
      }),
    )
    const running = w.run()
    await w.clock.advance(1_000)
    expect(calls).toBe(3)
    expect(await w.metrics.text()).toContain('controller_runtime_reconcile_panics_total{controller="state.node"} 2')
    w.stop.abort()
    await running
  })

  test('treats a retry time that is not a number as an error, and does not loop without a pause', async () => {
    const w = fixture()
    let calls = 0
    w.put('a')
    w.manager.add(
      w.controller(async () => {
        calls++
        return retryAfter(Number.NaN)
      }),
    )
    const running = w.run()
    await w.clock.advance(1_000)
    expect(calls).toBeLessThan(12)
    expect(w.logger.lines[0]?.fields['error']).toBeInstanceOf(RangeError)
    w.stop.abort()
    await running
  })

  test('logs a wait in one line and retries without counting an error, unless a real failure occurs at the same time', async () => {
    const w = fixture()
    let thrown: Error = new WaitingError('not told yet')
    w.put('a')
    w.manager.add(
      w.controller(async () => {
        throw thrown
      }),
    )
    const running = w.run()
    await w.clock.advance(60_000)
    thrown = new AggregateError([thrown, new Error('stopping', { cause: thrown })], 'two waits')
    await w.clock.advance(60_000)
    expect(w.logger.messages('error')).toEqual([])
    expect(w.logger.messages('info')).toEqual(['waiting, retrying until it is known'])
    const series = 'controller_runtime_reconcile_total{controller="state.node",result='
    expect(await w.metrics.text()).toMatch(`${series}"error"} 0`)
    thrown = new AggregateError([thrown, new Error('broken')], 'a wait and a failure')
    await w.clock.advance(120_000)
    expect(w.logger.messages('error')).toContain('Reconciler error')
    w.stop.abort()
    await running
  })

  test('logs and counts a terminal outcome, and does not retry', async () => {
    const w = fixture()
    let calls = 0
    w.put('a')
    w.manager.add(
      w.controller(async () => {
        calls++
        return terminal(new Error('never'))
      }),
    )
    const running = w.run()
    await w.clock.advance(3_600_000)
    expect(calls).toBe(1)
    expect(w.logger.messages('error')).toEqual(['Reconciler error'])
    expect(await w.metrics.text()).toContain(
      'controller_runtime_terminal_reconcile_errors_total{controller="state.node"} 1',
    )
    w.stop.abort()
    await running
  })

  test('does not log a conflict as an error', async () => {
    const w = fixture()
    let calls = 0
    w.put('a')
    w.manager.add(
      w.controller(async () => {
        if (++calls === 1) throw new ApiError({ code: 409, reason: 'Conflict', message: 'modified' })
        return done()
      }),
    )
    const running = w.run()
    await w.clock.advance(1_000)
    expect(calls).toBe(2)
    expect(w.logger.messages('error')).toEqual([])
    w.stop.abort()
    await running
  })

  test('lets running reconciliations finish after the stop, and takes no more keys', async () => {
    const w = fixture()
    const finished: string[] = []
    w.put('a')
    w.put('b')
    w.manager.add(
      w.controller(
        async (key, signal) => {
          await sleep(w.clock, 5_000, signal)
          finished.push(key)
          return done()
        },
        { concurrency: 1 },
      ),
    )
    let ended = false
    const running = w.run().then(() => {
      ended = true
    })
    await w.clock.advance(1_000)
    w.stop.abort()
    await w.clock.advance(3_000)
    expect(ended).toBe(false)
    await w.clock.advance(2_000)
    await running
    expect(finished).toEqual(['a'])
  })

  test('aborts reconciliations that take too long after the stop', async () => {
    const w = fixture()
    w.put('a')
    let reason: unknown
    w.manager.add(
      w.controller((_key, signal) => {
        signal.addEventListener('abort', () => {
          reason = signal.reason
        })
        return never
      }),
    )
    const running = w.run()
    await w.clock.settle()
    w.stop.abort()
    await w.clock.advance(30_000)
    await running
    expect(String(reason)).toContain('shutting down')
    expect(w.logger.messages('warn')).toEqual(['stopping with unfinished work'])
  })

  test('aborts reconciliations at once when it is abandoned', async () => {
    const w = fixture()
    const lost = new AbortController()
    w.put('a')
    w.manager.add(w.controller((_key, signal) => sleep(w.clock, 60_000, signal).then(done)))
    const running = w.run(lost.signal)
    await w.clock.settle()
    lost.abort(new Error('lease lost'))
    await running
    expect(w.clock.monotonic()).toBe(0)
    expect(w.logger.messages('error')).toEqual([])
    w.stop.abort()
  })

  test('runs a singleton without sources, and takes keys from subscriptions', async () => {
    const w = fixture()
    const seen: string[] = []
    let push: (key: string) => void = () => {}
    w.manager.add({
      name: 'disruption',
      sources: [],
      concurrency: 1,
      singleton: true,
      subscribe: (enqueue) => {
        push = enqueue
        return () => {}
      },
      reconcile: async (key) => {
        seen.push(key)
        return key === '' ? retryAfter(10_000) : done()
      },
    })
    const running = w.run()
    await w.clock.advance(25_000)
    push('extra')
    await w.clock.settle()
    expect(seen).toEqual(['', '', '', 'extra'])
    w.stop.abort()
    await running
    expect(w.clock.pending).toBe(0)
  })

  test('refuses two controllers with the same name', () => {
    const w = fixture()
    const one = w.controller(async () => done())
    expect(() => w.manager.add(one, one)).toThrow('two controllers named state.node')
  })
})
