/** A port of the host that a pod binds. */
export interface HostPort {
  readonly ip: string
  readonly port: number
  readonly protocol: string
}
