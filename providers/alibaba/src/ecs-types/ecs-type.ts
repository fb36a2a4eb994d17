/** The properties of an instance type, from the API or from Kerf's built-in table. */
export interface EcsType {
  /** The name of the instance type, for example `ecs.g7.2xlarge`. */
  readonly name: string
  readonly vcpus: number
  readonly memoryGiB: number
  readonly arch: 'amd64' | 'arm64'
  /** The processor name from the API, for example `Intel(R) Xeon(R) Platinum 8369B`. Absent if unknown. */
  readonly processorModel?: string
  /** Absent without GPUs. */
  readonly gpus?: EcsGpus
  /** The number of network interfaces, including the primary one. Absent if unknown. */
  readonly enis?: number
  /** The number of private IPv4 addresses per network interface. Absent if unknown. */
  readonly ipsPerEni?: number
}

export interface EcsGpus {
  readonly count: number
  /** The manufacturer and model, for example `NVIDIA A10`. Only the manufacturer if the model is unknown. Absent if unknown. */
  readonly model?: string
  /** The memory of one GPU in GB. Absent if unknown. */
  readonly memoryGB?: number
}
