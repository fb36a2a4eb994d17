import type { Pod } from '@kerf/apis'
import type { ClusterSnapshot } from '@kerf/engine'
import { propertyRuns } from '@kerf/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { schedule } from '../../../packages/engine/src/testing/core-labels.ts'
import { claim, claiming, device, devices, deviceType, GPU, onNode, request, slice } from './devices.ts'
import { harness } from './harness.ts'
import { type } from './instance-types.ts'
import { pod } from './objects.ts'

const junk = fc.oneof(
  fc.constant(null),
  fc.constant(undefined),
  fc.constant('x'),
  fc.constant(7),
  fc.constant(-1),
  fc.constant([]),
  fc.constant([null]),
  fc.constant({}),
  fc.constant([{}]),
  fc.constant(true),
)

/** Returns the paths to all values that are nested in a value. */
const parsePlaces = (value: unknown, path: readonly string[] = []): readonly (readonly string[])[] => {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, inner]) => parsePlaces(inner, [...path, key]))]
}

const replaced = (value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown => {
  if (key === undefined) return by
  if (Array.isArray(value))
    return value.map((inner, index) => (String(index) === key ? replaced(inner, rest, by) : inner))
  return { ...(value as object), [key]: replaced((value as Readonly<Record<string, unknown>>)[key], rest, by) }
}

const rich = harness()
  .only({
    types: [
      type('plain', { price: 0.1 }),
      deviceType(
        'm',
        [
          device('gpu-0', { is: { root: 'a' }, capacity: { memory: '10Gi' }, shared: true }),
          device('gpu-1', { uses: { s: { c: '1' } }, more: { taints: [{ key: 'k', effect: 'NoSchedule' }] } }),
        ],
        { deviceCounters: [{ name: 's', counters: { c: { value: '2' } } }] },
      ),
    ],
  })
  .node('n')
  .devices({
    deviceClasses: [GPU],
    resourceSlices: [slice(devices(2), { node: 'n' }), slice(devices(1), { zones: [['test-zone-1']] })],
    resourceClaims: [
      claim('a', [request('r', { count: 2, where: ['true'], capacity: { memory: '1Gi' } })], {
        constraints: [{ matchAttribute: 'gpu.example.com/root', requests: ['r'] }],
      }),
      claim('b', [{ name: 'r', firstAvailable: [{ name: 'w', deviceClassName: 'gpu' }] }]),
      claim('held', [request('r')], {
        holds: ['gpu.example.com/n/gpu-0'],
        at: onNode('n'),
        for: ['x'],
        consumed: { m: '1' },
      }),
    ],
  })

const pods: readonly Pod[] = [
  pod('a', claiming('a')),
  pod('b', claiming('b', 'held')),
  pod('t', { spec: { resourceClaims: [{ name: 'g', resourceClaimTemplateName: 't' }] } }),
  pod('plain', { cpu: '1' }),
]

test('if any value has the wrong type, the engine still returns a plan, and the other pods are planned', () => {
  const { resourceSlices, resourceClaims, deviceClasses } = rich.snapshot
  const parts = { resourceSlices, resourceClaims, deviceClasses }
  const places = parsePlaces(parts).filter(({ length }) => length > 2)
  fc.assert(
    fc.property(fc.constantFrom(...places), junk, (place, by) => {
      const snapshot = { ...rich.snapshot, ...(replaced(parts, place, by) as Partial<ClusterSnapshot>) }
      const plan = schedule(snapshot, pods, { ignoreDraRequests: false })
      const left = plan.unschedulable.map((each) => each.pod.metadata.name)
      expect(left).not.toContain('plain')
    }),
    { numRuns: propertyRuns(1_500) },
  )
})

test('a pod whose claims are not a list, or not claims, does not prevent a plan either', () => {
  const specs = parsePlaces(pods).filter(({ length }) => length > 2)
  fc.assert(
    fc.property(fc.constantFrom(...specs), junk, (place, by) => {
      const batch = replaced(pods, place, by) as readonly Pod[]
      const plan = schedule(rich.snapshot, batch, { ignoreDraRequests: false })
      expect(plan.unschedulable.length + plan.claims.flatMap((each) => each.pods).length).toBeLessThanOrEqual(4)
    }),
    { numRuns: propertyRuns(500) },
  )
})
