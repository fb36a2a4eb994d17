import type { Pod } from '@kerf/apis'
import { lacking, minus, parseAmounts, podRequests, sum } from './amounts.ts'
import { asDaemon, checkClaim } from './claim-check.ts'
import type { PlanDocument, Problem } from './documents.ts'
import { type Harness, type NodeBefore, podName } from './harness.ts'
import { portClashes } from './host-ports.ts'
import { podSelects, termHolds } from './label-sets.ts'
import type { Place } from './placement.ts'
import { untolerated } from './taint-check.ts'
import { affinityProblems, antiAffinityProblems, spreadProblems } from './topology.ts'
import { computeVolumeDemand, exceededDrivers } from './volumes.ts'

/** Checks that every pending pod appears exactly once in the plan, and that no other pod appears. */
const rollCall = (harness: Harness, plan: PlanDocument): readonly Problem[] => {
  const seen = new Map<string, number>()
  const listed = [
    ...plan.nodeClaims.flatMap(({ pods }) => pods),
    ...plan.existingNodes.flatMap(({ pods }) => pods),
    ...plan.unschedulable.map(({ pod }) => pod),
  ]
  for (const name of listed) seen.set(name, (seen.get(name) ?? 0) + 1)
  return [
    ...[...seen].flatMap(([subject, count]): readonly Problem[] => {
      if (!harness.pending.has(subject)) return [{ code: 'pod.unknown', subject, text: 'does not wait for a place' }]
      return count > 1 ? [{ code: 'pod.twice', subject, text: `is in the plan ${count} times` }] : []
    }),
    ...[...harness.pending.keys()]
      .filter((name) => !seen.has(name))
      .map((subject): Problem => ({ code: 'pod.missing', subject, text: 'is not in the plan' })),
  ]
}

const checkNode = (harness: Harness, node: NodeBefore, coming: readonly Pod[]): readonly Problem[] => {
  const problems: Problem[] = []
  const report = (code: Problem['code'], text: string): void => {
    problems.push({ code, subject: node.name, text })
  }
  const all = [...node.pods, ...coming]
  const toCome = harness.daemons.filter((daemon) => {
    const owner = daemon.metadata.name
    const isHere = node.pods.some(
      ({ metadata }) =>
        metadata.ownerReferences?.some(({ kind, name }) => kind === 'DaemonSet' && name === owner) ?? false,
    )
    return (
      !isHere && untolerated(asDaemon(daemon), node.taints).length === 0 && podSelects(daemon, node.labels, node.name)
    )
  })
  const free = minus(node.allocatable, sum(...node.pods.map(podRequests), ...toCome.map(podRequests)))
  const short = lacking(sum(...coming.map(podRequests)), free)
  if (short.length > 0) report('resources', `has too little ${short.join(', ')} left`)
  for (const pod of coming) {
    for (const { key } of untolerated(pod, node.taints)) report('taint', `${podName(pod)} does not tolerate ${key}`)
    const demand = computeVolumeDemand(harness, pod)
    const isReachable =
      'impossible' in demand ||
      demand.terms.every((terms) => terms.some((term) => termHolds(term, node.labels, node.name)))
    if (!isReachable) report('volume', `a volume of ${podName(pod)} is elsewhere`)
    if (!podSelects(pod, node.labels, node.name)) report('selector', `${podName(pod)} does not select it`)
  }
  const exceeded = coming.length === 0 ? [] : exceededDrivers(harness, all, node.volumeLimits)
  for (const driver of exceeded) report('volume.limit', `takes no more volumes of ${driver}`)
  return problems
}

const portProblems = (places: readonly Place[], daemonsOn: ReadonlyMap<string, readonly Pod[]>): readonly Problem[] =>
  places.flatMap(({ name, running, coming }) => {
    if (coming.length === 0) return []
    const isComing = new Set(coming)
    return portClashes([...running, ...coming, ...(daemonsOn.get(name) ?? [])])
      .filter(([a, b]) => isComing.has(a) || isComing.has(b))
      .map(
        ([a, b]): Problem => ({
          code: 'port',
          subject: name,
          text: `${podName(a)} and ${podName(b)} want the same port`,
        }),
      )
  })

const isAscending = (names: readonly (string | undefined)[]): boolean =>
  names.every((name, index) => index === 0 || (names[index - 1] ?? '') <= (name ?? ''))

const orderProblems = (plan: PlanDocument): readonly Problem[] => {
  const lists: readonly (readonly [string, readonly (string | undefined)[]])[] = [
    ['nodeClaims', plan.nodeClaims.map(({ pods }) => pods[0])],
    ['existingNodes', plan.existingNodes.map(({ name }) => name)],
    ['unschedulable', plan.unschedulable.map(({ pod }) => pod)],
    ...plan.nodeClaims.map(({ pods }, index) => [`nodeClaims[${index}].pods`, pods] as const),
    ...plan.existingNodes.map(({ name, pods }) => [`existingNodes ${name}`, pods] as const),
  ]
  return lists
    .filter(([, names]) => !isAscending(names))
    .map(([subject]) => ({ code: 'order', subject, text: 'is not sorted' }))
}

/**
 * Returns every constraint that a plan breaks. Implements only the documentation of Kubernetes and of the scenarios, without the engine's
 * code, so that it can detect the engine's mistakes.
 */
export const validatePlan = (harness: Harness, plan: PlanDocument): readonly Problem[] => {
  const problems: Problem[] = [...rollCall(harness, plan), ...orderProblems(plan)]
  const podsOf = (names: readonly string[]): readonly Pod[] => names.flatMap((name) => harness.pending.get(name) ?? [])
  const places: Place[] = []
  const daemonsOn = new Map<string, readonly Pod[]>()
  const used = new Map<string, ReturnType<typeof sum>[]>()
  const spend = (pool: string, amounts: ReturnType<typeof sum>): void => {
    used.set(pool, [...(used.get(pool) ?? []), { ...amounts, nodes: 1_000_000_000n }])
  }

  const comingTo = new Map(plan.existingNodes.map(({ name, pods }) => [name, podsOf(pods)]))
  for (const { name } of plan.existingNodes) {
    if (!harness.standing.has(name))
      problems.push({ code: 'node.unknown', subject: name, text: 'is no node of this cluster' })
  }
  for (const node of harness.standing.values()) {
    const coming = comingTo.get(node.name) ?? []
    problems.push(...checkNode(harness, node, coming))
    places.push({ name: node.name, labels: node.labels, taints: node.taints, running: node.pods, coming })
    if (node.pool !== undefined) spend(node.pool, node.capacity)
  }

  for (const [index, claim] of plan.nodeClaims.entries()) {
    const name = `claim ${index + 1} (${claim.pods[0] ?? 'empty'})`
    const pods = podsOf(claim.pods)
    if (pods.length === 0) problems.push({ code: 'claim.empty', subject: name, text: 'has no pods' })
    const pool = harness.pools.get(claim.nodePool)
    if (pool === undefined || pool.spec.replicas !== undefined) {
      problems.push({
        code: 'pool.unknown',
        subject: name,
        text: `${claim.nodePool} is no pool that launches on demand`,
      })
      continue
    }
    const checked = checkClaim(harness, name, claim, pool, pods)
    problems.push(...checked.problems)
    daemonsOn.set(name, checked.daemons)
    places.push({
      name,
      labels: checked.labels,
      taints: pool.spec.template.spec.taints ?? [],
      running: [],
      coming: pods,
    })
    spend(claim.nodePool, checked.largest)
  }

  for (const pod of [...places].flatMap(({ coming }) => coming)) {
    const demand = computeVolumeDemand(harness, pod)
    if ('impossible' in demand) problems.push({ code: 'volume', subject: podName(pod), text: demand.impossible })
  }
  for (const [name, pool] of harness.pools) {
    const limits = parseAmounts(pool.spec.limits)
    const total = sum(...(used.get(name) ?? []))
    // A plan can break a limit only by adding nodes. If existing nodes already exceed it, that is not the plan's fault.
    if (!plan.nodeClaims.some(({ nodePool }) => nodePool === name)) continue
    const over = Object.entries(limits).filter(([resource, limit]) => (total[resource] ?? 0n) > limit)
    for (const [resource] of over)
      problems.push({ code: 'pool.limit', subject: name, text: `its ${resource} may go beyond the limit` })
  }
  problems.push(
    ...portProblems(places, daemonsOn),
    ...spreadProblems(harness, places),
    ...antiAffinityProblems(harness, places),
    ...affinityProblems(harness, places),
  )
  const cost = plan.nodeClaims.reduce((total, { cheapest }) => total + cheapest.price, 0)
  if (Math.abs(cost - plan.hourlyCost) > 1e-6 * Math.max(1, cost))
    problems.push({ code: 'cost', subject: 'plan', text: `claims add up to ${cost}, not ${plan.hourlyCost}` })
  return problems
}
