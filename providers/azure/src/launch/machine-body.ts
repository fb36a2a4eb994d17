import type { Taint } from '@kerf/apis'
import type { MachineRequest, MachineRequestProperties } from '../api/machine-shapes.ts'
import { taintText } from '../bootstrap/registered-taints.ts'
import { resolvedFamily } from '../images/image-family.ts'
import { classTraits } from '../instance-type/class-traits.ts'
import { azureLabels } from '../label-names.ts'
import type { AKSNodeClass } from '../node-class/aks-node-class.ts'
import type { AzureSettings } from '../settings/azure-settings.ts'
import { ephemeralOsDiskFor, type VmSize } from '../sizes/vm-size.ts'
import { findGpuSize } from '../tables/gpu-sizes.ts'
import type { Tags } from '../tags/resource-tags.ts'
import { toKubeletConfig, toLinuxOsConfig, toLocalDns } from './machine-class.ts'
import { machineLabels } from './node-labels.ts'

export interface MachinePlan {
  readonly nodeClass: AKSNodeClass
  readonly settings: AzureSettings
  readonly size: VmSize
  /** `1`, `2` or `3`. Undefined for a machine without a zone. */
  readonly zone: string | undefined
  readonly isSpot: boolean
  readonly hasUltraSsd: boolean
  /** The AKS name of the image. */
  readonly nodeImageVersion: string
  /** All labels of the node. Kerf removes those that AKS sets itself. */
  readonly labels: Readonly<Record<string, string>>
  readonly taints: readonly Taint[]
  readonly tags: Tags
}

/** Returns the AKS name of the operating system. Without an explicit family, it depends on FIPS and the Kubernetes version. */
const nodeClassOsSku = (nodeClass: AKSNodeClass, settings: AzureSettings): string => {
  const traits = classTraits(nodeClass, settings)
  if (traits.imageFamily === 'AzureLinux') return 'AzureLinux'
  if (traits.imageFamily === 'Ubuntu' && traits.fips) return 'Ubuntu'
  return resolvedFamily(traits, nodeClass.status?.kubernetesVersion ?? '') === 'Ubuntu2404'
    ? 'Ubuntu2404'
    : 'Ubuntu2204'
}

const systemOf = ({ nodeClass, settings, size }: MachinePlan): MachineRequestProperties['operatingSystem'] => {
  const { osDiskSizeGB, fips } = classTraits(nodeClass, settings)
  const linux = nodeClass.spec?.linuxOSConfig
  return {
    osType: 'Linux',
    osSKU: nodeClassOsSku(nodeClass, settings),
    osDiskSizeGB,
    osDiskType: ephemeralOsDiskFor(size, osDiskSizeGB) === undefined ? 'Managed' : 'Ephemeral',
    enableFIPS: fips,
    ...(linux === undefined ? {} : { linuxProfile: { linuxOSConfig: toLinuxOsConfig(linux) } }),
  }
}

const planKubernetes = (plan: MachinePlan): MachineRequestProperties['kubernetes'] => {
  const { nodeClass, settings, size, taints, labels } = plan
  const { maxPods, artifactStreaming } = classTraits(nodeClass, settings)
  const kubelet = nodeClass.spec?.kubelet
  return {
    nodeLabels: machineLabels(labels),
    orchestratorVersion: nodeClass.status?.kubernetesVersion ?? '',
    ...(kubelet === undefined ? {} : { kubeletConfig: toKubeletConfig(kubelet) }),
    // If the taints were in `nodeTaints`, AKS would restore them after the core removes them.
    nodeInitializationTaints: taints.map(taintText),
    nodeTaints: [],
    maxPods,
    artifactStreamingProfile: { enabled: artifactStreaming && size.arch !== 'arm64' },
  }
}

/** Returns the request body for a machine of an AKS pool that becomes a node (`providers/azure/docs/spec/azure.md#aks-machine-api-mode`). */
export const machineBody = (plan: MachinePlan): MachineRequest => {
  const { nodeClass, settings, size, zone, isSpot, labels } = plan
  const { encryptionAtHost, trustedLaunch } = nodeClass.spec?.security ?? {}
  const { vtpm, secureBoot } = trustedLaunch ?? {}
  const subnet = nodeClass.spec?.vnetSubnetID
  const localDns = toLocalDns(nodeClass)
  const hasDriver = classTraits(nodeClass, settings).gpuDrivers && findGpuSize(size.name)?.manufacturer === 'nvidia'
  return {
    ...(zone === undefined ? {} : { zones: [zone] }),
    properties: {
      nodeImageVersion: plan.nodeImageVersion,
      // Without a subnet, AKS uses the subnet of the cluster.
      ...(subnet === undefined ? {} : { network: { vnetSubnetID: subnet } }),
      hardware: {
        vmSize: size.name,
        ...(size.gpus === 0 ? {} : { gpuProfile: { driver: hasDriver ? 'Install' : 'None' } }),
        ...(plan.hasUltraSsd ? { ultraSsdEnabled: true } : {}),
      },
      operatingSystem: systemOf(plan),
      kubernetes: planKubernetes(plan),
      mode: labels[azureLabels.mode] === 'system' ? 'System' : 'User',
      security: {
        sshAccess: 'LocalUser',
        ...(encryptionAtHost === undefined ? {} : { enableEncryptionAtHost: encryptionAtHost }),
        ...(vtpm === undefined ? {} : { enableVTPM: vtpm }),
        ...(secureBoot === undefined ? {} : { enableSecureBoot: secureBoot }),
      },
      priority: isSpot ? 'Spot' : 'Regular',
      tags: plan.tags,
      ...(localDns === undefined ? {} : { localDNSProfile: localDns }),
    },
  }
}
