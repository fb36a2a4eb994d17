import type { Clock, KubeClient, Random } from '@kerf/runtime'

/** A cluster that `up` works on, and how to close it. */
export interface OpenCluster {
  /** For the title: `sandbox`, `local control plane`, `context production`. */
  readonly name: string
  readonly clock: Clock
  readonly random: Random
  readonly client: KubeClient
  /** The file to put into KUBECONFIG. */
  readonly kubeconfig: string
  /** Created by this command: its CRDs are installed without asking, and it is removed at the end. */
  readonly disposable: boolean
  /** Something of the cluster starts the pods on simulated nodes; otherwise the provider does. */
  readonly playsKubelets: boolean
  close(): Promise<void>
}

export interface OpenOptions {
  readonly port: number
  readonly speed: number
  readonly seed: number
  readonly kubeconfig?: string
  readonly context?: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** One line about what takes long. */
  progress(line: string): void
}
