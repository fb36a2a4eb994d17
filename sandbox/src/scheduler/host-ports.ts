import type { Pod } from '@kerf/apis'

export interface HostPort {
  readonly ip: string
  readonly protocol: string
  readonly port: number
}

const ANY = '0.0.0.0'

/** The ports a pod takes of its node. Init containers count only while they run beside the others (sidecars). */
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

/** Same port and protocol on the same address; the unspecified address clashes with every other. */
export const portsConflict = (a: HostPort, b: HostPort): boolean =>
  a.port === b.port && a.protocol === b.protocol && (a.ip === b.ip || a.ip === ANY || b.ip === ANY)
