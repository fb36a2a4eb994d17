import { expect, test } from 'vitest'
import { aboveThreshold, MINUTE } from '../../../tests/benchmarks/call-counts.ts'
import { measureCalls } from './measure.ts'

/** The calls of an idle hour that do not depend on the number of nodes, counted with 0 and 200 nodes. */
const HOURLY: Readonly<Record<string, number>> = {
  ListInstances: 60,
  GetImage: 36,
  ListSubnets: 24,
  ListImages: 12,
  ListNetworkSecurityGroups: 12,
  ListAvailabilityDomains: 12,
  ListShapes: 6,
  ListVnicAttachments: 6,
  ListBootVolumeAttachments: 6,
  ListImageShapeCompatibilityEntries: 3,
}
/** The network interface and the boot volume of each node are read once an hour. */
const EACH_NODE = ['GetVnic', 'GetBootVolume'] as const

const SETTLED = 4
const STEADY = 20
const NODES = 50

test('an idle Kerf makes no call for each node except the hourly comparison, and changes nothing', {
  timeout: 120_000,
}, async () => {
  const measured = await measureCalls(NODES, { settled: SETTLED * MINUTE, steady: STEADY * MINUTE })
  expect(measured.writes).toBe(0)
  for (const name of EACH_NODE) expect(measured.firstMinute[name]).toBe(NODES)
  // A polling period that does not divide the measured time may begin once more in it.
  const limit = (name: string): number => Math.ceil(((HOURLY[name] ?? 0) * STEADY) / 60) + 1
  expect(aboveThreshold(measured.steady, limit)).toEqual([])
})
