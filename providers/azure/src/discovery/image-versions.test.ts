import { VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { ImageVersions } from './image-versions.ts'

// See `providers/azure/docs/spec/azure.md#image-families-and-versions`.

const DAYS = 24 * 3_600_000
const never = new AbortController().signal
const question = { imageFamily: 'Ubuntu2204', fips: false, trustedLaunch: false } as const

test('a definition that is missing in an answer keeps its version for a week; one that never had a version is left out', async () => {
  const clock = new VirtualClock()
  let listed = ['2204gen2containerd', '2204containerd']
  const api = {
    communityImageVersions: async (_: string, name: string) =>
      listed.includes(name) ? [{ name: '202602.02.0', publishedDate: '2026-02-02T00:00:00Z' }] : [],
    nodeImageVersions: async () => [],
  }
  const images = new ImageVersions(api, clock, { useSIG: false, sigSubscriptionID: '' })
  const names = async () => (await images.find(question, '1.33.5', never)).map(({ definition }) => definition.name)
  const known = [...listed]
  expect(await names()).toEqual(known)
  listed = known.slice(0, 1)
  for (const days of [4, 3.5]) {
    expect(await names()).toEqual(known)
    await clock.advance(days * DAYS)
  }
  expect(await names()).toEqual(listed)
})
