import {
  type Condition,
  groupVersion,
  karpenterKinds,
  labels,
  type NodeClaim,
  type NodeClaimSpec,
  type NodeClaimStatus,
} from '@kerf/apis'
import { DEFAULT_INSTANCE_TYPE } from '../node-labels.ts'
import { type MetadataOptions, objectMetadata } from './metadata.ts'
import { nodeClassRef } from './node-class.ts'

export interface NodeClaimOptions extends MetadataOptions {
  /** The NodePool from which the NodeClaim was created. The default is `default`. */
  readonly pool?: string | undefined
  readonly providerID?: string | undefined
  readonly nodeName?: string | undefined
  /** The capacity that the provider estimated at launch. The allocatable resources are the same. */
  readonly capacity?: Readonly<Record<string, string>> | undefined
  readonly conditions?: readonly Condition[] | undefined
  readonly spec?: Readonly<Partial<NodeClaimSpec>> | undefined
  readonly status?: Readonly<NodeClaimStatus> | undefined
}

/** Returns a NodeClaim without conditions. Options add the steps of its lifecycle. */
export const nodeClaim = (
  name: string,
  options: NodeClaimOptions = {},
): NodeClaim & { readonly status: NodeClaimStatus } => {
  const { pool = 'default', providerID, nodeName, capacity, conditions } = options
  return {
    apiVersion: groupVersion(karpenterKinds.NodeClaim),
    kind: 'NodeClaim',
    metadata: objectMetadata(name, {
      ...options,
      labels: { [labels.nodePool]: pool, [labels.instanceType]: DEFAULT_INSTANCE_TYPE, ...options.labels },
      metadata: { generation: 1, ...options.metadata },
    }),
    spec: { requirements: [], nodeClassRef, ...options.spec },
    status: {
      ...(providerID === undefined ? {} : { providerID }),
      ...(nodeName === undefined ? {} : { nodeName }),
      ...(capacity === undefined ? {} : { capacity, allocatable: capacity }),
      ...(conditions === undefined ? {} : { conditions }),
      ...options.status,
    },
  }
}
