import { labels, ownValue } from '@kerf/apis'
import { diskTypeLabel, GCP_GROUP, gcpLabels, readinessLabels } from '../label-names.ts'
import { diskTypesOfFamily } from '../tables/disk-types.ts'
import { gpusOfType } from '../type-facts.ts'
import { parseTypeName } from '../type-name.ts'
import type { NodeLabels } from './label-text.ts'
import type { NodePlan } from './node-plan.ts'
import { secondaryBootDisks } from './secondary-boot-disks.ts'

/**
 * Labels that GKE sets on its own nodes if the matching agents are installed. Instance types have requirements for all of them except the
 * kube-proxy label.
 */
const INHERITED: readonly string[] = [...readinessLabels, 'node.kubernetes.io/kube-proxy-ds-ready']
const SECONDARY_DISK = 'cloud.google.com.node-restriction.kubernetes.io/gke-secondary-boot-disk-'

/** Returns the readiness labels among the labels of the source node pool. */
const inherited = (source: NodeLabels): NodeLabels =>
  Object.fromEntries(
    INHERITED.flatMap((key) => {
      const value = ownValue(source, key)
      return value === undefined ? [] : [[key, value] as const]
    }),
  )

const gpuLabels = ({ facts, gpuDriverVersion }: NodePlan): NodeLabels => {
  const gpus = gpusOfType(facts)
  if (gpus === undefined) return {}
  return {
    [gcpLabels.accelerator]: gpus.type,
    'cloud.google.com/gke-gpu-driver-version': gpuDriverVersion,
    [gcpLabels.cpuScalingLevel]: `${facts.vcpus}`,
  }
}

const commonLabels = (plan: NodePlan): NodeLabels => {
  const { facts, family, isSpot, maxPods, nodeClass, nodePool } = plan
  const machineFamily = parseTypeName(facts.name)?.family
  return {
    [labels.nodePool]: nodePool,
    [`${GCP_GROUP}/gcenodeclass`]: nodeClass,
    'max-pods-per-node': `${maxPods}`,
    'max-pods': `${maxPods}`,
    'cloud.google.com/gke-os-distribution': family === 'Ubuntu' ? 'ubuntu' : 'cos',
    'gke-provisioning': isSpot ? 'spot' : 'standard',
    ...(machineFamily === undefined ? {} : { 'cloud.google.com/machine-family': machineFamily }),
    ...gpuLabels(plan),
    ...Object.fromEntries(
      (diskTypesOfFamily(machineFamily ?? '') ?? []).map((type) => [diskTypeLabel(type), 'true'] as const),
    ),
  }
}

/**
 * Returns the labels with which the kubelet registers the Node (`providers/gcp/docs/spec/gcp.md#bootstrap`). Excludes the NodeClaim's
 * labels, which Kerf's core adds when it registers the Node.
 *
 * @param source the labels with which GKE's own nodes of the source node pool register
 */
export const registrationLabels = (plan: NodePlan, source: NodeLabels): NodeLabels => ({
  ...inherited(source),
  ...commonLabels(plan),
})

/** Returns the labels in the metadata item `kube-labels`, which GKE's agents read. */
export const kubeLabels = (plan: NodePlan, source: NodeLabels): NodeLabels => ({
  ...inherited(source),
  ...commonLabels(plan),
  [labels.registered]: 'true',
  ...Object.fromEntries(
    secondaryBootDisks(plan.disks).map(({ name, mode }) => [`${SECONDARY_DISK}${name}`, `${mode}.${plan.project}`]),
  ),
})
