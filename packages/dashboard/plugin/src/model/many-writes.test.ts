import { StateNode } from '@kerf/controllers/cluster-view'
import { afterEach, expect, test, vi } from 'vitest'
import { poolCounts } from './cluster-snapshot.ts'
import { refusalKey } from './computed-refusals.ts'
import { forecast } from './forecast.ts'
import { keptEqual } from './kept-equal.ts'
import { driftBlockers } from './object-blockers.ts'
import { pendingGroups } from './pending-groups.ts'
import { isPending, pendingPods } from './pending-pods.ts'
import { nodesByPool } from './price.ts'
import { labelPrices } from './prices.ts'
import { objectName } from './read.ts'
import { claim, node, NOW, pool } from './testing/cluster-objects.ts'

const NODES = 500
const PODS = 5_000
const SECONDS = 20
const PODS_A_SECOND = 10

interface Written {
  readonly metadata: { readonly labels?: object }
}

/** Returns a new version of the object, as the watch sends it after somebody has changed a label. */
const touched = <T extends Written>(object: T, value: number): T => ({
  ...object,
  metadata: {
    ...object.metadata,
    resourceVersion: String(value),
    labels: { ...object.metadata.labels, touched: `${value}` },
  },
})

/** One pod in a hundred is pending. */
const podNumber = (place: number) => ({
  metadata: { name: `pod-${place}`, namespace: 'default', uid: `uid-${place}`, labels: { app: `app-${place % 40}` } },
  spec: { ...(place % 100 === 99 ? {} : { nodeName: `n${place % NODES}` }), containers: [{ name: 'main' }] },
  status: { phase: place % 100 === 99 ? 'Pending' : 'Running' },
})

const replaced = <T>(items: readonly T[], place: number, item: T): readonly T[] => items.with(place, item)

afterEach(() => {
  vi.restoreAllMocks()
})

test('of 500 nodes and 5,000 pods, writes change only the rows of the written objects', () => {
  const pools = [pool()]
  const names = Array.from({ length: NODES }, (_, place) => `n${place}`)
  const nodes = names.map((name) => node(name, 'z1'))
  let claims: readonly ReturnType<typeof claim>[] = names.map((name) => claim(name, 'z1'))
  let pods = Array.from({ length: PODS }, (_, place) => podNumber(place)) as readonly ReturnType<typeof podNumber>[]
  /** What the panels of the overview show. */
  const shown = () => {
    const counts = poolCounts(nodes, claims)
    return {
      counts,
      pools: nodesByPool(claims, labelPrices),
      next: forecast(
        { pools, claims, counts, report: undefined, blockersOf: driftBlockers({ nodes, pods, budgets: [] }) },
        NOW,
      ),
      groups: pendingGroups(pendingPods(pods.filter(isPending), new Map())),
    }
  }
  let before = shown()
  const first = before
  const firstKey = refusalKey({ pods, pools, nodes })
  const joins = vi.spyOn(StateNode.prototype, 'claim', 'set')
  const writtenPending = new Set<string>()
  const changedGroups = new Set<string>()
  for (let second = 0; second < SECONDS; second++) {
    for (let each = 0; each < PODS_A_SECOND; each++) {
      const place = ((second * PODS_A_SECOND + each) * 7) % PODS
      const pod = touched(pods[place] ?? podNumber(place), second)
      if (isPending(pod)) writtenPending.add(objectName(pod))
      pods = replaced(pods, place, pod)
    }
    const written = (second * 7) % NODES
    claims = replaced(claims, written, touched(claims[written] ?? claim('n0', 'z1'), second))
    const now = keptEqual(before, shown())
    for (const [place, group] of now.groups.entries())
      if (group !== before.groups[place]) changedGroups.add(objectName(group.pods[0]?.object))
    before = now
  }
  expect(writtenPending.size).toBeGreaterThan(0)
  expect([...changedGroups].sort()).toEqual([...writtenPending].sort())
  // The other panels get the same objects as before, so React does not render them again.
  expect([before.counts === first.counts, before.pools === first.pools, before.next === first.next]).toEqual([
    true,
    true,
    true,
  ])
  // Only the written claim of each second is joined with its Node again.
  expect(joins).toHaveBeenCalledTimes(SECONDS)
  expect(refusalKey({ pods, pools, nodes })).toBe(firstKey)
})

test('what can change a refusal soon is in the key: a pending pod, the spec of a pool, a node', () => {
  const pools = [{ ...pool(), metadata: { ...pool().metadata, generation: 1 } }]
  const nodes = [node('a', 'z1')]
  const pods = [podNumber(1), podNumber(99)]
  const key = refusalKey({ pods, pools, nodes })
  expect(refusalKey({ pods: [...pods, podNumber(199)], pools, nodes })).not.toBe(key)
  expect(refusalKey({ pods: [podNumber(1)], pools, nodes })).not.toBe(key)
  expect(refusalKey({ pods, pools, nodes: [...nodes, node('b', 'z1')] })).not.toBe(key)
  const edited = [{ ...pool(), metadata: { ...pool().metadata, generation: 2 } }]
  expect(refusalKey({ pods, pools: edited, nodes })).not.toBe(key)
})
