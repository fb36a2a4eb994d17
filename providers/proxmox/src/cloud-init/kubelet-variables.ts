import { formatDuration, formatQuantity, ownValue, taints, toNumber, tryParseDuration, zero } from '@kerf/apis'
import type { InstanceTypeOverhead, Resources } from '@kerf/engine'
import { GoStruct, type GoValue } from '../go-template/go-value.ts'
import type { ProxmoxNodeClass } from '../node-class/proxmox-node-class.ts'

const MIB = 1024 ** 2
const GIB = 1024 ** 3

/** The kubelet's default eviction thresholds. The threshold for memory comes from the instance type. */
const EVICTION = { 'imagefs.available': '15%', 'nodefs.available': '10%' }

/** The fields of KubeletConfiguration, in the order and with the YAML names on which templates may rely. */
const YAML_NAMES = Object.fromEntries(
  [
    ...['CPUManagerPolicy', 'CPUCFSQuota', 'CPUManagerPolicyOptions', 'CPUManagerReconcilePeriod'],
    ...['MemoryManagerPolicy', 'TopologyManagerPolicy', 'TopologyManagerScope', 'TopologyManagerPolicyOptions'],
    ...['ImageMinimumGCAge', 'ImageMaximumGCAge', 'ImageGCHighThresholdPercent', 'ImageGCLowThresholdPercent'],
    ...['ShutdownGracePeriod', 'ShutdownGracePeriodCriticalPods', 'AllowedUnsafeSysctls', 'ClusterDNS', 'MaxPods'],
    ...['ProviderID', 'FailSwapOn', 'SystemReserved', 'KubeReserved', 'EvictionHard', 'RegisterWithTaints'],
  ].map((name) => [name, name.startsWith('CPU') ? `cpu${name.slice(3)}` : `${name[0]?.toLowerCase()}${name.slice(1)}`]),
)

/** Returns resources in the units of the kubelet's reservation fields. */
const reservation = (resources: Resources | undefined): ReadonlyMap<string, GoValue> => {
  const amount = (name: string): number => toNumber(ownValue(resources, name) ?? zero)
  const amounts: readonly (readonly [string, number, string])[] = [
    ['cpu', Math.round(amount('cpu') * 1_000), 'm'],
    ['memory', Math.floor(amount('memory') / MIB), 'Mi'],
    ['ephemeral-storage', Math.floor(amount('ephemeral-storage') / GIB), 'Gi'],
  ]
  return new Map(amounts.flatMap(([name, number, unit]) => (number > 0 ? [[name, `${number}${unit}`] as const] : [])))
}

const duration = (text: string | undefined): string | undefined => {
  const parsed = text === undefined ? undefined : tryParseDuration(text)
  return parsed === undefined ? undefined : formatDuration(parsed)
}

/**
 * Returns the variable `.Kubernetes.KubeletConfiguration`: the settings of the class, and the resources that the instance type reserves
 * (`providers/proxmox/docs/spec/proxmox.md#cloud-init`).
 */
export const kubeletVariables = (
  { spec }: Pick<ProxmoxNodeClass, 'spec'>,
  overhead: InstanceTypeOverhead,
  providerID: string,
): GoStruct => {
  const kubelet = spec?.kubeletConfiguration ?? {}
  const { kubeReserved, systemReserved, evictionThreshold } = overhead
  const memory = evictionThreshold?.['memory']
  return new GoStruct(
    {
      CPUManagerPolicy: kubelet.cpuManagerPolicy ?? '',
      CPUCFSQuota: kubelet.cpuCFSQuota,
      CPUManagerPolicyOptions: new Map(),
      CPUManagerReconcilePeriod: undefined,
      MemoryManagerPolicy: '',
      TopologyManagerPolicy: kubelet.topologyManagerPolicy ?? '',
      TopologyManagerScope: kubelet.topologyManagerScope ?? '',
      TopologyManagerPolicyOptions: new Map(),
      ImageMinimumGCAge: undefined,
      ImageMaximumGCAge: undefined,
      ImageGCHighThresholdPercent: kubelet.imageGCHighThresholdPercent,
      ImageGCLowThresholdPercent: kubelet.imageGCLowThresholdPercent,
      ShutdownGracePeriod: duration(kubelet.shutdownGracePeriod),
      ShutdownGracePeriodCriticalPods: undefined,
      AllowedUnsafeSysctls: kubelet.allowedUnsafeSysctls ?? [],
      ClusterDNS: kubelet.clusterDNS ?? [],
      MaxPods: kubelet.maxPods,
      ProviderID: providerID,
      FailSwapOn: kubelet.failSwapOn,
      SystemReserved: reservation(systemReserved),
      KubeReserved: reservation(kubeReserved),
      EvictionHard:
        memory === undefined
          ? new Map()
          : new Map(Object.entries({ ...EVICTION, 'memory.available': formatQuantity(memory, 'BinarySI') })),
      RegisterWithTaints: [
        new GoStruct(
          { Key: taints.unregistered.key, Value: '', Effect: taints.unregistered.effect },
          { Key: 'key', Value: 'value', Effect: 'effect' },
        ),
      ],
    },
    YAML_NAMES,
  )
}
