import { labels, type Node, type NodeSpec, type NodeStatus, type ResourceList } from '@kerf/apis'
import { DEFAULT_INSTANCE_TYPE } from '../node-labels.ts'
import { type MetadataOptions, objectMetadata } from './metadata.ts'

export interface NodeOptions extends MetadataOptions {
  /** The NodePool to which the node belongs. Kerf does not manage a node without a NodePool. */
  readonly pool?: string | undefined
  readonly providerID?: string | undefined
  /** The capacity of the node. The allocatable resources are the same. */
  readonly capacity?: ResourceList | undefined
  readonly spec?: Readonly<NodeSpec> | undefined
  readonly status?: Readonly<NodeStatus> | undefined
}

/**
 * Returns a Node. If `pool` is set, the Node has the labels of a managed node. The labels in `readyNodeLabels` mark it as registered and
 * initialized.
 */
export const node = (name: string, options: NodeOptions = {}): Node & { readonly status: NodeStatus } => {
  const { pool, providerID, capacity = {} } = options
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: objectMetadata(name, {
      ...options,
      labels: {
        ...(pool === undefined ? {} : { [labels.nodePool]: pool, [labels.instanceType]: DEFAULT_INSTANCE_TYPE }),
        ...options.labels,
      },
    }),
    spec: { ...(providerID === undefined ? {} : { providerID }), ...options.spec },
    status: { capacity, allocatable: capacity, ...options.status },
  }
}
