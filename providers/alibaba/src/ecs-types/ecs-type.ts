/** The facts about an instance type, from the API or from the table that comes with Kerf. */
export interface EcsType {
  /** For example `ecs.g7.2xlarge`. */
  readonly name: string
  readonly vcpus: number
  readonly memoryGiB: number
  readonly arch: 'amd64' | 'arm64'
  /** The text of the API, for example `Intel(R) Xeon(R) Platinum 8369B`. Absent if unknown. */
  readonly processorModel?: string
  /** Absent without GPUs. */
  readonly gpus?: EcsGpus
  /** The number of network interfaces, the primary one included. Absent if unknown. */
  readonly enis?: number
  /** The number of private IPv4 addresses of one network interface. Absent if unknown. */
  readonly ipsPerEni?: number
}

export interface EcsGpus {
  readonly count: number
  /** The manufacturer and model, for example `NVIDIA A10`. Without a blank, only the manufacturer is known. Absent if unknown. */
  readonly model?: string
  /** The memory of one GPU in GB. Absent if unknown. */
  readonly memoryGB?: number
}
