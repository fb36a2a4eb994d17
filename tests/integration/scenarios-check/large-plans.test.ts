import type { Pod } from '@kerf/apis'
import type { ClusterSnapshot, Plan, PlannedClaim } from '@kerf/engine'
import { SeededRandom } from '@kerf/runtime'
import { describe, expect, test } from 'vitest'
import {
  CAPACITY_TYPE,
  cluster,
  HOST,
  instanceType,
  pod,
  ZONE,
} from '../../../packages/engine/src/testing/cluster-builders.ts'
import { schedule } from '../../../packages/engine/src/testing/core-labels.ts'
import { lacking, minus, parseAmounts, podRequests, sum } from './amounts.ts'

type Spec = Partial<Pod['spec']>

const ZONES = ['zone-1', 'zone-2', 'zone-3']
const TEAM = 'team'

/** Returns hard constraints that are the same for all pods of an app, so that the order in which pods are placed does not matter. */
const termsOf = (app: string, draw: number): Spec => {
  const labelSelector = { matchLabels: { app } }
  const spread = (topologyKey: string): Spec => ({
    topologySpreadConstraints: [{ maxSkew: 1, topologyKey, whenUnsatisfiable: 'DoNotSchedule', labelSelector }],
  })
  const hard = (topologyKey: string) => ({
    requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector }],
  })
  if (draw < 0.15) return spread(ZONE)
  if (draw < 0.3) return spread(HOST)
  if (draw < 0.45) return { affinity: { podAntiAffinity: hard(HOST) } }
  if (draw < 0.5) return { affinity: { podAffinity: hard(ZONE) } }
  if (draw < 0.55) return { nodeSelector: { [CAPACITY_TYPE]: 'on-demand' } }
  if (draw < 0.6) return { nodeSelector: { [ZONE]: 'zone-2' } }
  if (draw < 0.65) return { tolerations: [{ key: TEAM, operator: 'Exists' }], nodeSelector: { [TEAM]: 'data' } }
  return {}
}

const types = [1, 2, 4, 8, 16, 32].flatMap((cpu) =>
  [2, 4, 8].map((ratio) => instanceType(`t${ratio}-${cpu}`, cpu, `${ratio * cpu}Gi`, cpu * (0.03 + 0.004 * ratio))),
)

/** Returns the given number of pods, from Deployments with different requests and constraints, and two NodePools. One pool is tainted. */
const largeBatch = (
  seed: number,
  count: number,
): { readonly snapshot: ClusterSnapshot; readonly pods: readonly Pod[] } => {
  const random = new SeededRandom(seed)
  const pods: Pod[] = []
  for (let number = 0; pods.length < count; number++) {
    const app = `app${number}`
    const cpu = `${10 * (1 + Math.floor(2 ** (8 * random.next())))}m`
    const memory = `${16 * (1 + Math.floor(2 ** (8 * random.next())))}Mi`
    const spec = termsOf(app, random.next())
    const replicas = 1 + Math.floor(2 ** (6 * random.next()))
    for (let each = 0; each < replicas && pods.length < count; each++)
      pods.push(pod(`${app}-${each}`, { cpu, memory, labels: { app }, spec }))
  }
  const { snapshot } = cluster()
    .pool('general', { types })
    .pool('data', { types, labels: { [TEAM]: 'data' }, taints: [{ key: TEAM, value: 'data', effect: 'NoSchedule' }] })
  return { snapshot, pods }
}

const capacityOf = new Map(
  types.map(({ name, capacity }) => {
    const amounts = Object.fromEntries(
      Object.entries(capacity).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
    )
    return [name, minus(amounts, parseAmounts({ cpu: '100m', memory: '10Mi' }))]
  }),
)

/** Returns the values that a label may have on a NodeClaim. Returns all of `among` if the claim does not restrict it. */
const valuesOf = ({ requirements }: PlannedClaim, label: string, among: readonly string[]): readonly string[] => {
  const own = requirements.filter(({ key }) => key === label)
  return among.filter((value) =>
    own.every(({ operator, values = [] }) => (operator === 'In') === values.includes(value)),
  )
}

const podApp = ({ metadata }: Pod): string => metadata.labels?.['app'] ?? ''
const hostTerm = ({ spec }: Pod): boolean =>
  spec.affinity?.podAntiAffinity !== undefined ||
  spec.topologySpreadConstraints?.some(({ topologyKey }) => topologyKey === HOST) === true
const isSpreadOverZones = ({ spec }: Pod): boolean =>
  spec.topologySpreadConstraints?.some(({ topologyKey }) => topologyKey === ZONE) === true

/** Returns the problems of one node that are visible in the node's own NodeClaim. */
const wrongOnNode = (claim: PlannedClaim): readonly string[] => {
  const wrong: string[] = []
  const wanted = sum(...claim.pods.map(podRequests))
  for (const type of claim.instanceTypes) {
    const short = lacking(wanted, capacityOf.get(type) ?? {})
    if (short.length > 0) wrong.push(`${type} has too little ${short.join()}`)
  }
  const zones = valuesOf(claim, ZONE, ZONES)
  if (!zones.includes(claim.cheapest.zone)) wrong.push(`cheapest in ${claim.cheapest.zone}, which it may not be in`)
  const capacityTypes = valuesOf(claim, CAPACITY_TYPE, ['on-demand', 'spot'])
  const hosts = new Set<string>()
  for (const each of claim.pods) {
    const { nodeSelector = {}, tolerations = [] } = each.spec
    if (nodeSelector[ZONE] !== undefined && zones.join() !== nodeSelector[ZONE]) wrong.push('selects another zone')
    if (nodeSelector[CAPACITY_TYPE] !== undefined && capacityTypes.join() !== nodeSelector[CAPACITY_TYPE])
      wrong.push('selects another capacity type')
    if ((nodeSelector[TEAM] === 'data') !== (claim.nodePool === 'data')) wrong.push('is in the wrong pool')
    if (claim.nodePool === 'data' && tolerations.length === 0) wrong.push('does not tolerate the pool')
    if (!hostTerm(each)) continue
    if (hosts.has(podApp(each))) wrong.push(`two pods of ${podApp(each)} on one host`)
    hosts.add(podApp(each))
  }
  return wrong
}

/** Returns the problems of a plan: missing pods, impossible nodes, and apps in the wrong zones. */
const wrongIn = (plan: Plan, pods: readonly Pod[]): readonly string[] => {
  const placed = plan.claims.flatMap((claim) => claim.pods)
  const wrong = plan.claims.flatMap(wrongOnNode)
  const there = new Set(placed)
  if (there.size !== placed.length) wrong.push('a pod is planned twice')
  if (pods.some((each) => !there.has(each))) wrong.push('a pod is missing')
  const byApp = new Map<string, Map<string, number>>()
  for (const claim of plan.claims) {
    const zones = valuesOf(claim, ZONE, ZONES)
    for (const each of claim.pods) {
      const isNear = each.spec.affinity?.podAffinity !== undefined
      if (!isNear && !isSpreadOverZones(each)) continue
      if (zones.length !== 1) wrong.push(`${podApp(each)} may be in ${zones.join()}`)
      const counts = byApp.get(podApp(each)) ?? new Map<string, number>()
      byApp.set(podApp(each), counts)
      counts.set(zones[0] ?? '', (counts.get(zones[0] ?? '') ?? 0) + 1)
    }
  }
  const sample = new Map(pods.map((each) => [podApp(each), each]))
  for (const [app, counts] of byApp) {
    const own = sample.get(app)
    const numbers = ZONES.map((zone) => counts.get(zone) ?? 0)
    if (own !== undefined && isSpreadOverZones(own)) {
      if (Math.max(...numbers) - Math.min(...numbers) > 1) wrong.push(`${app} is spread ${numbers.join()}`)
    } else if (counts.size > 1) wrong.push(`${app} is in ${counts.size} zones`)
  }
  return wrong
}

describe.each([1, 2, 3])('a large batch of seed %i', (seed) => {
  const { snapshot, pods } = largeBatch(seed, 10_000 + 500 * seed)
  const plan = schedule(snapshot, pods)

  test('is placed completely, and the plan breaks no constraint', () => {
    expect(plan.unschedulable).toEqual([])
    expect(wrongIn(plan, pods).slice(0, 10)).toEqual([])
  })

  test('costs much less than after the first pass alone', () => {
    const first = schedule(snapshot, pods, { planBudget: 0 })
    expect(wrongIn(first, pods).slice(0, 10)).toEqual([])
    expect(plan.hourlyCost).toBeLessThan(first.hourlyCost * 0.95)
  })

  test('has the same plan in any order', () => {
    const again = schedule(snapshot, pods.toReversed())
    expect([again.hourlyCost, again.claims.length]).toEqual([plan.hourlyCost, plan.claims.length])
  })
})
