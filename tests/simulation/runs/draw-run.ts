import type { Milliseconds } from '@kerf/apis'
import { SeededRandom } from '@kerf/runtime'
import { CLOUDS, cloudDraws, cloudNames, isDrawn, objectOn, poolOn, SHARES, TICKETS } from './cloud-names.ts'
import { drawCommitmentSteps } from './commitments.ts'
import { drawFault } from './draw-fault.ts'
import { drawExpectedPods } from './expected-pods.ts'
import { drawBuffer, drawDaemonSets, drawOthersPods, drawOverlay, storageClass } from './extras.ts'
import { drawForeignNodes } from './foreign-nodes.ts'
import { drawPolicySteps } from './policies.ts'
import { drawPoolPolicySteps } from './pool-policies.ts'
import { drawLatePool, drawPools, OPEN_POOL, STATIC_POOL } from './pools.ts'
import { Randomness } from './randomness.ts'
import type { Action, CloudName, Fault, SimulatedRun, Step } from './simulated-run.ts'
import { type DrawnWorkload, drawWorkload } from './workloads.ts'

const LIFE: Milliseconds = 6 * 60_000

/** Draws a user action that happens after the run has started. */
const drawAction = (
  randomness: Randomness,
  workloads: readonly DrawnWorkload[],
  pools: readonly string[],
  cloud: SimulatedRun['cloud'],
): Action => {
  const scalable = workloads.filter(({ kind }) => kind !== 'Job')
  const some = scalable[randomness.between(0, Math.max(0, scalable.length - 1))]
  const pick = randomness.between(0, 99)
  switch (randomness.between(0, 13)) {
    case 0:
    case 1:
    case 2:
    case 3:
      if (some === undefined || some.kind === 'Job') return { kind: 'delete-pod', pick }
      return { kind: 'scale', workload: some.kind, name: some.name, replicas: randomness.between(0, 9) }
    case 4:
      return { kind: 'delete-node', pick }
    case 5:
      return { kind: 'delete-claim', pick }
    case 6:
      return { kind: 'cordon', pick }
    case 7:
      return { kind: 'apply', object: objectOn(cloud, drawLatePool(randomness)) }
    case 8:
      return { kind: 'change-pool', name: OPEN_POOL, spec: drawPoolChange(randomness) }
    case 9: {
      const guarded = workloads.filter(({ budget }) => budget !== undefined)
      const target = guarded[randomness.between(0, Math.max(0, guarded.length - 1))]
      if (target === undefined) return { kind: 'delete-pod', pick }
      return { kind: 'change-pdb', name: target.name, spec: { maxUnavailable: randomness.between(0, 2) } }
    }
    case 10:
      return { kind: 'apply', object: drawWorkload(randomness, `extra-${pick}`, pools).object }
    case 11:
      return { kind: 'apply', object: drawOverlay(randomness, cloudNames(cloud)) }
    case 12:
      if (!pools.includes(STATIC_POOL)) return { kind: 'delete-pod', pick }
      return { kind: 'change-pool', name: STATIC_POOL, spec: { replicas: randomness.between(0, 3) } }
    default:
      return { kind: 'delete-pod', pick }
  }
}

const drawPoolChange = (randomness: Randomness): object =>
  randomness.of([
    { template: { metadata: { labels: { release: String(randomness.between(1, 9)) } } } },
    { weight: randomness.between(1, 90) },
    { disruption: { consolidateAfter: '20s' } },
  ])

/**
 * Draws a fault that makes the watch of NodeClaims lag from the first launches on. Kerf must still take into account the claims that it has
 * created.
 */
const drawLag = (randomness: Randomness): readonly { at: Milliseconds; fault: Fault }[] =>
  randomness.happens(0.1)
    ? [
        {
          at: randomness.between(0, 15_000),
          fault: { kind: 'watch-lag', plural: 'nodeclaims', duration: randomness.between(20_000, 30_000) },
        },
      ]
    : []

/**
 * Draws the last phase of a run: every workload shrinks to one pod, and the NodePool for plain pods may consolidate without limits, so that
 * the remaining pods fit on fewer nodes.
 */
const drawEvening = (
  randomness: Randomness,
  workloads: readonly DrawnWorkload[],
): readonly { at: Milliseconds; action: Action }[] => {
  if (!randomness.happens(0.2)) return []
  const disruption = {
    consolidationPolicy: 'WhenEmptyOrUnderutilized',
    consolidateAfter: '15s',
    budgets: [{ nodes: '100%' }],
  }
  return [
    { at: LIFE, action: { kind: 'change-pool', name: OPEN_POOL, spec: { disruption } } },
    ...workloads.flatMap(({ kind, name }) =>
      kind === 'Job' ? [] : [{ at: LIFE, action: { kind: 'scale', workload: kind, name, replicas: 1 } as const }],
    ),
  ]
}

/**
 * Returns the run of a seed, on the given cloud or else on the cloud that the seed selects. Do not change the names of the forks: the run
 * of every seed depends on them.
 */
export const drawRun = (seed: number, on?: CloudName): SimulatedRun => {
  const random = new SeededRandom(`course-${seed}`)
  const randomness = new Randomness(random.fork('cluster'))
  const ticket = TICKETS[randomness.between(0, TICKETS.length - 1)]
  const own = new Map(CLOUDS.map((name) => [name, new Randomness(random.fork(name))]))
  const shared = SHARES.filter(({ name, share }) => own.get(name)?.happens(share) === true)
  const cloud = on ?? shared[0]?.name ?? ticket
  if (cloud === undefined) throw new Error('no cloud has a ticket')
  const replicas = randomness.happens(0.3) ? 2 : 1
  const pools = drawPools(randomness).map((pool) => poolOn(cloud, pool))
  const names = pools.map(({ metadata }) => metadata.name)
  const workloads = Array.from({ length: randomness.between(2, 4) }, (_, index) =>
    drawWorkload(randomness, `app-${index}`, names),
  )
  const extras = new Randomness(random.fork('extras'))
  const others = drawOthersPods(new Randomness(random.fork('others')))
  const objects = [storageClass, ...drawDaemonSets(extras), ...drawBuffer(extras), ...others]
  const people: { at: Milliseconds; action: Action }[] = workloads.flatMap(({ object, budget }) => {
    const at = randomness.between(0, 20_000)
    return [object, ...(budget === undefined ? [] : [budget])].map((each) => ({
      at,
      action: { kind: 'apply', object: each } as const,
    }))
  })
  const actions = new Randomness(random.fork('people'))
  for (let count = actions.between(3, 9); count > 0; count--) {
    people.push({ at: actions.between(20_000, LIFE), action: drawAction(actions, workloads, names, cloud) })
  }
  people.push(...drawForeignNodes(new Randomness(random.fork('foreign')), cloudNames(cloud), LIFE))
  people.push(...drawEvening(new Randomness(random.fork('evening')), workloads))
  const faultDraws = new Randomness(random.fork('troubles'))
  const faults: ({ readonly at: Milliseconds } & ReturnType<typeof drawFault>)[] = Array.from(
    { length: faultDraws.between(2, 9) },
    () => ({ at: faultDraws.between(1_000, LIFE), ...drawFault(faultDraws, { cloud, replicas }) }),
  )
  const ownRandomness = own.get(cloud)
  const ofCloud = ownRandomness && cloudDraws(cloud).drawOwn?.(ownRandomness, LIFE)
  if (ofCloud !== undefined) {
    faults.push(...ofCloud.faults)
    people.push(...ofCloud.actions)
  }
  faults.push(...drawLag(new Randomness(random.fork('lag'))))
  const policySteps = drawPolicySteps(seed, LIFE)
  const steps: Step[] = [
    ...people.sort((a, b) => a.at - b.at).map((each, index) => ({ id: `e${index}`, ...each })),
    ...faults.sort((a, b) => a.at - b.at).map((each, index) => ({ id: `f${index}`, ...each })),
    ...policySteps,
    ...drawCommitmentSteps(seed, LIFE, policySteps),
    ...drawPoolPolicySteps(seed, LIFE),
  ]
  const expectedPods = drawExpectedPods(seed, LIFE)
  return {
    seed,
    cloud,
    replicas,
    ...(expectedPods === undefined ? {} : { expectedPods }),
    objects,
    pools,
    steps: steps.sort((a, b) => a.at - b.at),
    recoveredAt: LIFE + 120_000,
  }
}

export interface SeedSelection {
  readonly first: number
  readonly count: number
  readonly leavesOut?: ReadonlySet<number>
  /** Whether to return only seeds in which `PLAN_EXPECTED_PODS` is on. */
  readonly expectsPods?: boolean
}

/**
 * Returns `count` seeds in ascending order. It starts with `first` and skips the seeds in `leavesOut`. If `cloud` is one of the clouds that
 * a seed can select, it also skips seeds that select another cloud.
 */
export const seedsOn = (
  cloud: CloudName | undefined,
  { first, count, ...selection }: SeedSelection,
): readonly number[] => {
  const { leavesOut = new Set(), expectsPods = false } = selection
  const seeds: number[] = []
  const isOn = (seed: number): boolean => cloud === undefined || !isDrawn(cloud) || drawRun(seed).cloud === cloud
  const isAsked = (seed: number): boolean => !expectsPods || drawExpectedPods(seed, LIFE) !== undefined
  for (let seed = first; seeds.length < count; seed++)
    if (!leavesOut.has(seed) && isAsked(seed) && isOn(seed)) seeds.push(seed)
  return seeds
}
