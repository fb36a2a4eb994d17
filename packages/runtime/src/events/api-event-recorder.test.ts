import { kinds, type Node } from '@kerf/apis'
import { node as buildNode } from '@kerf/testing'
import { describe, expect, test, vi } from 'vitest'
import { ApiError } from '../kube-client/api-error.ts'
import { SeededRandom } from '../random/seeded-random.ts'
import { unreachableError } from '../testing/fake-api.ts'
import { ApiEventRecorder } from './api-event-recorder.ts'
import type { RecordedEvent } from './event-recorder.ts'
import { failed, fixture, pod } from './testing/recorder-fixture.ts'

const node: Node = buildNode('n')

const nominated = (name: string): RecordedEvent => ({
  object: pod(name),
  type: 'Normal',
  reason: 'Nominated',
  message: `Pod should schedule on: nodeclaim/${name}`,
  dedupeValues: [`uid-${name}`],
  rateLimit: { bucket: 'nominated', qps: 5, burst: 10 },
})
describe('the Event recorder', () => {
  test('writes an Event into the namespace of its object, or into `default` for a cluster-scoped object', async () => {
    const { clock, recorder, written } = fixture()
    recorder.publish(failed('cart', 'no room'))
    recorder.publish({ object: node, type: 'Normal', reason: 'Disrupted', message: 'bye' })
    await clock.settle()
    const [first, second] = written()
    expect(first).toMatchObject({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { namespace: 'shop', name: expect.stringMatching(/^cart\.[0-9a-f]{16}$/) },
      involvedObject: {
        apiVersion: 'v1',
        kind: 'Pod',
        namespace: 'shop',
        name: 'cart',
        uid: 'uid-cart',
        resourceVersion: '5',
      },
      source: { component: 'karpenter' },
      type: 'Warning',
      reason: 'FailedScheduling',
      message: 'no room',
      count: 1,
      firstTimestamp: '2026-01-01T00:00:00Z',
    })
    expect(second?.metadata.namespace).toBe('default')
  })

  test('writes the other Events after an unexpected error', async () => {
    const random = new SeededRandom(1)
    const { api, clock, logger, recorder, written } = fixture(random)
    api.failures.push(unreachableError())
    // The error is thrown in the code that handles failed writes.
    vi.spyOn(random, 'next').mockImplementation(() => {
      throw new Error('no chance')
    })
    vi.spyOn(random, 'text').mockReturnValue('0123456789abcdef')
    recorder.publish(failed('cart', 'no room'))
    recorder.publish(failed('shelf', 'no room'))
    await clock.advance(60_000)
    recorder.publish(failed('till', 'no room'))
    await clock.settle()
    expect(written().map(({ involvedObject }) => involvedObject.name)).toEqual(['shelf', 'till'])
    expect(logger.lines.map(({ fields }) => String(fields?.['error']))).toEqual(['Error: no chance'])
  })

  test('drops equal Events within two minutes, unless the Event sets another time', async () => {
    const { clock, recorder, written } = fixture()
    const count = async (): Promise<number> => {
      await clock.settle()
      return written().reduce((sum, event) => sum + (event.count ?? 0), 0)
    }
    recorder.publish(failed('cart', 'one', ['x']))
    recorder.publish(failed('cart', 'two', ['x']))
    expect(await count()).toBe(1)
    await clock.advance(119_999)
    recorder.publish(failed('cart', 'within', ['x']))
    expect(await count()).toBe(1)
    await clock.advance(1)
    recorder.publish({ ...failed('cart', 'three', ['x']), dedupeFor: 300_000 })
    expect(await count()).toBe(2)
    await clock.advance(200_000)
    recorder.publish(failed('cart', 'four', ['x']))
    expect(await count()).toBe(2)
  })

  test('compares the reasons of Events, but not the involved objects', async () => {
    const { clock, recorder, written } = fixture()
    recorder.publish(failed('a', 'm', ['x']))
    recorder.publish(failed('b', 'm', ['x']))
    recorder.publish({ ...failed('b', 'm', ['x']), reason: 'Other' })
    await clock.settle()
    expect(written().map((event) => event.reason)).toEqual(['FailedScheduling', 'Other'])
  })

  test('counts repetitions on one Event and drops nothing if there are no dedupe values', async () => {
    const { clock, recorder, written } = fixture()
    for (let time = 0; time < 3; time++) {
      recorder.publish(failed('cart', 'no room'))
      await clock.advance(10_000)
    }
    expect(written()).toHaveLength(1)
    expect(written()[0]).toMatchObject({ count: 3, lastTimestamp: '2026-01-01T00:00:20Z' })
  })

  test('creates a new Event if the one that counts repetitions was deleted', async () => {
    const { api, clock, recorder, written } = fixture()
    recorder.publish(failed('cart', 'no room'))
    await clock.settle()
    api.remove(kinds.Event, { namespace: 'shop', name: written()[0]?.metadata.name ?? '' })
    recorder.publish(failed('cart', 'no room'))
    await clock.settle()
    expect(written().map((event) => event.count)).toEqual([1])
  })

  test('shares one token bucket among all Events that name it, and uses it after deduplication', async () => {
    const { clock, recorder, written } = fixture()
    for (let index = 0; index < 30; index++) recorder.publish(nominated(`p${index}`))
    await clock.settle()
    expect(written()).toHaveLength(10)
    await clock.advance(1_000)
    for (let index = 30; index < 60; index++) recorder.publish(nominated(`p${index}`))
    await clock.settle()
    expect(written()).toHaveLength(15)
    // The bucket dropped p20, but deduplication treats p20 as published.
    await clock.advance(10_000)
    recorder.publish(nominated('p20'))
    await clock.settle()
    expect(written()).toHaveLength(15)
  })

  test('limits the rate of Events about one object', async () => {
    const { clock, recorder, written } = fixture()
    for (let index = 0; index < 100; index++) recorder.publish(failed('cart', `message ${index}`))
    await clock.settle()
    expect(written()).toHaveLength(25)
  })

  test('retries while the server is unavailable, and does not block the caller', async () => {
    const { api, clock, recorder, written } = fixture()
    api.failures.push(unreachableError(), unreachableError())
    recorder.publish(failed('cart', 'no room'))
    await clock.settle()
    expect(written()).toHaveLength(0)
    await clock.advance(10_000)
    expect(written()).toHaveLength(1)
  })

  test('retries an Event that an overloaded server rejects (429)', async () => {
    const { api, clock, recorder, written } = fixture()
    api.failures.push(new ApiError({ code: 429, reason: 'TooManyRequests', message: 'busy' }))
    recorder.publish(failed('cart', 'no room'))
    await clock.settle()
    expect(written()).toHaveLength(0)
    await clock.advance(10_000)
    expect(written()).toHaveLength(1)
  })

  test('drops an Event that the server refuses, and continues with the next', async () => {
    const { api, clock, logger, recorder, written } = fixture()
    const details = { causes: [{ reason: 'Other' }, { reason: 'NamespaceTerminating' }] }
    api.failures.push(
      new ApiError({ code: 403, reason: 'Forbidden', message: 'namespace is being terminated', details }),
    )
    recorder.publish(failed('a', 'm'))
    recorder.publish(failed('b', 'm'))
    await clock.settle()
    expect(written().map((event) => event.involvedObject.name)).toEqual(['b'])
    expect(logger.messages()).toEqual(['event not written'])
    expect(logger.lines[0]?.level).toBe('debug')
  })

  test('logs once that the server refuses Events, still tries and counts each of them, and logs again after a success', async () => {
    const { api, clock, logger, metrics, recorder, written } = fixture()
    const refusal = new ApiError({ code: 403, reason: 'Forbidden', message: 'events is forbidden' })
    api.failures.push(refusal, refusal, refusal)
    for (const name of ['a', 'b', 'c', 'd']) recorder.publish(failed(name, 'm'))
    await clock.settle()
    expect(written().map((event) => event.involvedObject.name)).toEqual(['d'])
    expect(logger.lines.filter(({ level }) => level === 'warn')).toMatchObject([
      { message: expect.stringContaining('Server rejected event'), fields: { error: refusal } },
    ])
    expect(await metrics.text()).toContain('kerf_events_not_written_total{code="403"} 3')
    api.failures.push(refusal)
    recorder.publish(failed('e', 'm'))
    await clock.settle()
    expect(logger.messages('warn')).toHaveLength(2)
  })

  test('logs each cause of a refusal, and counts an Event without a response under code 0', async () => {
    const { api, clock, logger, metrics, recorder } = fixture()
    for (const reason of ['Forbidden', 'Invalid']) api.failures.push(new ApiError({ code: 403, reason, message: 'no' }))
    api.failures.push(...Array.from({ length: 4 }, unreachableError))
    for (const name of ['a', 'b', 'c']) recorder.publish(failed(name, 'm'))
    await clock.advance(60_000)
    expect(logger.messages('warn')).toHaveLength(2)
    expect(await metrics.text()).toContain('kerf_events_not_written_total{code="0"} 1')
    // A write that is not sent, because Kerf lost its Lease, has no response either.
    api.failures.push(...Array.from({ length: 4 }, () => new Error('lost the lease')))
    recorder.publish(failed('d', 'm'))
    await clock.advance(60_000)
    expect(logger.messages().filter((message) => message === 'event not written')).toHaveLength(2)
    expect(await metrics.text()).toContain('kerf_events_not_written_total{code="0"} 2')
  })

  test('warns of a refusal whose causes do not include a terminating namespace', async () => {
    const { api, clock, logger, recorder } = fixture()
    const details = { causes: [{ reason: 'Other' }] }
    api.failures.push(new ApiError({ code: 403, reason: 'Forbidden', message: 'no', details }))
    recorder.publish(failed('cart', 'm'))
    await clock.settle()
    expect(logger.messages('warn')).toHaveLength(1)
  })

  test('works without metrics', async () => {
    const { api, clock, logger, random, written } = fixture()
    const recorder = new ApiEventRecorder({ client: api, clock, random, logger })
    api.failures.push(new ApiError({ code: 403, reason: 'Forbidden', message: 'no' }))
    for (const name of ['a', 'b']) recorder.publish(failed(name, 'm'))
    await clock.settle()
    expect(written().map(({ involvedObject }) => involvedObject.name)).toEqual(['b'])
    expect(logger.messages()).toEqual([expect.stringContaining('Server rejected event')])
  })

  test('does not count the Events that it drops because it is closed', async () => {
    const { api, clock, logger, metrics, recorder } = fixture()
    api.failures.push(unreachableError(), unreachableError())
    recorder.publish(failed('a', 'm'))
    const closed = recorder.close(500)
    await clock.advance(60_000)
    await closed
    expect([api.failures, logger.lines]).toEqual([[unreachableError()], []])
    expect(await metrics.text()).not.toContain('kerf_events_not_written_total{')
  })

  test('waits a limited time for pending Events when it is closed, and drops later ones', async () => {
    const { api, clock, recorder, written } = fixture()
    api.before = () => new Promise((resolve) => clock.timer(500, resolve))
    recorder.publish(failed('a', 'm'))
    recorder.publish(failed('b', 'm'))
    const closed = recorder.close(2_000)
    await clock.advance(1_000)
    await closed
    recorder.publish(failed('c', 'm'))
    await clock.advance(10_000)
    expect(written().map((event) => event.involvedObject.name)).toEqual(['a', 'b'])
    expect(clock.pending).toBe(0)
  })

  test('does not wait forever when it is closed', async () => {
    const { api, clock, recorder } = fixture()
    api.before = () => new Promise(() => {})
    recorder.publish(failed('a', 'm'))
    let closed = false
    void recorder.close(2_000).then(() => {
      closed = true
    })
    await clock.advance(2_000)
    expect(closed).toBe(true)
  })
})
