import {
  findCondition,
  groupVersion,
  karpenterKinds,
  labels,
  type NodeClaim,
  type NodeClaimSpec,
  nodeClassLabel,
} from '@kerf/apis'
import { nodeClassRef } from '@kerf/testing'
import type { Harness } from './harness.ts'
import { ONLY_CLAIM } from './harness-readings.ts'

export interface ClaimOptions {
  readonly pool?: string
  readonly spec?: Partial<NodeClaimSpec>
  readonly metadata?: Partial<NodeClaim['metadata']>
}

/** Creates a NodeClaim of an instance type with four CPUs. It needs no NodePool. */
export const createClaim = async (
  harness: Harness,
  name = ONLY_CLAIM,
  options: ClaimOptions = {},
): Promise<NodeClaim> => {
  const { spec, metadata, pool } = options
  return await harness.admin.create(karpenterKinds.NodeClaim, {
    apiVersion: groupVersion(karpenterKinds.NodeClaim),
    kind: 'NodeClaim',
    metadata: {
      name,
      ...metadata,
      labels: {
        [labels.nodePool]: pool ?? 'default',
        [nodeClassLabel(nodeClassRef)]: nodeClassRef.name,
        ...metadata?.labels,
      },
    },
    spec: {
      nodeClassRef,
      requirements: [{ key: labels.instanceType, operator: 'In', values: ['s-4x-amd64-linux'] }],
      resources: { requests: { cpu: '1' } },
      expireAfter: 'Never',
      ...spec,
    },
  })
}

/**
 * Creates a NodeClaim and waits until its node is initialized.
 *
 * @throws if this takes more than three seconds.
 */
export const createInitializedClaim = async (
  harness: Harness,
  name = ONLY_CLAIM,
  options: ClaimOptions = {},
): Promise<NodeClaim> => {
  await createClaim(harness, name, options)
  await harness.pass(3_000)
  const claim = await harness.readClaim(name)
  if (claim === undefined || findCondition(claim, 'Initialized')?.status !== 'True') {
    throw new Error(`the NodeClaim ${name} did not initialize: ${JSON.stringify(claim?.status)}`)
  }
  return claim
}
