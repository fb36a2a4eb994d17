/** A host port of a pod. */
export interface HostPort {
  readonly ip: string
  readonly port: number
  readonly protocol: string
}
