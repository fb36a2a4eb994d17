import { ownValue } from '@kerf/apis'
import { gpusOfType } from '../type-facts.ts'
import { formatKubeEnv, type KubeEnv, parseKubeEnv } from './kube-env.ts'
import { kubeletArgs, labelsInArgs } from './kubelet-args.ts'
import { kubeletConfig } from './kubelet-config.ts'
import { formatLabels, parseLabels } from './label-text.ts'
import { kubeLabels, registrationLabels } from './node-labels.ts'
import type { NodePlan } from './node-plan.ts'
import { secondaryBootDisks, secondaryDeviceName } from './secondary-boot-disks.ts'

type Metadata = Readonly<Record<string, string>>

/** The metadata items that a node gets from the source's template. Kerf drops all other items. */
const KEPT = [
  'cluster-location',
  'cluster-name',
  'cluster-uid',
  'common-psm1',
  'configure-sh',
  'containerd-configure-sh',
  'disable-address-manager',
  'disable-legacy-endpoints',
  'enable-os-login',
  'gci-ensure-gke-docker',
  'gci-metrics-enabled',
  'gci-update-strategy',
  'google-compute-enable-pcid',
  'install-ssh-psm1',
  'instance-template',
  'k8s-node-setup-psm1',
  'kubeconfig',
  'serial-port-logging-enable',
  'startup-script',
  'user-data',
  'user-profile-psm1',
  'windows-startup-script-ps1',
] as const

const UNREGISTERED = 'karpenter.sh/unregistered=true:NoExecute'
const GPU = 'nvidia.com/gpu=present:NoSchedule'

/** The node binaries, if those of the source are for another architecture. */
export interface ServerBinaries {
  readonly url: string
  readonly hash: string
}

const schedulerEntries = ({ family }: NodePlan): Readonly<Record<string, string | undefined>> => {
  switch (family) {
    case 'ContainerOptimizedOS':
      return { ENABLE_NODE_BFQ_IO_SCHEDULER: '"true"', NODE_BFQ_IO_SCHEDULER_IO_WEIGHT: '"1200"' }
    case 'Ubuntu':
      return { ENABLE_NODE_BFQ_IO_SCHEDULER: undefined, NODE_BFQ_IO_SCHEDULER_IO_WEIGHT: undefined }
    case 'Custom':
      return {}
  }
}

const nodeEnv = (source: KubeEnv, plan: NodePlan, binaries: ServerBinaries | undefined): KubeEnv => {
  const args = source.get('KUBELET_ARGS') ?? ''
  const secondary = secondaryBootDisks(plan.disks).map(
    ({ name }) => `/mnt/disks/gke-secondary-disks/${secondaryDeviceName(name)}`,
  )
  const hasGpuTaint = plan.hasGpuTaint && gpusOfType(plan.facts) !== undefined
  const changes: Readonly<Record<string, string | undefined>> = {
    ...schedulerEntries(plan),
    ZONE: plan.zone,
    SECONDARY_BOOT_DISKS: secondary.length === 0 ? undefined : secondary.join(','),
    ...(binaries === undefined ? {} : { SERVER_BINARY_TAR_URL: binaries.url, SERVER_BINARY_TAR_HASH: binaries.hash }),
    KUBELET_ARGS: kubeletArgs(args, {
      maxPods: plan.maxPods,
      labels: registrationLabels(plan, labelsInArgs(args)),
      taints: [UNREGISTERED, ...(hasGpuTaint ? [GPU] : [])],
    }),
  }
  const env = new Map(source)
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined) env.delete(key)
    else env.set(key, value)
  }
  return env
}

/**
 * Returns the metadata with which an instance joins the cluster as a node (`providers/gcp/docs/spec/gcp.md#bootstrap`). It contains
 * credentials of the cluster: never log it.
 *
 * @param source the metadata of the instance template of a GKE node pool
 */
export const instanceMetadata = (source: Metadata, plan: NodePlan, binaries?: ServerBinaries): Metadata => {
  const kept = KEPT.flatMap((key) => {
    const value = ownValue(source, key)
    return value === undefined ? [] : [[key, value] as const]
  })
  return {
    ...Object.fromEntries(kept),
    ...Object.fromEntries(Object.entries(plan.metadata).filter(([key]) => key !== '')),
    'kube-env': formatKubeEnv(nodeEnv(parseKubeEnv(ownValue(source, 'kube-env') ?? ''), plan, binaries)),
    'kube-labels': formatLabels(kubeLabels(plan, parseLabels(ownValue(source, 'kube-labels') ?? ''))),
    'kubelet-config': kubeletConfig(ownValue(source, 'kubelet-config') ?? '', plan),
  }
}
