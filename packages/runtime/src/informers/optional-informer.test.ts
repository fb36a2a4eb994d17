import { kinds } from '@kerf/apis'
import { pod } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { VirtualClock } from '../clock/virtual-clock.ts'
import { ApiError } from '../kube-client/api-error.ts'
import { RecordingLogger } from '../logging/recording-logger.ts'
import { SeededRandom } from '../random/seeded-random.ts'
import { FakeApi, unreachableError } from '../testing/fake-api.ts'
import { SharedInformers } from './shared-informers.ts'

const fixture = () => {
  const api = new FakeApi()
  const clock = new VirtualClock()
  const logger = new RecordingLogger()
  const informers = new SharedInformers({ client: api, clock, logger, random: new SeededRandom(1) })
  informers.of(kinds.Node)
  return { api, clock, logger, informers, start: () => informers.start(new AbortController().signal) }
}

describe('an informer of an optional kind', () => {
  test('does not delay readiness, logs a refusal once, and lists as soon as it has the permission', async () => {
    const { api, clock, informers, logger, start } = fixture()
    const pods = informers.optional(kinds.Pod)
    const refusals: boolean[] = []
    pods.onRefusal(() => refusals.push(pods.isRefused))
    api.before = (call) => {
      if (call.endsWith('Pod')) throw new ApiError({ code: 403, reason: 'Forbidden', message: 'cannot list pods' })
    }
    start()
    await clock.settle()
    await informers.allSynced()
    expect(informers.check()).toBeUndefined()
    await clock.advance(3_600_000)
    expect(logger.messages('error')).toEqual([])
    expect(logger.messages('warn')).toEqual([
      'cannot list and watch pods; features that use them are limited until list and watch are granted',
    ])
    expect(api.calls.filter((call) => call === 'list Pod').length).toBeLessThan(25)
    // In the second half, only the permission to watch is missing.
    api.before = (call) => {
      if (call === 'watch Pod') throw new ApiError({ code: 403, reason: 'Forbidden', message: 'cannot watch pods' })
    }
    await clock.advance(3_600_000)
    expect(pods.hasSynced).toBe(true)
    expect(logger.messages('warn')).toHaveLength(1)
    expect(refusals).toEqual([true])
    api.before = () => {}
    await clock.advance(310_000)
    expect(refusals).toEqual([true, false])
    api.put(kinds.Pod, pod('late', { spec: { containers: [] } }))
    await clock.settle()
    expect(pods.get('default/late')).toBeDefined()
  })

  test('does not delay readiness if the kind is not installed, says so once, and lists it within a minute of its installation', async () => {
    const { api, clock, informers, logger, start } = fixture()
    const pods = informers.optional(kinds.Pod)
    const changes: boolean[] = []
    pods.onRefusal(() => changes.push(pods.isRefused))
    api.before = (call) => {
      if (call.endsWith('Pod')) throw new ApiError({ code: 404, reason: 'NotFound', message: 'page not found' })
    }
    start()
    await clock.advance(600_000)
    expect([informers.check(), pods.hasSynced, pods.isRefused]).toEqual([undefined, false, true])
    expect(logger.messages('error')).toEqual([])
    expect(logger.messages('info').filter((line) => line.includes('not installed'))).toEqual([
      'pods is not installed; Kerf works as if there were no Pod',
    ])
    expect(api.calls.filter((call) => call === 'list Pod').length).toBeLessThan(12)
    api.before = () => {}
    api.put(kinds.Pod, pod('late', { spec: { containers: [] } }))
    await clock.advance(61_000)
    expect(pods.get('default/late')).toBeDefined()
    expect(changes).toEqual([true, false])
  })

  test('has no objects after the kind was uninstalled, and listeners get their deletions', async () => {
    const { api, clock, informers, start } = fixture()
    const pods = informers.optional(kinds.Pod)
    const deleted: (string | undefined)[] = []
    pods.onChange(({ before, after }) => {
      if (after === undefined) deleted.push(before?.metadata.name)
    })
    api.put(kinds.Pod, pod('a', { spec: { containers: [] } }))
    start()
    await clock.settle()
    expect(pods.get('default/a')).toBeDefined()
    api.before = (call) => {
      if (call.endsWith('Pod')) throw new ApiError({ code: 404, reason: 'NotFound', message: 'page not found' })
    }
    api.dropWatches()
    await clock.advance(600_000)
    expect([pods.get('default/a'), deleted, pods.isRefused]).toEqual([undefined, ['a'], true])
  })

  test('becomes required as soon as a caller requires it, and an outage is then reported as for any other kind', async () => {
    const { api, clock, informers, logger, start } = fixture()
    informers.optional(kinds.Pod)
    api.before = (call) => {
      if (call.endsWith('Pod')) throw unreachableError()
    }
    start()
    await clock.advance(600_000)
    expect(logger.messages('error')[0]).toBe('list or watch keeps failing')
    expect(informers.unsynced()).toEqual([])
    informers.of(kinds.Pod)
    informers.optional(kinds.Pod)
    expect(informers.unsynced()).toEqual(['v1/Pod'])
  })
})
