import { groupVersion } from '@kerf/apis'
import { type NodeClassOptions, objectMetadata } from '@kerf/testing'
import {
  type GCENodeClass,
  type GCENodeClassSpec,
  type GCENodeClassStatus,
  gceNodeClassKind,
} from '../node-class/gce-node-class.ts'

/** Returns a GCENodeClass with default values: the newest image of ContainerOptimizedOS. */
export const gceNodeClass = (
  name: string,
  options: NodeClassOptions<Partial<GCENodeClassSpec>, GCENodeClassStatus> = {},
): GCENodeClass => ({
  apiVersion: groupVersion(gceNodeClassKind),
  kind: 'GCENodeClass',
  metadata: objectMetadata(name, { ...options, metadata: { generation: 1, ...options.metadata } }),
  spec: {
    imageSelectorTerms: [{ family: 'ContainerOptimizedOS', version: 'latest' }],
    gpuDriverVersion: 'default',
    ...options.spec,
  },
  ...(options.status === undefined ? {} : { status: options.status }),
})
