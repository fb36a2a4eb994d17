import { groupVersion } from '@kerf/apis'
import { type NodeClassOptions, objectMetadata } from '@kerf/testing'
import {
  type AKSNodeClass,
  type AKSNodeClassSpec,
  type AKSNodeClassStatus,
  aksNodeClassKind,
} from '../node-class/aks-node-class.ts'

/** Returns an AKSNodeClass with default values. */
export const aksNodeClass = (
  name: string,
  options: NodeClassOptions<AKSNodeClassSpec, AKSNodeClassStatus> = {},
): AKSNodeClass => ({
  apiVersion: groupVersion(aksNodeClassKind),
  kind: 'AKSNodeClass',
  metadata: objectMetadata(name, { ...options, metadata: { generation: 1, ...options.metadata } }),
  spec: { ...options.spec },
  ...(options.status === undefined ? {} : { status: options.status }),
})
