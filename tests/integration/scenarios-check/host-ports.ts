import type { Pod } from '@kerf/apis'

interface Port {
  readonly address: string
  readonly protocol: string
  readonly number: number
}

const ANY = '0.0.0.0'

const podPorts = ({ spec }: Pod): readonly Port[] =>
  [
    ...spec.containers,
    ...(spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always'),
  ].flatMap(({ ports = [] }) =>
    ports.flatMap(({ hostPort, hostIP, protocol, containerPort }) => {
      const number = hostPort ?? (spec.hostNetwork === true ? containerPort : 0)
      return number === 0
        ? []
        : [{ address: hostIP === undefined || hostIP === '' ? ANY : hostIP, protocol: protocol ?? 'TCP', number }]
    }),
  )

const clash = (a: Port, b: Port): boolean =>
  a.number === b.number &&
  a.protocol === b.protocol &&
  (a.address === b.address || a.address === ANY || b.address === ANY)

/** Returns the pairs of pods that use the same port of a node. */
export const portClashes = (pods: readonly Pod[]): readonly (readonly [Pod, Pod])[] => {
  const withPorts = pods.map((pod) => ({ pod, ports: podPorts(pod) })).filter(({ ports }) => ports.length > 0)
  return withPorts.flatMap((one, index) =>
    withPorts
      .slice(index + 1)
      .filter((other) => one.ports.some((a) => other.ports.some((b) => clash(a, b))))
      .map((other) => [one.pod, other.pod] as const),
  )
}
