import type { SubnetId } from '../resource-ids/subnet-id.ts'
import type { AzureSettings } from '../settings/azure-settings.ts'
import type { KubeletFacts } from './kubelet-flags.ts'

/** The facts that a VM needs to become a node. */
export interface NodeFacts extends KubeletFacts {
  readonly settings: AzureSettings
  readonly sizeName: string
  /** The Kubernetes name of the architecture. */
  readonly arch: string
  /** Whether AKS images install the driver of the VM's GPUs. */
  readonly installsGpuDriver: boolean
  readonly subnet: SubnetId
  readonly securityGroup: string
  readonly routeTable: string
  /** The certificate authority of the API server, in base64. */
  readonly caBundle: string
  /** The labels that the kubelet may set itself. */
  readonly labels: Readonly<Record<string, string>>
}
