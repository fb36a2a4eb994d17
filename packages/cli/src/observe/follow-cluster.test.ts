import { ApiError, type KubeClient, SeededRandom, VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { followCluster } from './follow-cluster.ts'
import { ObservedFacts } from './observed-facts.ts'

/**
 * Follows a cluster whose server responds to every list with an error. Returns the error that ends the command within ten minutes, if
 * any.
 */
const ended = async (error: ApiError): Promise<unknown> => {
  const clock = new VirtualClock()
  const refuse = async (): Promise<never> => {
    throw error
  }
  const client = { list: refuse } as Partial<KubeClient> as KubeClient
  let end: unknown
  const stop = new AbortController()
  const following = followCluster(
    { client, clock, random: new SeededRandom(1), server: 'here' } as Parameters<typeof followCluster>[0],
    new ObservedFacts(),
    3_600_000,
    stop.signal,
  ).catch((thrown: unknown) => {
    end = thrown
  })
  for (let second = 0; second < 600 && end === undefined; second++) await clock.advance(1_000)
  stop.abort()
  await following
  return end
}

test('expired credentials end the command; temporary errors do not', async () => {
  const unauthorized = new ApiError({ code: 401, reason: 'Unauthorized', message: 'log in again' })
  expect(await ended(unauthorized)).toBe(unauthorized)
  expect(await ended(new ApiError({ code: 503, reason: 'ServiceUnavailable', message: 'later' }))).toBeUndefined()
})
