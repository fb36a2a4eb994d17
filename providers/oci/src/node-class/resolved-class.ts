import type { RequirementSpec } from '@kerf/engine'
import type { Dialect } from '../names.ts'

/** The rest of the provider uses a node class of either kind only through the types in this file. */

type Texts = Readonly<Record<string, string>>

/** Defined tags or security attributes: values by key, by namespace. */
export type NamespacedTexts = Readonly<Record<string, Texts>>

/** An image from the status of the class. */
export interface ResolvedImage {
  readonly id: string
  readonly name: string | undefined
  /** What an instance type must satisfy to boot the image. Empty if only the cloud knows which shapes can boot the image. */
  readonly requirements: readonly RequirementSpec[]
}

/** A subnet from the status of the class. */
export interface ResolvedSubnet {
  readonly id: string
  readonly name: string | undefined
}

/** A network interface of an instance. */
export interface ResolvedVnic {
  /** The subnets from which a launch chooses one. Empty while the class is not resolved. */
  readonly subnets: readonly ResolvedSubnet[]
  readonly nsgIds: readonly string[]
  readonly displayName: string | undefined
  readonly assignPublicIp: boolean | undefined
  readonly assignIpv6Ip: boolean | undefined
  /** If absent, the value is true for an OCINodeClass, and the default of the cloud for an OciNodeClass. */
  readonly skipSourceDestCheck: boolean | undefined
  readonly securityAttributes: NamespacedTexts
  readonly ipv6SubnetCidrs: readonly string[]
}

/** A network interface for pods with VCN-native pod networking. */
export interface SecondaryVnic extends ResolvedVnic {
  /** The maximum number of pod addresses. Absent: 32. */
  readonly ipCount: number | undefined
  readonly nicIndex: number | undefined
  readonly applicationResource: string | undefined
}

export interface BootVolume {
  /** Absent: the size of the image. */
  readonly sizeInGBs: number | undefined
  readonly vpusPerGB: number | undefined
  readonly kmsKeyId: string | undefined
  readonly pvEncryptionInTransit: boolean | undefined
}

/** A block volume that Oracle Cloud creates with the instance. */
export interface DataVolume {
  readonly sizeInGBs: number
  readonly vpusPerGB: number
}

export interface ResolvedLaunchOptions {
  readonly bootVolumeType: string | undefined
  readonly remoteDataVolumeType: string | undefined
  readonly firmware: string | undefined
  readonly networkType: string | undefined
  readonly isConsistentVolumeNamingEnabled: boolean | undefined
}

/** The settings of the kubelet. Kerf does not pass an absent value to the kubelet, unless the bootstrap says otherwise. */
export interface KubeletSettings {
  readonly clusterDNS: readonly string[]
  readonly maxPods: number | undefined
  readonly podsPerCore: number | undefined
  readonly systemReserved: Texts | undefined
  readonly kubeReserved: Texts | undefined
  readonly evictionHard: Texts | undefined
  readonly evictionSoft: Texts | undefined
  readonly evictionSoftGracePeriod: Texts | undefined
  readonly evictionMaxPodGracePeriod: number | undefined
  readonly imageGCHighThresholdPercent: number | undefined
  readonly imageGCLowThresholdPercent: number | undefined
  readonly cpuCFSQuota: boolean | undefined
  readonly nodeLabels: Texts
  /** Arguments of the kubelet that no other field covers, as one text. */
  readonly extraArgs: string | undefined
}

/**
 * How an instance joins the cluster. `oke-mime`: a MIME document with the user data of the class and the install script of OKE. `ubuntu`:
 * one script for a self-managed cluster. `custom`: only the user data of the class. `oke-script`: the install script of OKE between two
 * scripts of the class, which are base64.
 */
export type Bootstrap =
  | { readonly form: 'oke-mime'; readonly userData: string | undefined }
  | { readonly form: 'ubuntu'; readonly userData: string | undefined; readonly preInstallScript: string | undefined }
  | { readonly form: 'custom'; readonly userData: string | undefined }
  | {
      readonly form: 'oke-script'
      readonly preBootstrapInitScript: string | undefined
      readonly postBootstrapInitScript: string | undefined
    }

export type Baseline = 'BASELINE_1_8' | 'BASELINE_1_2' | 'BASELINE_1_1'

/** A size that the class requests of every flexible shape. */
export interface ShapeSize {
  readonly ocpus: number | undefined
  readonly memoryInGBs: number | undefined
  readonly baseline: Baseline | undefined
}

/** A capacity reservation, cluster placement group or compute cluster from the status of the class. */
export interface ResolvedPlacement {
  readonly id: string
  readonly name: string | undefined
  /** The full name of the availability domain, with the prefix of the tenancy. */
  readonly availabilityDomain: string
}

/** A node class of either kind: what its spec says, and what its status has found in the cloud. */
export interface ResolvedClass {
  readonly dialect: Dialect
  readonly name: string
  readonly uid: string
  readonly isDeleting: boolean
  /** The hash of the spec, as the public provider of the kind computes it, and its version. */
  readonly hash: string
  readonly hashVersion: string
  /** The compartment of the instances. Absent: that of the settings. */
  readonly compartmentId: string | undefined
  readonly bootstrap: Bootstrap
  /** The images of the status, the preferred image first. Empty while the class is not resolved. */
  readonly images: readonly ResolvedImage[]
  readonly primaryVnic: ResolvedVnic
  readonly secondaryVnics: readonly SecondaryVnic[]
  readonly bootVolume: BootVolume
  readonly dataVolumes: readonly DataVolume[]
  /** Absent if the class has no launch options. */
  readonly launchOptions: ResolvedLaunchOptions | undefined
  /** The plugins of Oracle Cloud Agent that are enabled on instances. */
  readonly agentPlugins: readonly string[]
  readonly definedTags: NamespacedTexts
  readonly freeformTags: Texts
  readonly metadata: Texts
  readonly sshAuthorizedKeys: readonly string[]
  readonly kubelet: KubeletSettings
  /** The sizes of flexible shapes. If absent, those of the settings apply. */
  readonly shapeSizes: readonly ShapeSize[] | undefined
  /** At most one of the following three is not empty. */
  readonly capacityReservations: readonly ResolvedPlacement[]
  readonly placementGroups: readonly ResolvedPlacement[]
  readonly computeCluster: ResolvedPlacement | undefined
}
