/** The fields of an insert that the fake reads. The fake checks the schema of the whole body first. */
export interface InstanceBody {
  readonly name: string
  readonly machineType?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly tags?: { readonly items?: readonly string[] }
  readonly metadata?: { readonly items?: readonly { readonly key?: string; readonly value?: string }[] }
  readonly serviceAccounts?: readonly { readonly email?: string; readonly scopes?: readonly string[] }[]
  readonly disks?: readonly {
    readonly boot?: boolean
    readonly autoDelete?: boolean
    readonly type?: string
    readonly interface?: string
    readonly deviceName?: string
    readonly initializeParams?: {
      readonly diskType?: string
      readonly diskSizeGb?: string
      readonly sourceImage?: string
    }
  }[]
  readonly networkInterfaces?: readonly {
    readonly network?: string
    readonly subnetwork?: string
    readonly aliasIpRanges?: readonly { readonly ipCidrRange?: string; readonly subnetworkRangeName?: string }[]
    readonly accessConfigs?: readonly object[]
  }[]
  readonly scheduling?: {
    readonly provisioningModel?: string
    readonly preemptible?: boolean
    readonly automaticRestart?: boolean
    readonly onHostMaintenance?: string
    readonly instanceTerminationAction?: string
  }
  readonly confidentialInstanceConfig?: { readonly enableConfidentialCompute?: boolean }
}
