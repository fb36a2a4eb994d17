import type { Tags } from '../tags/resource-tags.ts'

/** AKS's format of the DNS settings for one zone of a node's DNS server. */
export interface LocalDnsOverride {
  readonly queryLogging: string
  readonly protocol: string
  readonly forwardDestination: string
  readonly forwardPolicy: string
  readonly maxConcurrent: number
  readonly cacheDurationInSeconds: number
  readonly serveStaleDurationInSeconds: number
  readonly serveStale: string
}

/** The writable properties of a machine. */
export interface MachineRequestProperties {
  readonly network?: { readonly vnetSubnetID?: string } | undefined
  readonly hardware?:
    | {
        readonly vmSize?: string
        readonly gpuProfile?: { readonly driver?: 'Install' | 'None' }
        readonly ultraSsdEnabled?: boolean
      }
    | undefined
  readonly operatingSystem?:
    | {
        readonly osType?: 'Linux'
        readonly osSKU?: string
        readonly osDiskSizeGB?: number
        readonly osDiskType?: 'Ephemeral' | 'Managed'
        readonly enableFIPS?: boolean
        readonly linuxProfile?: {
          readonly linuxOSConfig?: {
            readonly sysctls?: Readonly<Record<string, string | number | boolean>>
            readonly transparentHugePageEnabled?: string
            readonly transparentHugePageDefrag?: string
            readonly swapFileSizeMB?: number
          }
        }
      }
    | undefined
  readonly kubernetes?:
    | {
        readonly nodeLabels?: Readonly<Record<string, string>> | undefined
        readonly orchestratorVersion?: string | undefined
        readonly kubeletConfig?: Readonly<Record<string, string | number | boolean | readonly string[]>> | undefined
        readonly nodeInitializationTaints?: readonly string[] | undefined
        readonly nodeTaints?: readonly string[] | undefined
        readonly maxPods?: number | undefined
        readonly artifactStreamingProfile?: { readonly enabled?: boolean } | undefined
      }
    | undefined
  readonly mode?: 'System' | 'User' | undefined
  readonly security?:
    | {
        readonly sshAccess?: 'LocalUser'
        readonly enableEncryptionAtHost?: boolean
        readonly enableVTPM?: boolean
        readonly enableSecureBoot?: boolean
      }
    | undefined
  readonly priority?: 'Regular' | 'Spot' | undefined
  readonly nodeImageVersion?: string | undefined
  readonly tags?: Tags | undefined
  readonly localDNSProfile?:
    | {
        readonly mode?: 'Required' | 'Disabled' | undefined
        readonly vnetDNSOverrides?: Readonly<Record<string, LocalDnsOverride>> | undefined
        readonly kubeDNSOverrides?: Readonly<Record<string, LocalDnsOverride>> | undefined
      }
    | undefined
}

/** A request that creates or changes a machine of an AKS pool. */
export interface MachineRequest {
  readonly zones?: readonly string[]
  readonly properties: MachineRequestProperties
}

export interface MachineError {
  readonly code?: string
  readonly message?: string
  readonly details?: readonly MachineError[]
}

/** A machine of an AKS pool. */
export interface Machine {
  readonly id?: string
  readonly name?: string
  readonly zones?: readonly string[]
  readonly properties?: MachineRequestProperties & {
    /** The resource ID of the VM. */
    readonly resourceId?: string
    readonly provisioningState?: string
    readonly eTag?: string
    readonly status?: {
      readonly provisioningError?: MachineError
      /** In RFC 3339. */
      readonly creationTimestamp?: string
      readonly driftAction?: string
    }
  }
}
