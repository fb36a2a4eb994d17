import { kinds } from '@kerf/apis'
import {
  ApiError,
  isConflict,
  isExpired,
  type KubeClient,
  SeededRandom,
  VirtualClock,
  type WatchEvent,
} from '@kerf/runtime'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Interceptor } from './interceptor.ts'
import { SandboxApi } from './sandbox-api.ts'

let clock: VirtualClock
let api: SandboxApi
let client: KubeClient

beforeEach(() => {
  clock = new VirtualClock()
  api = new SandboxApi({ clock, random: new SeededRandom(1), historyLimit: 10 })
  client = api.client()
})

const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } })
const make = (name: string) => client.create(kinds.ConfigMap, configMap(name))

interface Recording {
  readonly seen: string[]
  readonly ended: Promise<unknown>
  stop(reason?: unknown): void
}

const follow = (
  watching: KubeClient,
  options: { resourceVersion?: string; timeoutSeconds?: number } = {},
): Recording => {
  const stop = new AbortController()
  const seen: string[] = []
  const shown = (event: WatchEvent<{ metadata: { name?: string } } & ReturnType<typeof configMap>>): string =>
    event.type === 'BOOKMARK' ? `BOOKMARK ${event.resourceVersion}` : `${event.type} ${event.object.metadata.name}`
  const run = async (): Promise<unknown> => {
    try {
      const events = watching.watch(kinds.ConfigMap, { ...options, signal: stop.signal })
      for await (const event of events) seen.push(shown(event as never))
      return 'closed'
    } catch (error) {
      return error
    }
  }
  return { seen, ended: run(), stop: (reason) => stop.abort(reason) }
}

describe('a watch', () => {
  test('without a resourceVersion starts with the existing objects', async () => {
    await make('a')
    const recording = follow(client)
    await clock.advance(1)
    await make('b')
    await clock.advance(1)
    expect(recording.seen).toEqual(['ADDED a', 'ADDED b'])
    const reason = new Error('enough')
    recording.stop(reason)
    expect(await recording.ended).toBe(reason)
  })

  test('gets a bookmark once a minute while nothing happens', async () => {
    const recording = follow(client)
    await clock.advance(150_000)
    const { resourceVersion } = (await client.list(kinds.ConfigMap, {})).metadata
    expect(recording.seen).toEqual([`BOOKMARK ${resourceVersion}`, `BOOKMARK ${resourceVersion}`])
    recording.stop()
  })

  test('ends when its time limit has passed', async () => {
    const recording = follow(client, { timeoutSeconds: 30 })
    await clock.advance(29_000)
    await make('a')
    await clock.advance(1_000)
    expect(await recording.ended).toBe('closed')
    // The last bookmark is sent two seconds before the watch ends, so that the next watch resumes from it.
    expect(recording.seen).toEqual([expect.stringContaining('BOOKMARK'), 'ADDED a'])
  })

  test('resumes from its resourceVersion until the history of that revision is dropped', async () => {
    const { resourceVersion = '' } = (await make('first')).metadata
    for (let i = 0; i < 5; i++) await make(`near-${i}`)
    const near = follow(client, { resourceVersion })
    await clock.advance(1)
    expect(near.seen).toHaveLength(5)
    near.stop()
    for (let i = 0; i < 30; i++) await make(`far-${i}`)
    expect(isExpired(await follow(client, { resourceVersion }).ended)).toBe(true)
  })

  test('resumes from the last five minutes, and expires after ten minutes', async () => {
    const versions: string[] = []
    for (let minute = 0; minute <= 15; minute += 2.5) {
      versions.push((await make(`at-${minute}`)).metadata.resourceVersion ?? '')
      await clock.advance(150_000)
    }
    const seen = async (resourceVersion: string): Promise<readonly string[] | 'expired'> => {
      const recording = follow(client, { resourceVersion })
      await clock.settle()
      recording.stop()
      return isExpired(await recording.ended) ? 'expired' : recording.seen
    }
    expect(await Promise.all(versions.map(seen))).toEqual([
      'expired',
      'expired',
      'expired',
      ['ADDED at-10', 'ADDED at-12.5', 'ADDED at-15'],
      ['ADDED at-12.5', 'ADDED at-15'],
      ['ADDED at-15'],
      [],
    ])
  })

  test('that is read too slowly ends with an error that gives this reason', async () => {
    const events = client
      .watch(kinds.ConfigMap, { resourceVersion: String(api.state.revision) })
      [Symbol.asyncIterator]()
    await make('a')
    expect(await events.next()).toMatchObject({ value: { type: 'ADDED' } })
    for (let i = 0; i < 40; i++) await make(`more-${i}`)
    await expect(events.next()).rejects.toSatisfy(isExpired)
  })
})

describe('an interceptor', () => {
  const with_ = (interceptor: Interceptor): KubeClient => api.client({ interceptor })

  test('can refuse a call before it takes effect', async () => {
    const refusing = with_({
      before: ({ verb }) => {
        if (verb === 'create') throw new ApiError({ code: 409, reason: 'Conflict', message: 'not now' })
      },
    })
    await expect(refusing.create(kinds.ConfigMap, configMap('a'))).rejects.toSatisfy(isConflict)
    expect((await client.list(kinds.ConfigMap, {})).items).toHaveLength(0)
  })

  test('can delay a call, and the caller can abort meanwhile', async () => {
    const slow = with_({ before: () => new Promise((resolve) => void clock.timer(5_000, resolve)) })
    const giveUp = new AbortController()
    const held = slow.create(kinds.ConfigMap, configMap('held'))
    const abandoned = slow
      .create(kinds.ConfigMap, configMap('abandoned'), { signal: giveUp.signal })
      .catch((error: unknown) => error)
    await clock.advance(1_000)
    giveUp.abort('gone')
    await clock.advance(4_000)
    expect((await held).metadata.name).toBe('held')
    expect(await abandoned).toBe('gone')
    expect((await client.list(kinds.ConfigMap, {})).items.map(({ metadata }) => metadata.name)).toEqual(['held'])
  })

  test('can drop watches, with and without an error', async () => {
    const drops: ((error?: ApiError) => void)[] = []
    const droppy = with_({
      watching: (_, drop) => {
        drops.push(drop)
        return undefined
      },
    })
    const quiet = follow(droppy)
    const loud = follow(droppy)
    await clock.advance(1)
    drops[0]?.()
    drops[1]?.(new ApiError({ code: 500, reason: 'InternalError', message: 'lost' }))
    expect(await quiet.ended).toBe('closed')
    expect(await loud.ended).toMatchObject({ code: 500 })
  })
})
