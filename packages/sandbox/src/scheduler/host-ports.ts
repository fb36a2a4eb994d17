import type { Pod } from '@kerf/apis'

export interface HostPort {
  readonly ip: string
  readonly protocol: string
  readonly port: number
}

const ANY = '0.0.0.0'

/** Returns the host ports of a pod. Init containers count only if they are sidecars. */
export const hostPorts = (pod: Pod): HostPort[] => {
  const ports: HostPort[] = []
  const sidecars = (pod.spec.initContainers ?? []).filter((container) => container.restartPolicy === 'Always')
  for (const container of [...sidecars, ...pod.spec.containers]) {
    for (const port of container.ports ?? []) {
      if (port.hostPort === undefined || port.hostPort <= 0) continue
      ports.push({ ip: port.hostIP || ANY, protocol: port.protocol ?? 'TCP', port: port.hostPort })
    }
  }
  return ports
}

/**
 * Returns whether two host ports conflict: they have the same port and protocol, and either the same address or at least one
 * unspecified address.
 */
export const portsConflict = (a: HostPort, b: HostPort): boolean =>
  a.port === b.port && a.protocol === b.protocol && (a.ip === b.ip || a.ip === ANY || b.ip === ANY)
