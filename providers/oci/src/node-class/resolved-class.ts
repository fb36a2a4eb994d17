import type { RequirementSpec } from '@kerf/engine'
import type { Upstream } from '../names.ts'

/** The common model of both node class kinds. The rest of the provider uses node classes only through these types. */

type Texts = Readonly<Record<string, string>>

/** Defined tags or security attributes: a map from namespace to key to value. */
export type NamespacedTexts = Readonly<Record<string, Texts>>

/** An image from the status of the class. */
export interface ResolvedImage {
  readonly id: string
  readonly name: string | undefined
  /** The requirements that an instance type must meet to boot the image. Empty if only the cloud can report which shapes boot the image. */
  readonly requirements: readonly RequirementSpec[]
}

/** A subnet from the status of the class. */
export interface ResolvedSubnet {
  readonly id: string
  readonly name: string | undefined
}

/** A network interface of an instance. */
export interface ResolvedVnic {
  /** The subnets that a launch chooses from. Empty while the class is not resolved. */
  readonly subnets: readonly ResolvedSubnet[]
  readonly nsgIds: readonly string[]
  readonly displayName: string | undefined
  readonly assignPublicIp: boolean | undefined
  readonly assignIpv6Ip: boolean | undefined
  /** If absent, the value is true for an OCINodeClass. For an OciNodeClass, the cloud's default applies. */
  readonly skipSourceDestCheck: boolean | undefined
  readonly securityAttributes: NamespacedTexts
  readonly ipv6SubnetCidrs: readonly string[]
}

/** A network interface for pods with VCN-native pod networking. */
export interface SecondaryVnic extends ResolvedVnic {
  /** The maximum number of pod addresses. If absent, 32. */
  readonly ipCount: number | undefined
  readonly nicIndex: number | undefined
  readonly applicationResource: string | undefined
}

export interface BootVolume {
  /** If absent, the boot volume has the size of the image. */
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

/** The settings of the kubelet. Kerf passes no argument for an absent value, except where the bootstrap defines a default. */
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
  /** Kubelet arguments that no other field covers, as one text. */
  readonly extraArgs: string | undefined
}

/**
 * The script with which an instance joins the cluster. `oke-mime`: a MIME document with the class's user data and OKE's install script.
 * `ubuntu`: one script for a self-managed cluster. `custom`: only the class's user data. `oke-script`: OKE's install script between the
 * class's two base64 scripts.
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

/** A size that the class requests for every flexible shape. */
export interface ShapeSize {
  readonly ocpus: number | undefined
  readonly memoryInGBs: number | undefined
  readonly baseline: Baseline | undefined
}

/** A capacity reservation, cluster placement group or compute cluster from the status of the class. */
export interface ResolvedPlacement {
  readonly id: string
  readonly name: string | undefined
  /** The full name of the availability domain, with the tenancy's prefix. */
  readonly availabilityDomain: string
}

/** A node class of either kind: the settings from its spec, and the cloud resources from its status. */
export interface ResolvedClass {
  readonly upstream: Upstream
  readonly name: string
  readonly uid: string
  readonly isDeleting: boolean
  /** The hash of the spec and its version. They equal those of the kind's public provider. */
  readonly hash: string
  readonly hashVersion: string
  /** The compartment of the instances. If absent, the compartment from the settings. */
  readonly compartmentId: string | undefined
  readonly bootstrap: Bootstrap
  /** The images from the status, the preferred image first. Empty while the class is not resolved. */
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
  /** The sizes of flexible shapes. If absent, the sizes from the settings apply. */
  readonly shapeSizes: readonly ShapeSize[] | undefined
  /** At most one of the next three fields is not empty. */
  readonly capacityReservations: readonly ResolvedPlacement[]
  readonly placementGroups: readonly ResolvedPlacement[]
  readonly computeCluster: ResolvedPlacement | undefined
}
