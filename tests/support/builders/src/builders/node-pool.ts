import { groupVersion, karpenterKinds, type NodePool, type NodePoolSpec, type NodePoolStatus } from '@kerf/apis'
import { condition } from '../condition.ts'
import { type MetadataOptions, objectMetadata } from './metadata.ts'
import { nodeClassRef } from './node-class.ts'

type Template = NodePoolSpec['template']
/** The options of `nodePool`: metadata, fields of the spec, and fields of the template. */
type OwnFields = { readonly [Field in Exclude<keyof NodePoolSpec, 'template'>]?: NodePoolSpec[Field] | undefined }

export interface NodePoolOptions extends MetadataOptions, OwnFields {
  readonly requirements?: Template['spec']['requirements'] | undefined
  /** Labels and annotations for the NodeClaims. */
  readonly templateMetadata?: NonNullable<Template['metadata']> | undefined
  /** Additional fields in the spec of the NodeClaims. */
  readonly templateSpec?: Readonly<Partial<Template['spec']>> | undefined
  /** The whole template. Replaces the three options above. */
  readonly template?: Template | undefined
  readonly status?: Readonly<NodePoolStatus> | undefined
}

/** Returns a ready NodePool of the KWOKNodeClass `default`. It allows every instance type. */
export const nodePool = (
  name: string,
  options: NodePoolOptions = {},
): NodePool & { readonly status: NodePoolStatus } => {
  const { requirements = [], templateMetadata, templateSpec } = options
  const { disruption, limits, weight, replicas } = options
  return {
    apiVersion: groupVersion(karpenterKinds.NodePool),
    kind: 'NodePool',
    metadata: objectMetadata(name, { ...options, metadata: { generation: 1, ...options.metadata } }),
    spec: {
      template: options.template ?? {
        ...(templateMetadata === undefined ? {} : { metadata: templateMetadata }),
        spec: { requirements, nodeClassRef, ...templateSpec },
      },
      ...(disruption === undefined ? {} : { disruption }),
      ...(limits === undefined ? {} : { limits }),
      ...(weight === undefined ? {} : { weight }),
      ...(replicas === undefined ? {} : { replicas }),
    },
    status: {
      conditions: [condition('ValidationSucceeded'), condition('NodeClassReady'), condition('Ready')],
      ...options.status,
    },
  }
}
