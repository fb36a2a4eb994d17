import type { Pod } from '@kerf/apis'
import { expect, test } from 'vitest'
import { pod } from '../testing/objects.ts'
import { WaitingSpreads } from './waiting-spreads.ts'

const labelled = (app: string, spec: Partial<Pod['spec']> = {}): Pod => {
  const base = pod(`pod-${app}`)
  return { ...base, metadata: { ...base.metadata, labels: { app } }, spec: { ...base.spec, ...spec } }
}
const spread = (whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway'): Partial<Pod['spec']> => ({
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: 'topology.kubernetes.io/zone',
      whenUnsatisfiable,
      labelSelector: { matchLabels: { app: 'web' } },
    },
  ],
})

test('counts what a waiting hard constraint selects, in its namespace, as long as one waits', () => {
  const spreads = new WaitingSpreads()
  const waiting = labelled('web', spread('DoNotSchedule'))
  spreads.change(undefined, waiting)
  expect(spreads.counts(labelled('web'))).toBe(true)
  expect(spreads.counts(labelled('other'))).toBe(false)
  expect(spreads.counts({ ...labelled('web'), metadata: { namespace: 'elsewhere', labels: { app: 'web' } } })).toBe(
    false,
  )
  spreads.change(waiting, { ...waiting, spec: { ...waiting.spec, nodeName: 'node-a' } })
  expect(spreads.counts(labelled('web'))).toBe(false)
})

test('soft constraints only score, and do not count', () => {
  const spreads = new WaitingSpreads()
  spreads.change(undefined, labelled('web', spread('ScheduleAnyway')))
  expect(spreads.counts(labelled('web'))).toBe(false)
})
