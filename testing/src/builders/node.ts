import { labels, type Node, type NodeSpec, type NodeStatus, type ResourceList } from '@kerf/apis'
import { DEFAULT_INSTANCE_TYPE } from '../node-labels.ts'
import { type MetadataOptions, metadataOf } from './metadata.ts'

export interface NodeOptions extends MetadataOptions {
  /** The NodePool of a managed node. A node without one is somebody else's. */
  readonly pool?: string | undefined
  readonly providerID?: string | undefined
  /** All of it is allocatable. */
  readonly capacity?: ResourceList | undefined
  readonly spec?: Readonly<NodeSpec> | undefined
  readonly status?: Readonly<NodeStatus> | undefined
}

/** A Node. With `pool` it has the labels of a managed one; `readyNodeLabels` make it registered and initialized. */
export const node = (name: string, options: NodeOptions = {}): Node & { readonly status: NodeStatus } => {
  const { pool, providerID, capacity = {} } = options
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: metadataOf(name, {
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
