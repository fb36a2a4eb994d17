import type { Resources } from '@kerf/engine'
import type { GCENodeClass, GCENodeClassSpec } from '../node-class/gce-node-class.ts'
import { classImageFamily, type ImageFamily } from '../node-class/image-family.ts'
import type { TypeFacts } from '../type-facts.ts'

/** The values that the bootstrap of a node depends on. */
export interface NodePlan {
  readonly project: string
  readonly zone: string
  readonly nodePool: string
  /** The name of the node class. */
  readonly nodeClass: string
  readonly family: ImageFamily
  readonly facts: TypeFacts
  readonly isSpot: boolean
  readonly maxPods: number
  readonly disks: NonNullable<GCENodeClassSpec['disks']>
  readonly kubelet: NonNullable<GCENodeClassSpec['kubeletConfiguration']>
  readonly gpuDriverVersion: string
  readonly hasGpuTaint: boolean
  /** The custom metadata of the node class. */
  readonly metadata: Readonly<Record<string, string>>
  /** The resources that the instance type reserves for Kubernetes. */
  readonly kubeReserved: Resources
}

const DEFAULT_MAX_PODS = 110

/** Returns the plan of a node of the node class. */
export const nodePlan = (
  { metadata, spec, ...rest }: GCENodeClass,
  node: Pick<NodePlan, 'project' | 'zone' | 'nodePool' | 'facts' | 'isSpot' | 'kubeReserved'>,
): NodePlan => ({
  ...node,
  nodeClass: metadata.name,
  family: classImageFamily({ ...rest, ...(spec === undefined ? {} : { spec }) }),
  maxPods: spec?.kubeletConfiguration?.maxPods ?? DEFAULT_MAX_PODS,
  disks: spec?.disks ?? [],
  kubelet: spec?.kubeletConfiguration ?? {},
  gpuDriverVersion: spec?.gpuDriverVersion ?? 'default',
  hasGpuTaint: spec?.autoGPUTaint ?? false,
  metadata: spec?.metadata ?? {},
})
