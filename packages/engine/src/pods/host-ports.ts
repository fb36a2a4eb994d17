import type { Pod } from '@kerf/apis'
import type { HostPort } from '../model/host-port.ts'

const isAnyAddress = (ip: string): boolean => ip === '0.0.0.0' || ip === '::'

/** Returns the host ports of a pod's containers. Ignores init containers (`docs/spec/scheduling.md#host-ports`). */
export const podHostPorts = (pod: Pod): readonly HostPort[] => {
  const ports: HostPort[] = []
  for (const container of pod.spec.containers ?? []) {
    for (const { hostPort, hostIP, protocol } of container.ports ?? []) {
      if (hostPort) ports.push({ ip: hostIP || '0.0.0.0', port: hostPort, protocol: protocol ?? 'TCP' })
    }
  }
  return ports
}

const conflict = (a: HostPort, b: HostPort): boolean =>
  a.port === b.port && a.protocol === b.protocol && (a.ip === b.ip || isAnyAddress(a.ip) || isAnyAddress(b.ip))

export const portsConflict = (wanted: readonly HostPort[], taken: readonly HostPort[]): boolean =>
  wanted.some((port) => taken.some((other) => conflict(port, other)))
