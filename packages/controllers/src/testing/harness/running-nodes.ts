import { isConditionTrue, karpenterKinds, kinds, labels, type NodeClaim, nodeClassLabel } from '@kerf/apis'
import { claimObject, hashAnnotations } from '../../nodeclaim/node-claim-object.ts'
import type { Harness } from './harness.ts'

export interface RunningNodeOptions {
  /** The name of the pool. Default `general`. */
  readonly pool?: string
  readonly type?: string
  readonly capacityType?: 'spot' | 'on-demand'
  readonly zone?: string
  readonly metadata?: Partial<NodeClaim['metadata']>
  readonly spec?: Partial<NodeClaim['spec']>
}

/** The names of the NodeClaim and the Node of a launched node. */
export interface RunningNode {
  readonly claim: string
  readonly node: string
}

/** Creates a NodeClaim from its pool, as Kerf would. Returns the name of the NodeClaim. */
export const createClaimOfPool = async (harness: Harness, options: RunningNodeOptions = {}): Promise<string> => {
  const pool = await harness.readPool(options.pool)
  const name = harness.newName('n')
  const { taints, startupTaints, nodeClassRef: ref, terminationGracePeriod, expireAfter } = pool.spec.template.spec
  const claim = claimObject(
    pool,
    name,
    {
      ...options.metadata,
      labels: {
        ...pool.spec.template.metadata?.labels,
        [labels.nodePool]: pool.metadata.name,
        [nodeClassLabel(ref)]: ref.name,
        ...options.metadata?.labels,
      },
      annotations: { ...hashAnnotations(pool), ...options.metadata?.annotations },
    },
    {
      nodeClassRef: ref,
      requirements: [
        { key: labels.instanceType, operator: 'In', values: [options.type ?? 'c-4x-amd64-linux'] },
        { key: labels.capacityType, operator: 'In', values: [options.capacityType ?? 'on-demand'] },
        { key: labels.zone, operator: 'In', values: [options.zone ?? 'test-zone-a'] },
      ],
      resources: { requests: { cpu: '1' } },
      ...(taints === undefined ? {} : { taints }),
      ...(startupTaints === undefined ? {} : { startupTaints }),
      ...(terminationGracePeriod === undefined ? {} : { terminationGracePeriod }),
      ...(expireAfter === undefined ? {} : { expireAfter }),
      ...options.spec,
    },
  )
  await harness.admin.create(karpenterKinds.NodeClaim, claim)
  return name
}

/**
 * Launches nodes and waits until all are initialized.
 *
 * @throws if this takes more than two minutes.
 */
export const launchNodes = async (
  harness: Harness,
  count: number,
  options: RunningNodeOptions = {},
): Promise<readonly RunningNode[]> => {
  const names: string[] = []
  for (let index = 0; index < count; index++) names.push(await createClaimOfPool(harness, options))
  const areInitialized = async (): Promise<boolean> => {
    const all = await harness.claims()
    return names.every((name) =>
      all.some((claim) => claim.metadata.name === name && isConditionTrue(claim, 'Initialized')),
    )
  }
  for (let attempt = 0; !(await areInitialized()); attempt++) {
    if (attempt > 240) throw new Error(`not all of ${names.join(', ')} are initialized`)
    await harness.pass(500)
  }
  const all = await harness.claims()
  return names.map((name) => ({
    claim: name,
    node: all.find(({ metadata }) => metadata.name === name)?.status?.nodeName ?? '',
  }))
}

export const launchNode = async (harness: Harness, options: RunningNodeOptions = {}): Promise<RunningNode> => {
  const [node] = await launchNodes(harness, 1, options)
  if (node === undefined) throw new Error('no node')
  return node
}

/** Removes the not-ready taint from Ready nodes, as the node controller of Kubernetes does. */
export const makeNodesReady = async (harness: Harness): Promise<void> => {
  for (const { metadata, spec } of await harness.nodes()) {
    const taints = spec.taints?.filter(({ key }) => key !== 'node.kubernetes.io/not-ready') ?? []
    await harness.patch(kinds.Node, metadata.name, { spec: { taints } })
  }
  await harness.pass(1_000)
}
