import type { Affinity, LabelSelector, Node, Pod, Taint, Toleration, TopologySpreadConstraint } from '@kerf/apis'
import { kinds } from '@kerf/apis'
import { node, pod, propertyRuns } from '@kerf/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { VirtualCluster } from '../testing/virtual-cluster.ts'

/**
 * The expected behaviour, computed with a second, naive implementation of the rules. It was written from the documentation, works on plain
 * lists, and shares no code with the scheduler. It covers only what the generators use: the labels app and tier, the node labels zone, size
 * and hostname, millicores, and one namespace.
 */

const objectLabel = (object: Node | Pod, key: string): string | undefined => object.metadata.labels?.[key]

const picks = (selector: LabelSelector | undefined, pod: Pod): boolean =>
  selector !== undefined &&
  Object.entries(selector.matchLabels ?? {}).every(([key, value]) => objectLabel(pod, key) === value) &&
  (selector.matchExpressions ?? []).every(({ key, operator, values = [] }) => {
    const value = objectLabel(pod, key)
    if (operator === 'Exists') return value !== undefined
    if (operator === 'DoesNotExist') return value === undefined
    const listed = value !== undefined && values.includes(value)
    return operator === 'In' ? listed : !listed
  })

const millicores = (pod: Pod): number =>
  Number.parseInt(String(pod.spec.containers[0]?.resources?.requests?.['cpu']), 10)

const tolerated = (taint: Taint, pod: Pod): boolean =>
  (pod.spec.tolerations ?? []).some(
    (one) =>
      (one.key ?? taint.key) === taint.key &&
      (one.operator === 'Exists' || (one.value ?? '') === (taint.value ?? '')) &&
      (!one.effect || one.effect === taint.effect),
  )

/** Returns whether a taint excludes a pod. A PreferNoSchedule taint excludes no pods, and its node counts for spread constraints. */
const bars = (taint: Taint, pod: Pod): boolean => taint.effect !== 'PreferNoSchedule' && !tolerated(taint, pod)

const acceptsNode = (pod: Pod, node: Node): boolean => {
  const selected = Object.entries(pod.spec.nodeSelector ?? {}).every(([key, value]) => objectLabel(node, key) === value)
  const terms = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms
  const affine =
    terms === undefined ||
    terms.some((term) =>
      (term.matchExpressions ?? []).every(({ key, operator, values = [] }) => {
        const value = objectLabel(node, key)
        if (operator === 'In') return value !== undefined && values.includes(value)
        if (operator === 'NotIn') return value === undefined || !values.includes(value)
        if (operator === 'Gt') return value !== undefined && Number(value) > Number(values[0])
        if (operator === 'Lt') return value !== undefined && Number(value) < Number(values[0])
        return (operator === 'Exists') === (value !== undefined)
      }),
    )
  return selected && affine
}

interface Placed {
  readonly pod: Pod
  readonly node: Node
}

const sameDomain = (a: Node, b: Node, key: string): boolean =>
  objectLabel(a, key) !== undefined && objectLabel(a, key) === objectLabel(b, key)

const spreadHolds = (
  pod: Pod,
  node: Node,
  rule: TopologySpreadConstraint,
  nodes: readonly Node[],
  placed: readonly Placed[],
) => {
  const keys = (pod.spec.topologySpreadConstraints ?? [])
    .filter((one) => one.whenUnsatisfiable === 'DoNotSchedule')
    .map((one) => one.topologyKey)
  const key = rule.topologyKey
  if (objectLabel(node, key) === undefined) return false
  const eligible = nodes.filter(
    (one) =>
      keys.every((needed) => objectLabel(one, needed) !== undefined) &&
      (rule.nodeAffinityPolicy === 'Ignore' || acceptsNode(pod, one)) &&
      (rule.nodeTaintsPolicy !== 'Honor' || !(one.spec.taints ?? []).some((taint) => bars(taint, pod))),
  )
  const counts = new Map<string, number>()
  for (const one of eligible) counts.set(objectLabel(one, key) ?? '', 0)
  for (const { pod: other, node: home } of placed) {
    const domain = objectLabel(home, key) ?? ''
    // A pod that is being deleted counts for affinity until it is gone, but not for spread.
    if (other.metadata.deletionTimestamp !== undefined) continue
    if (eligible.includes(home) && picks(rule.labelSelector, other)) counts.set(domain, (counts.get(domain) ?? 0) + 1)
  }
  const least = counts.size < (rule.minDomains ?? 1) ? 0 : Math.min(...counts.values())
  const self = picks(rule.labelSelector, pod) ? 1 : 0
  return (counts.get(objectLabel(node, key) ?? '') ?? 0) + self - least <= rule.maxSkew
}

/** Returns why the scheduler must not bind the pod to the node in the current state, or `undefined` if it may. */
const objection = (pod: Pod, node: Node, nodes: readonly Node[], placed: readonly Placed[]): string | undefined => {
  const there = placed.filter((one) => one.node === node)
  const used = there.reduce((sum, one) => sum + millicores(one.pod), 0)
  if (used + millicores(pod) > Number(node.status?.allocatable?.['cpu']) * 1000) return 'cpu'
  if (there.length + 1 > Number(node.status?.allocatable?.['pods'])) return 'pods'
  if (node.spec.unschedulable) return 'cordoned'
  if ((node.spec.taints ?? []).some((taint) => bars(taint, pod))) return 'taint'
  if (!acceptsNode(pod, node)) return 'node affinity'
  const ports = (one: Pod) => (one.spec.containers[0]?.ports ?? []).map((port) => port.hostPort)
  if (there.some((one) => ports(one.pod).some((port) => ports(pod).includes(port)))) return 'port'
  const required = (one: Pod, kind: 'podAffinity' | 'podAntiAffinity') =>
    one.spec.affinity?.[kind]?.requiredDuringSchedulingIgnoredDuringExecution ?? []
  for (const term of required(pod, 'podAntiAffinity')) {
    const near = placed.some(
      (one) => picks(term.labelSelector, one.pod) && sameDomain(one.node, node, term.topologyKey),
    )
    if (near) return 'anti-affinity'
  }
  for (const one of placed) {
    const averse = required(one.pod, 'podAntiAffinity').some(
      (term) => picks(term.labelSelector, pod) && sameDomain(one.node, node, term.topologyKey),
    )
    if (averse) return 'anti-affinity of another'
  }
  const terms = required(pod, 'podAffinity')
  if (terms.length > 0) {
    const friends = placed.filter((one) => terms.every((term) => picks(term.labelSelector, one.pod)))
    const first = friends.length === 0 && terms.every((term) => picks(term.labelSelector, pod))
    const keyed = terms.every((term) => objectLabel(node, term.topologyKey) !== undefined)
    const near = terms.every((term) => friends.some((one) => sameDomain(one.node, node, term.topologyKey)))
    const noFriendKeyed = !friends.some((one) =>
      terms.some((term) => objectLabel(one.node, term.topologyKey) !== undefined),
    )
    const mayBegin = (first || (noFriendKeyed && terms.every((term) => picks(term.labelSelector, pod)))) && keyed
    if (!near && !mayBegin) return 'affinity'
  }
  for (const rule of pod.spec.topologySpreadConstraints ?? []) {
    if (rule.whenUnsatisfiable === 'DoNotSchedule' && !spreadHolds(pod, node, rule, nodes, placed)) return 'spread'
  }
  return undefined
}

const chance = <T>(arbitrary: fc.Arbitrary<T>, weight = 1): fc.Arbitrary<T | undefined> =>
  fc.oneof({ arbitrary, weight }, { arbitrary: fc.constant(undefined), weight: 3 })
const app = fc.constantFrom('a', 'b', 'c')
const topologyKey = fc.constantFrom('zone', 'kubernetes.io/hostname')
const selector: fc.Arbitrary<LabelSelector> = fc.oneof(
  app.map((value) => ({ matchLabels: { app: value } })),
  app.map((value) => ({ matchExpressions: [{ key: 'app', operator: 'NotIn' as const, values: [value] }] })),
  fc.constant({ matchExpressions: [{ key: 'tier', operator: 'Exists' as const }] }),
)
const taint: fc.Arbitrary<Taint> = fc.record({
  key: fc.constantFrom('pool', 'gpu'),
  value: fc.constantFrom('x', 'y'),
  effect: fc.constantFrom('NoSchedule' as const, 'PreferNoSchedule' as const),
})
const toleration: fc.Arbitrary<Toleration> = fc.oneof(
  fc.record({ key: fc.constantFrom('pool', 'gpu'), operator: fc.constant('Exists' as const) }),
  fc.record({ key: fc.constantFrom('pool', 'gpu'), operator: fc.constant('Equal' as const), value: fc.constant('x') }),
)
const nodeArbitrary = fc.record({
  zone: chance(fc.constantFrom('z1', 'z2', 'z3'), 9),
  size: chance(fc.constantFrom('1', '5', '9'), 3),
  cpu: fc.constantFrom('1', '2', '4'),
  pods: fc.constantFrom('2', '5', '10'),
  taints: fc.array(taint, { maxLength: 1 }),
  unschedulable: fc.boolean().map((yes) => yes && undefined),
  cordoned: fc.nat(9).map((draw) => draw === 0),
})
const spread: fc.Arbitrary<TopologySpreadConstraint> = fc.record({
  maxSkew: fc.integer({ min: 1, max: 2 }),
  topologyKey,
  whenUnsatisfiable: fc.constantFrom('DoNotSchedule' as const, 'DoNotSchedule' as const, 'ScheduleAnyway' as const),
  labelSelector: selector,
  nodeAffinityPolicy: fc.constantFrom('Honor' as const, 'Ignore' as const),
  nodeTaintsPolicy: fc.constantFrom('Honor' as const, 'Ignore' as const),
})
const terms = fc.array(fc.record({ topologyKey, labelSelector: selector }), { minLength: 1, maxLength: 2 })
const requirement = fc.oneof(
  fc.constantFrom('In' as const, 'NotIn' as const).map((operator) => ({ key: 'zone', operator, values: ['z1', 'z2'] })),
  fc.constantFrom('Gt' as const, 'Lt' as const).map((operator) => ({ key: 'size', operator, values: ['5'] })),
  fc.constant({ key: 'size', operator: 'Exists' as const }),
)
const podArbitrary = fc.record({
  app,
  tier: chance(fc.constant('front')),
  cpu: fc.constantFrom('100m', '400m', '900m'),
  port: chance(fc.constantFrom(8080, 9090)),
  zone: chance(fc.constantFrom('z1', 'z2')),
  required: chance(requirement),
  tolerations: fc.array(toleration, { maxLength: 1 }),
  spread: chance(spread, 2),
  minDomains: chance(fc.integer({ min: 2, max: 3 })),
  affinity: chance(terms),
  anti: chance(terms),
  priority: fc.nat(1),
})

type PodShape = typeof podArbitrary extends fc.Arbitrary<infer T> ? T : never
type NodeShape = typeof nodeArbitrary extends fc.Arbitrary<infer T> ? T : never

const podOf = (shape: PodShape, index: number): Pod => {
  const affinity: Affinity = {
    ...(shape.required && {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [shape.required] }],
        },
      },
    }),
    ...(shape.affinity && { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: shape.affinity } }),
    ...(shape.anti && { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: shape.anti } }),
  }
  const hard = shape.spread?.whenUnsatisfiable === 'DoNotSchedule'
  const constraint = shape.spread && {
    ...shape.spread,
    ...(hard && shape.minDomains && { minDomains: shape.minDomains }),
  }
  return pod(`pod-${index}`, {
    labels: { app: shape.app, ...(shape.tier && { tier: shape.tier }) },
    spec: {
      containers: [
        {
          name: 'main',
          image: 'app',
          resources: { requests: { cpu: shape.cpu } },
          ...(shape.port && { ports: [{ containerPort: shape.port, hostPort: shape.port }] }),
        },
      ],
      affinity,
      tolerations: shape.tolerations,
      ...(shape.zone && { nodeSelector: { zone: shape.zone } }),
      ...(constraint && { topologySpreadConstraints: [constraint] }),
      ...(shape.priority > 0 && { priorityClassName: 'high' }),
    },
  })
}

const nodeOf = (shape: NodeShape, index: number): Node =>
  node(`node-${index}`, {
    labels: {
      'kubernetes.io/hostname': `node-${index}`,
      ...(shape.zone && { zone: shape.zone }),
      ...(shape.size && { size: shape.size }),
    },
    spec: { taints: shape.taints, ...(shape.cordoned && { unschedulable: true }) },
    status: { allocatable: { cpu: shape.cpu, memory: '64Gi', pods: shape.pods } },
  })

const RUNS = propertyRuns(150)

test('every binding follows an independent implementation of the rules, and no schedulable pod stays pending', async () => {
  let bound = 0
  let waiting = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(nodeArbitrary, { minLength: 1, maxLength: 6 }),
      fc.array(podArbitrary, { minLength: 1, maxLength: 20 }),
      fc.array(fc.nat(19), { maxLength: 4 }),
      async (nodeShapes, podShapes, removed) => {
        await using cluster = await VirtualCluster.start({ events: false })
        await cluster.client.create(kinds.PriorityClass, {
          apiVersion: 'scheduling.k8s.io/v1',
          kind: 'PriorityClass',
          metadata: { name: 'high' },
          value: 1000,
        })
        await cluster.apply(...nodeShapes.map(nodeOf))
        await cluster.settle()
        const placed: Placed[] = []
        const wrong: string[] = []
        const nodes = (): Node[] => cluster.list(kinds.Node)
        cluster.cluster.informers.of(kinds.Pod).onChange(({ before, after }) => {
          const gone = before !== undefined && after === undefined
          if (gone) placed.splice(placed.findIndex((one) => one.pod.metadata.uid === before.metadata.uid) >>> 0, 1)
          if (after === undefined) return
          const known = placed.findIndex((one) => one.pod.metadata.uid === after.metadata.uid)
          const home = placed[known]?.node
          if (home !== undefined) placed[known] = { pod: after, node: home }
          if (before?.spec.nodeName === after.spec.nodeName) return
          const all = nodes()
          const node = all.find((one) => one.metadata.name === after.spec.nodeName)
          if (node === undefined) return
          const reason = objection(
            after,
            node,
            all,
            placed.map((one) => ({
              ...one,
              node: all.find((n) => n.metadata.name === one.node.metadata.name) ?? one.node,
            })),
          )
          if (reason !== undefined) wrong.push(`${after.metadata.name} on ${node.metadata.name}: ${reason}`)
          placed.push({ pod: after, node })
        })
        const check = (): void => {
          const all = nodes()
          const homes = placed.map((one) => ({
            ...one,
            node: all.find((n) => n.metadata.name === one.node.metadata.name) ?? one.node,
          }))
          for (const pod of cluster.pods().filter((one) => !one.spec.nodeName)) {
            waiting++
            const fits = all.filter((node) => objection(pod, node, all, homes) === undefined)
            if (fits.length > 0) wrong.push(`${pod.metadata.name} waits but fits ${fits.map((n) => n.metadata.name)}`)
          }
          bound += homes.length
        }
        await cluster.apply(...podShapes.map(podOf))
        await cluster.settle()
        check()
        for (const index of new Set(removed)) {
          if (index >= podShapes.length) continue
          await cluster.client.delete(kinds.Pod, { namespace: 'default', name: `pod-${index}` })
          await cluster.settle()
        }
        check()
        expect(wrong).toEqual([])
      },
    ),
    { numRuns: RUNS },
  )
  expect(bound).toBeGreaterThan(3 * RUNS)
  expect(waiting).toBeGreaterThan(RUNS / 2)
}, 240_000)
