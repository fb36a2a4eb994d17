import { type KubeObject, karpenterKinds, kinds } from '@kerf/apis'
import type { KubeClient } from '@kerf/runtime'

/** An object of the API server. The tests do not read it with the plugin's functions, because they check the results of these functions. */
interface Raw {
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly labels?: Readonly<Record<string, string>>
    readonly deletionTimestamp?: string
    readonly ownerReferences?: readonly { readonly kind: string; readonly name: string }[]
  }
  readonly spec?: {
    readonly nodeName?: string
    readonly weight?: number
    readonly limits?: Readonly<Record<string, string>>
  }
  readonly status?: {
    readonly providerID?: string
    readonly phase?: string
    readonly conditions?: readonly {
      readonly type: string
      readonly status: string
      readonly reason?: string
      readonly message?: string
    }[]
  }
  readonly reason?: string
  readonly message?: string
  readonly count?: number
  readonly lastTimestamp?: string
  readonly source?: { readonly component?: string }
  readonly involvedObject?: { readonly kind: string; readonly namespace?: string; readonly name: string }
}

const is = (object: Raw, type: string): boolean =>
  object.status?.conditions?.some((each) => each.type === type && each.status === 'True') ?? false

const POOL = 'karpenter.sh/nodepool'
const PRICE = 'eks-node-viewer/instance-price'

/** Returns the price in the label. Returns undefined if the label is not a number. */
const priceOf = ({ metadata }: Raw): number | undefined => {
  const text = metadata.labels?.[PRICE]
  return text !== undefined && /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined
}

const dollars = (amount: number): string => `$${amount.toFixed(amount > 0 && amount < 1 ? 4 : 2)}`

export interface Cost {
  readonly sum: number
  readonly unpriced: number
}

/** Returns the cost as the pages format it. */
export const costWords = ({ sum, unpriced }: Cost): string => (unpriced > 0 ? `at least ${dollars(sum)}` : dollars(sum))

export interface Counted {
  readonly claims: number
  readonly launched: number
  readonly nodes: number
  readonly draining: number
  readonly cost: Cost
  readonly pending: number
  /**
   * The sizes of the groups of pending pods, the largest first. Each group contains the pods with the same workload and the same reason.
   */
  readonly pendingGroups: readonly number[]
  readonly pools: ReadonlyMap<
    string,
    {
      readonly cost: Cost
      readonly claims: number
      readonly launched: number
      readonly drifted: number
      readonly weight: number
      /** The number of claims whose Node has joined the cluster. */
      readonly nodes: number
      /** The number of registered nodes for each capacity type. */
      readonly byCapacityType: Readonly<Record<string, number>>
    }
  >
  /** The cost of each NodeClaim, as the pages show it. */
  readonly prices: ReadonlyMap<string, string>
  /** The number of events for each reason. A repeated event counts as often as it occurred. */
  readonly timesByReason: Readonly<Record<string, number>>
  readonly podsOn: ReadonlyMap<string, number>
}

const costOf = (launched: readonly Raw[]): Cost => ({
  sum: launched.reduce((sum, each) => sum + (priceOf(each) ?? 0), 0),
  unpriced: launched.filter((each) => priceOf(each) === undefined).length,
})

const tally = (names: readonly string[]): Readonly<Record<string, number>> => {
  const found: Record<string, number> = {}
  for (const name of names) found[name] = (found[name] ?? 0) + 1
  return found
}

const isPending = ({ spec, status, metadata }: Raw): boolean =>
  (spec?.nodeName ?? '') === '' && status?.phase === 'Pending' && metadata.deletionTimestamp === undefined

/**
 * Returns the pod's workload: the Deployment of its ReplicaSet, any other owner, or the pod itself. The name of a ReplicaSet is the
 * Deployment's name with the hash of the pod template.
 */
const workloadOf = ({ metadata: { name, labels, ownerReferences } }: Raw): string => {
  const owner = ownerReferences?.[0] ?? { kind: 'Pod', name }
  const end = `-${labels?.['pod-template-hash']}`
  const isOfDeployment = owner.kind === 'ReplicaSet' && owner.name.endsWith(end)
  return isOfDeployment ? `Deployment/${owner.name.slice(0, -end.length)}` : `${owner.kind}/${owner.name}`
}

/** Groups pods by the autoscaler's last report about them, or else by the scheduler's message in their conditions. */
const podPendingGroups = (pods: readonly Raw[], events: readonly Raw[]): readonly number[] => {
  const reports = events
    .filter(({ source, involvedObject }) => source?.component === 'karpenter' && involvedObject?.kind === 'Pod')
    .sort((a, b) => Date.parse(b.lastTimestamp ?? '') - Date.parse(a.lastTimestamp ?? ''))
  const groups = pods.map((pod) => {
    const { name, namespace } = pod.metadata
    const why =
      reports.find(({ involvedObject: of }) => of?.name === name && of.namespace === namespace) ??
      pod.status?.conditions?.find(({ type }) => type === 'PodScheduled')
    return JSON.stringify([namespace, workloadOf(pod), why?.reason ?? '', why?.message ?? ''])
  })
  return Object.values(tally(groups)).sort((a, b) => b - a)
}

/** Counts the objects of the API server. If `only` is given, counts namespaced objects only in that namespace. */
export const countIn = async (client: KubeClient, only?: string): Promise<Counted> => {
  const all = async (kind: unknown): Promise<readonly Raw[]> => {
    const items = (await client.list(kind as typeof kinds.Pod))
      .items as readonly KubeObject[] as never as readonly Raw[]
    return items.filter(({ metadata: { namespace } }) => only === undefined || (namespace ?? only) === only)
  }
  const [claims, pools, pods, events] = await Promise.all([
    all(karpenterKinds.NodeClaim),
    all(karpenterKinds.NodePool),
    all(kinds.Pod),
    all(kinds.Event),
  ])
  const pending = pods.filter(isPending)
  const launched = claims.filter((claim) => (claim.status?.providerID ?? '') !== '')
  const ofPool = (name: string, list: readonly Raw[]): readonly Raw[] =>
    list.filter(({ metadata }) => metadata.labels?.[POOL] === name)
  return {
    claims: claims.length,
    launched: launched.length,
    nodes: launched.filter((claim) => is(claim, 'Registered')).length,
    draining: launched.filter(({ metadata }) => metadata.deletionTimestamp !== undefined).length,
    cost: costOf(launched),
    pending: pending.length,
    pendingGroups: podPendingGroups(pending, events),
    pools: new Map(
      pools.map((pool) => {
        const { name } = pool.metadata
        const own = ofPool(name, launched)
        return [
          name,
          {
            cost: costOf(own),
            claims: ofPool(name, claims).length,
            launched: own.length,
            drifted: ofPool(name, claims).filter((claim) => is(claim, 'Drifted')).length,
            weight: pool.spec?.weight ?? 0,
            nodes: own.filter((claim) => is(claim, 'Registered')).length,
            byCapacityType: tally(
              own
                .filter((claim) => is(claim, 'Registered'))
                .map(({ metadata }) => metadata.labels?.['karpenter.sh/capacity-type'] ?? '–'),
            ),
          },
        ] as const
      }),
    ),
    prices: new Map(
      claims.map((claim) => {
        const price = priceOf(claim)
        return [claim.metadata.name, price === undefined ? '–' : dollars(price)] as const
      }),
    ),
    timesByReason: tally(events.flatMap(({ reason = '', count = 1 }) => Array<string>(count).fill(reason))),
    podsOn: new Map(Object.entries(tally(pods.map(({ spec }) => spec?.nodeName ?? '')))),
  }
}
