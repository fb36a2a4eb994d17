import { type KubeObject, kinds, type Node } from '@kerf/apis'
import { node, pod } from '@kerf/testing'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { VirtualClock } from '../clock/virtual-clock.ts'
import { ApiError } from '../kube-client/api-error.ts'
import { RecordingLogger } from '../logging/recording-logger.ts'
import { SeededRandom } from '../random/seeded-random.ts'
import { FakeApi, unreachableError } from '../testing/fake-api.ts'
import type { Change } from './informer.ts'
import { leanNode } from './projection.ts'
import { compareResourceVersions } from './resource-version.ts'
import { SharedInformers } from './shared-informers.ts'

// More than 400 lines, because the examples and the property test use the same fake API server.

const nodeNamed = (name: string, size = 0): Node =>
  node(name, { labels: { size: String(size) }, metadata: { managedFields: [{ manager: 'kubelet' }] } })

const malformed = (): ApiError => new ApiError({ code: 0, reason: 'MalformedAnswer', message: 'not JSON' })

const fixture = (pageSize?: number, random = new SeededRandom(1)) => {
  const api = new FakeApi()
  const clock = new VirtualClock()
  const logger = new RecordingLogger()
  const stop = new AbortController()
  const informers = new SharedInformers({ client: api, clock, logger, random, ...(pageSize && { pageSize }) })
  const nodes = informers.of(kinds.Node)
  return { api, clock, logger, stop, informers, nodes, start: () => informers.start(stop.signal) }
}

const objectVersions = (objects: Iterable<KubeObject>): Record<string, string> =>
  Object.fromEntries(
    [...objects]
      .map(
        (object) => [object.metadata.name ?? '', `${object.metadata.uid}@${object.metadata.resourceVersion}`] as const,
      )
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )

describe('an informer', () => {
  test('lists in pages, and then follows the watch', async () => {
    const { api, clock, informers, nodes, start } = fixture(10)
    for (let index = 0; index < 25; index++) api.put(kinds.Node, nodeNamed(`n${index}`))
    expect(nodes.hasSynced).toBe(false)
    start()
    await clock.settle()
    await informers.allSynced()
    expect(nodes.size).toBe(25)
    expect(api.calls.filter((call) => call === 'list Node')).toHaveLength(3)
    api.put(kinds.Node, nodeNamed('n3', 7))
    api.remove(kinds.Node, { name: 'n4' })
    await clock.settle()
    expect(nodes.get('n3')?.metadata.labels).toEqual({ size: '7' })
    expect(nodes.get('n4')).toBeUndefined()
  })

  test('processes a large list a hundred objects at a time, and stops in the middle when aborted', async () => {
    const { api, clock, nodes, informers, start, stop } = fixture()
    for (let index = 0; index < 450; index++) api.put(kinds.Node, nodeNamed(`n${index}`))
    start()
    await clock.settle()
    const sizes = [nodes.size]
    const next = (): void => {
      sizes.push(nodes.size)
      if (sizes.length < 20) clock.timer(0, next)
    }
    clock.timer(0, next)
    await clock.advance(0)
    await informers.allSynced()
    expect(nodes.size).toBe(450)
    expect(sizes.slice(0, 4)).toEqual([100, 200, 300, 400])
    stop.abort()

    const other = fixture()
    for (let index = 0; index < 450; index++) other.api.put(kinds.Node, nodeNamed(`n${index}`))
    other.start()
    await other.clock.settle()
    other.stop.abort()
    await other.clock.advance(1_000)
    expect([other.nodes.size, other.nodes.hasSynced]).toEqual([100, false])
  })

  test('returns frozen objects without managed fields', async () => {
    const { api, clock, nodes, start } = fixture()
    api.put(kinds.Node, nodeNamed('a'))
    start()
    await clock.settle()
    const node = nodes.get('a')
    expect(node?.metadata).not.toHaveProperty('managedFields')
    expect(() => Object.assign(node?.metadata.labels ?? {}, { size: '9' })).toThrow(TypeError)
  })

  test('maintains indexes, including those registered later, and removes objects from them', async () => {
    const { api, clock, nodes, start } = fixture()
    api.put(kinds.Node, nodeNamed('a', 1))
    start()
    await clock.settle()
    const bySize = (node: Node): string[] => [node.metadata.labels?.['size'] ?? '']
    nodes.index('size', bySize)
    nodes.index('size', bySize)
    api.put(kinds.Node, nodeNamed('b', 1))
    await clock.settle()
    expect(nodes.by('size', '1').map((node) => node.metadata.name)).toEqual(['a', 'b'])
    api.put(kinds.Node, nodeNamed('a', 2))
    api.remove(kinds.Node, { name: 'b' })
    await clock.settle()
    expect(nodes.by('size', '1')).toEqual([])
    expect(nodes.by('size', '2')).toHaveLength(1)
    expect(() => nodes.by('colour', 'red')).toThrow('no index colour')
  })

  test('restarts seconds after an unexpected error', async () => {
    const random = new SeededRandom(1)
    const { api, clock, logger, nodes, start } = fixture(undefined, random)
    api.put(kinds.Node, nodeNamed('a'))
    api.failures.push(unreachableError())
    // The error is thrown in the code that handles errors.
    const next = vi.spyOn(random, 'next').mockImplementationOnce(() => {
      throw new Error('no chance')
    })
    start()
    await clock.advance(10_000)
    expect(next).toHaveBeenCalled()
    expect(logger.messages('error')).toEqual(['informer ended, restarting'])
    expect(nodes.get('a')).toBeDefined()
    api.put(kinds.Node, nodeNamed('b'))
    await clock.settle()
    expect(nodes.get('b')).toBeDefined()
  })

  test('updates the objects and calls the other listeners even if one listener throws', async () => {
    const { api, clock, logger, nodes, start } = fixture()
    const heard: string[] = []
    nodes.onChange(() => {
      throw new Error('broken listener')
    })
    nodes.onChange(({ after }) => heard.push(after?.metadata.name ?? 'gone'))
    api.put(kinds.Node, nodeNamed('a'))
    start()
    await clock.settle()
    expect(heard).toEqual(['a'])
    expect(logger.messages('error')).toEqual(['listener failed'])
  })

  test('calls a listener for existing objects when it registers, and not after it unregisters', async () => {
    const { api, clock, nodes, start } = fixture()
    api.put(kinds.Node, nodeNamed('a'))
    start()
    await clock.settle()
    const heard: string[] = []
    const leave = nodes.onChange(({ after }) => heard.push(after?.metadata.name ?? 'gone'))
    leave()
    api.put(kinds.Node, nodeNamed('b'))
    await clock.settle()
    expect(heard).toEqual(['a'])
  })

  test('resumes a lost watch from its last resource version, without a new list', async () => {
    const { api, clock, nodes, start } = fixture()
    start()
    await clock.settle()
    api.bookmark()
    await clock.settle()
    api.dropWatches(unreachableError())
    api.put(kinds.Node, nodeNamed('while-away'))
    await clock.advance(5_000)
    expect(nodes.get('while-away')).toBeDefined()
    expect(api.calls.filter((call) => call === 'list Node')).toHaveLength(1)
  })

  test('needs no new list after a compaction before the last bookmark, because a watch resumes from the bookmark', async () => {
    const { api, clock, start } = fixture()
    start()
    await clock.settle()
    api.put(kinds.Pod, pod('p', { namespace: 'x', spec: { containers: [] } }))
    api.bookmark()
    await clock.settle()
    api.compact()
    api.dropWatches()
    await clock.advance(5_000)
    expect(api.calls.filter((call) => call === 'list Node')).toHaveLength(1)
    expect(api.watchers).toBe(1)
  })

  test('lists again if its version has expired, and reports a re-created object as a deletion and a creation', async () => {
    const { api, clock, nodes, start } = fixture()
    api.put(kinds.Node, nodeNamed('reborn'))
    api.put(kinds.Node, nodeNamed('gone'))
    start()
    await clock.settle()
    const changes: Change<Node>[] = []
    nodes.onChange((change) => changes.push(change))
    changes.length = 0
    api.lagging = true
    api.remove(kinds.Node, { name: 'reborn' })
    api.put(kinds.Node, nodeNamed('reborn'))
    api.remove(kinds.Node, { name: 'gone' })
    api.compact()
    api.dropWatches()
    api.lagging = false
    await clock.advance(60_000)
    expect(changes.map(({ before, after }) => [before?.metadata.uid, after?.metadata.uid])).toEqual([
      ['uid-1', undefined],
      [undefined, 'uid-3'],
      ['uid-2', undefined],
    ])
  })

  test('lists again after a line that cannot be parsed, because its event is lost', async () => {
    const { api, clock, nodes, start } = fixture()
    start()
    await clock.settle()
    api.lagging = true
    api.put(kinds.Node, nodeNamed('lost'))
    api.dropWatches(malformed())
    api.lagging = false
    await clock.advance(10_000)
    expect(nodes.get('lost')).toBeDefined()
    expect(api.calls.filter((call) => call === 'list Node')).toHaveLength(2)
  })

  test('does not return to older objects after a list from a server that lags behind', async () => {
    const { api, clock, nodes, start } = fixture()
    api.put(kinds.Node, nodeNamed('a'))
    start()
    await clock.settle()
    let least = nodes.size
    nodes.onChange(() => {
      least = Math.min(least, nodes.size)
    })
    api.staleLists = 2
    api.dropWatches(malformed())
    await clock.advance(60_000)
    expect(api.calls.filter((call) => call === 'list Node')).toHaveLength(4)
    expect(least).toBe(1)
  })

  test('accepts older objects if the server stays behind, because it was restored from a backup', async () => {
    const { api, clock, logger, nodes, start } = fixture()
    api.put(kinds.Node, nodeNamed('a'))
    start()
    await clock.settle()
    const sizes: number[] = []
    nodes.onChange(() => sizes.push(nodes.size))
    api.staleLists = 4
    api.dropWatches(malformed())
    await clock.advance(60_000)
    // The accepted list is empty, like the older state. The watch then adds the object again.
    expect(sizes).toEqual([1, 0, 1])
    expect(logger.messages('warn')).toEqual([
      'the resource version of the API server went backwards; using its older state',
    ])
  })

  test('lists without pages if a page token has expired', async () => {
    const { api, clock, nodes, start } = fixture(2)
    for (let index = 0; index < 6; index++) api.put(kinds.Node, nodeNamed(`n${index}`))
    let pages = 0
    api.before = (call) => {
      if (call === 'list Node' && ++pages === 2) api.compact()
    }
    start()
    await clock.advance(10_000)
    expect(nodes.hasSynced).toBe(true)
    expect(nodes.size).toBe(6)
    expect(pages).toBe(3)
  })

  test('closes a stalled watch and resumes it', async () => {
    const { api, clock, nodes, start } = fixture()
    start()
    await clock.settle()
    api.lagging = true
    api.put(kinds.Node, nodeNamed('unseen'))
    await clock.advance(300_000)
    expect(nodes.size).toBe(0)
    api.lagging = false
    await clock.advance(400_000)
    expect(nodes.size).toBe(1)
    expect(api.watchers).toBe(1)
  })

  test('backs off while the server is unavailable, and logs it if that lasts', async () => {
    const { api, clock, logger, nodes, start } = fixture()
    api.before = () => {
      throw unreachableError()
    }
    start()
    await clock.advance(600_000)
    expect(api.calls.length).toBeLessThan(30)
    expect(logger.messages('error')[0]).toBe('list or watch keeps failing')
    api.before = () => {}
    await clock.advance(61_000)
    expect(nodes.hasSynced).toBe(true)
  })

  test('pauses between watches if the server ends each watch at once', async () => {
    const { api, clock, start } = fixture()
    start()
    await clock.settle()
    for (let second = 0; second < 120; second++) {
      api.dropWatches()
      await clock.advance(100)
      api.dropWatches()
      await clock.advance(900)
    }
    expect(api.calls.length).toBeLessThan(40)
  })

  test('stops on its signal, and the wait for the first list can be aborted', async () => {
    const { api, clock, informers, stop, start } = fixture()
    api.failures.push(...Array.from({ length: 5 }, unreachableError))
    expect(informers.check()).toBeUndefined()
    start()
    const timeout = new AbortController()
    const waiting = expect(informers.allSynced(timeout.signal)).rejects.toThrow('enough')
    await clock.settle()
    expect(informers.unsynced()).toEqual(['v1/Node'])
    expect(informers.check()).toBe('waiting for the first list of v1/Node')
    timeout.abort(new Error('enough'))
    await waiting
    stop.abort()
    await informers.stopped()
    expect(clock.pending).toBe(0)
  })
})

type Step =
  | { readonly do: 'put' | 'remove' | 'recreate'; readonly name: string; readonly size: number }
  | { readonly do: 'drop' | 'break' | 'garble' | 'compact' | 'lag' | 'deliver' | 'duplicate' | 'bookmark' }
  | { readonly do: 'fail'; readonly times: number }
  | { readonly do: 'wait'; readonly duration: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('put', 'remove', 'recreate'),
      name: fc.constantFrom('a', 'b', 'c', 'd'),
      size: fc.nat(9),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('drop', 'break', 'garble', 'compact', 'lag', 'deliver', 'duplicate', 'bookmark'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('fail' as const), times: fc.nat(4) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), duration: fc.nat(40_000) }) },
) as fc.Arbitrary<Step>

test('after any sequence of faults, the informer has the server’s objects, and listeners were called for every change', async () => {
  const apply = async (w: ReturnType<typeof fixture>, s: Step): Promise<void> => {
    const { api, clock } = w
    switch (s.do) {
      case 'put':
        api.put(kinds.Node, nodeNamed(s.name, s.size))
        return
      case 'remove':
      case 'recreate':
        if (!api.objects(kinds.Node).some((node) => node.metadata.name === s.name)) return
        api.remove(kinds.Node, { name: s.name })
        if (s.do === 'recreate') api.put(kinds.Node, nodeNamed(s.name, s.size))
        return
      case 'drop':
        return api.dropWatches()
      case 'break':
        return api.dropWatches(unreachableError())
      case 'garble':
        return api.dropWatches(malformed())
      case 'compact':
        return api.compact()
      case 'lag':
        api.lagging = true
        return
      case 'deliver':
        return api.deliver()
      case 'duplicate':
        api.duplicates = !api.duplicates
        return
      case 'bookmark':
        return api.bookmark()
      case 'fail':
        for (let time = 0; time < s.times; time++) api.failures.push(unreachableError())
        return
      case 'wait':
        await clock.advance(s.duration)
        return
      default:
        s satisfies never
    }
  }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
      const w = fixture(2)
      const reported = new Map<string, Node>()
      w.nodes.onChange(({ before, after }) => {
        const name = (after ?? before)?.metadata.name ?? ''
        expect(reported.get(name)).toBe(before)
        if (before !== undefined && after !== undefined) {
          expect(after.metadata.uid).toBe(before.metadata.uid)
          const [was = '', is = ''] = [before.metadata.resourceVersion, after.metadata.resourceVersion]
          expect(compareResourceVersions(was, is)).toBeLessThan(0)
        }
        if (after === undefined) reported.delete(name)
        else reported.set(name, after)
      })
      w.nodes.index('size', (node) => [node.metadata.labels?.['size'] ?? ''])
      w.start()
      for (const s of steps) await apply(w, s)
      w.api.failures.length = 0
      w.api.deliver()
      await w.clock.advance(120_000)
      expect(objectVersions(w.nodes.values())).toEqual(objectVersions(w.api.objects(kinds.Node)))
      expect(objectVersions(reported.values())).toEqual(objectVersions(w.nodes.values()))
      const indexed = Array.from({ length: 10 }, (_, size) => w.nodes.by('size', String(size))).flat()
      expect(objectVersions(indexed)).toEqual(objectVersions(w.nodes.values()))
      expect(w.logger.messages('error').filter((message) => message === 'listener failed')).toEqual([])
      w.stop.abort()
      await w.informers.stopped()
      expect(w.clock.pending).toBe(0)
    }),
    { numRuns: 150, interruptAfterTimeLimit: 20_000 },
  )
})

test('the stored Node has everything except the list of its images', () => {
  const status = { capacity: { cpu: '4' }, conditions: [], images: [{ names: ['app'], sizeBytes: 1 }] }
  const whole = { ...node('a'), status }
  const { images: _images, ...rest } = status
  expect(leanNode(whole)).toEqual({ ...whole, status: rest })
  expect(whole.status.images).toHaveLength(1)
  const { status: _status, ...bare } = node('b')
  expect(leanNode(bare)).toEqual(bare)
})
