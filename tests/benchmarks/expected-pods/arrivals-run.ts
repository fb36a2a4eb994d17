import { kinds, labels, type Milliseconds, type NodeClaim, type Pod, parseTime } from '@kerf/apis'
import { createDeployment, createPool, Harness, type HarnessOptions } from '@kerf/controllers/testing'
import { loadInstanceTypes } from '@kerf/provider-kwok'
import { sleep } from '@kerf/runtime'
import type { Interceptor } from '@kerf/sandbox'
import { nodeClassRef } from '@kerf/testing'

/** How fast the controllers of the cluster create pods. */
export interface CreationRate {
  /** How many pods are created at once. */
  readonly burst: number
  /** How many further pods are created each second. */
  readonly perSecond: number
}

/** The client limits of kube-controller-manager by default (`--kube-api-burst`, `--kube-api-qps`). */
export const DEFAULT_RATE: CreationRate = { burst: 30, perSecond: 20 }

export interface ArrivalsRun {
  readonly replicas: number
  /** The CPU requests of each pod. */
  readonly cpu: string
  readonly rate: CreationRate
  /** The only instance type, or undefined for all types of the KWOK provider. */
  readonly instanceType?: string
  readonly planExpectedPods: 'off' | 'on'
  /** The time at which the Deployment is scaled down, and its replicas after that. Absent if it is not scaled down. */
  readonly scaleDown?: { readonly at: Milliseconds; readonly replicas: number }
}

/** The times count from the creation of the Deployment. */
export interface ArrivalsResult {
  readonly firstClaim: Milliseconds
  /** The time at which the claims that existed had 90 % of the price of all claims. */
  readonly mostClaims: Milliseconds
  readonly lastClaim: Milliseconds
  readonly lastBound: Milliseconds
  readonly medianBound: Milliseconds
  readonly launched: number
  readonly remaining: number
  /** The hourly price of the nodes that remain. */
  readonly hourlyCost: number
  /** The cost of all launched nodes from their launch to their deletion, or to the end of the run. */
  readonly cost: number
  readonly passes: number
}

/** How long a node takes to join: a value in the range of the large clouds. */
const REGISTRATION = '35s'
const RUN_FOR: Milliseconds = 300_000
/** For this long, the claims are read every `STEP`. After that, they are read every `SLOW_STEP`. */
const BUSY_FOR: Milliseconds = 60_000
const STEP: Milliseconds = 50
const SLOW_STEP: Milliseconds = 1_000
const PASSES = 'karpenter_scheduler_scheduling_duration_seconds_count'

interface SeenClaim {
  readonly claim: NodeClaim
  /** When the claim was first seen. */
  readonly at: Milliseconds
  /** When the claim was first missing, or undefined if it exists. */
  readonly until?: Milliseconds
}

/** Limits the creation of pods as the client of kube-controller-manager does. */
const limitCreation = ({ burst, perSecond }: CreationRate, harness: () => Harness): Interceptor => {
  let free = burst
  let next = 0
  return {
    before: async ({ verb, kind }) => {
      if (verb !== 'create' || kind?.kind !== 'Pod') return
      if (free-- > 0) return
      const now = harness().clock.monotonic()
      next = Math.max(next, now) + 1_000 / perSecond
      await sleep(harness().clock, next - now)
    },
  }
}

type Prices = ReadonlyMap<string, number>

const readPrices = async (): Promise<Prices> =>
  new Map(
    (await loadInstanceTypes()).flatMap(({ name, offerings }) =>
      offerings.map(({ requirements, price }) => {
        const value = (key: string): string => requirements.find((each) => each.key === key)?.values?.[0] ?? ''
        return [`${name}/${value(labels.zone)}/${value(labels.capacityType)}`, price ?? 0] as const
      }),
    ),
  )

const price = ({ metadata }: NodeClaim, prices: Prices): number => {
  const label = (key: string): string => metadata.labels?.[key] ?? ''
  return prices.get(`${label(labels.instanceType)}/${label(labels.zone)}/${label(labels.capacityType)}`) ?? Number.NaN
}

/** Runs a Deployment in an empty cluster in virtual time, with Kerf and a scheduler. Nodes may have any type of the KWOK provider. */
export const runArrivals = async (run: ArrivalsRun): Promise<ArrivalsResult> => {
  let harness: Harness | undefined
  const current = (): Harness => {
    if (harness === undefined) throw new Error('the cluster has not started')
    return harness
  }
  const options: HarnessOptions = {
    cluster: 'whole',
    settings: { planExpectedPods: run.planExpectedPods },
    registrationDelay: REGISTRATION,
    clusterInterceptor: limitCreation(run.rate, current),
  }
  harness = await Harness.create(options)
  try {
    await createPool(harness, 'general', {
      disruption: { consolidateAfter: 'Never' },
      template: {
        spec: {
          nodeClassRef,
          expireAfter: 'Never',
          requirements:
            run.instanceType === undefined
              ? [{ key: labels.os, operator: 'In', values: ['linux'] }]
              : [{ key: labels.instanceType, operator: 'In', values: [run.instanceType] }],
        },
      },
    })
    const began = harness.clock.now()
    await createDeployment(harness, 'web', run.replicas, run.cpu)
    const seen = new Map<string, SeenClaim>()
    for (let time = 0; time < RUN_FOR; ) {
      if (time === run.scaleDown?.at) {
        await harness.patch(kinds.Deployment, 'web', { spec: { replicas: run.scaleDown.replicas } })
      }
      const step = time < BUSY_FOR ? STEP : SLOW_STEP
      await harness.pass(step)
      time += step
      look(seen, await harness.claims(), harness.clock.now() - began)
    }
    const pods = (await harness.admin.list(kinds.Pod)).items
    const passes = await harness.metric(PASSES, { controller: 'provisioner' })
    return { ...summarizeClaims([...seen.values()], await readPrices()), ...summarizePods(pods, began), passes }
  } finally {
    harness.stop()
  }
}

/** Records the claims that exist at this time, and those that have been deleted. */
const look = (seen: Map<string, SeenClaim>, present: readonly NodeClaim[], at: Milliseconds): void => {
  const names = new Set(present.map(({ metadata }) => metadata.name))
  for (const claim of present) seen.set(claim.metadata.name, { at, ...seen.get(claim.metadata.name), claim })
  for (const [name, known] of seen) if (!names.has(name)) seen.set(name, { until: at, ...known })
}

type ClaimResults = Pick<
  ArrivalsResult,
  'firstClaim' | 'mostClaims' | 'lastClaim' | 'launched' | 'remaining' | 'hourlyCost' | 'cost'
>

const summarizeClaims = (claims: readonly SeenClaim[], prices: Prices): ClaimResults => {
  const sorted = claims.toSorted((a, b) => a.at - b.at).map((each) => ({ ...each, price: price(each.claim, prices) }))
  const total = sorted.reduce((sum, each) => sum + each.price, 0)
  const remaining = sorted.filter(({ until }) => until === undefined)
  let bought = 0
  const most = sorted.find((each) => {
    bought += each.price
    return bought >= 0.9 * total
  })
  return {
    firstClaim: sorted[0]?.at ?? Number.NaN,
    mostClaims: most?.at ?? Number.NaN,
    lastClaim: sorted.at(-1)?.at ?? Number.NaN,
    launched: sorted.length,
    remaining: remaining.length,
    hourlyCost: remaining.reduce((sum, each) => sum + each.price, 0),
    cost: sorted.reduce((sum, each) => sum + (each.price * ((each.until ?? RUN_FOR) - each.at)) / 3_600_000, 0),
  }
}

const summarizePods = (
  pods: readonly Pod[],
  began: Milliseconds,
): Pick<ArrivalsResult, 'medianBound' | 'lastBound'> => {
  const bound = pods
    .flatMap(({ status }) => status?.conditions?.filter(({ type }) => type === 'PodScheduled') ?? [])
    .flatMap((each) => (each.status === 'True' ? [(parseTime(each.lastTransitionTime) ?? 0) - began] : []))
    .sort((a, b) => a - b)
  return {
    medianBound: bound[Math.floor(bound.length / 2)] ?? Number.NaN,
    lastBound: bound.length === pods.length ? (bound.at(-1) ?? Number.NaN) : Number.POSITIVE_INFINITY,
  }
}
