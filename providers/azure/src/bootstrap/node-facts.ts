import type { SubnetId } from '../resource-ids/subnet-id.ts'
import type { AzureSettings } from '../settings/azure-settings.ts'
import type { KubeletFacts } from './kubelet-flags.ts'

/** What a VM has to know to become a node. */
export interface NodeFacts extends KubeletFacts {
  readonly settings: AzureSettings
  readonly sizeName: string
  /** As Kubernetes calls it. */
  readonly arch: string
  /** Whether AKS's images install the driver of its GPUs. */
  readonly installsGpuDriver: boolean
  readonly subnet: SubnetId
  readonly securityGroup: string
  readonly routeTable: string
  /** Of the API server, in base64. */
  readonly caBundle: string
  /** Labels that the kubelet may set itself. */
  readonly labels: Readonly<Record<string, string>>
}
